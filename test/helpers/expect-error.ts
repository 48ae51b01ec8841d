import { expect } from "bun:test";
import { z } from "zod";

const errorSchema = z.strictObject({
  error: z.string().min(1),
  message: z.string().min(1),
  code: z.string(),
  requestId: z.string().length(26),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});

/** Checks that a reply is an error in Docent's own shape, and no beginning of a stream. */
export async function expectError(reply: Response, status: number, code: string) {
  const text = await reply.text();
  expect(reply.status, text).toBe(status);
  expect(reply.headers.get("content-type")).toContain("application/json");
  expect(reply.headers.get("x-vercel-ai-ui-message-stream")).toBeNull();
  const body = errorSchema.parse(JSON.parse(text));
  expect(body.code).toBe(code);
  expect(body.error).toBe(body.message);
  expect(reply.headers.get("x-request-id")).toBe(body.requestId);
  return body;
}
