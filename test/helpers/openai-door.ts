import { expect } from "bun:test";
import { z } from "zod";
import { startDocent, type TestDocent } from "./docent.ts";

/** The one origin that the site `other` is open to, and one that it is not. */
export const ORIGIN = "https://docs.acme.example";
export const ELSEWHERE = "https://elsewhere.example";

const errorSchema = z.strictObject({
  error: z.strictObject({
    message: z.string().min(1),
    type: z.enum(["invalid_request_error", "rate_limit_error", "server_error"]),
    param: z.string().nullable(),
    code: z.string(),
  }),
});

/** Checks that a reply is an error in the shape that clients of OpenAI's API read, whatever went wrong. */
export async function errorOf(reply: Response, status: number) {
  const text = await reply.text();
  expect(reply.status, text).toBe(status);
  expect(reply.headers.get("content-type")).toContain("application/json");
  expect(reply.headers.get("x-request-id")).toHaveLength(26);
  return errorSchema.parse(JSON.parse(text)).error;
}

export interface OpenaiInit {
  /** Null for none; without it that of the docent. */
  key?: string | null;
  headers?: Record<string, string>;
  method?: string;
  /** Another docent than the door's own. */
  on?: TestDocent;
}

/** A docent with the sites `acme` and `other`, as clients of OpenAI's API speak to it. */
export async function startOpenaiDoor(bodyBytes: string) {
  const docent = await startDocent({ settings: { body_bytes: bodyBytes, message_characters: "1000" } });
  const { people } = docent.app.parts;
  const { organizationId } = await people.sites.get("acme");
  const other = await people.sites.add({ domain: "other", settings: { origins: [ORIGIN] } });
  const { key: otherKey } = await people.keys.create({ organizationId, name: "other", siteIds: [other.id] });
  const send = (
    path: string,
    body: unknown,
    { key, headers, method = "POST", on = docent }: OpenaiInit = {},
  ) =>
    fetch(on.url + path, {
      method,
      headers: {
        "content-type": "application/json",
        ...(key === null ? {} : { authorization: `Bearer ${key ?? on.key}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    docent,
    /** May use `other` alone. */
    otherKey,
    send,
  };
}

export type OpenaiDoor = Awaited<ReturnType<typeof startOpenaiDoor>>;
