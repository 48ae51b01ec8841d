import { afterAll, beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { eightAtOnce, INTERNAL, nearlyRight } from "../helpers/nearly-right.ts";
import { isShared } from "../helpers/shared-database.ts";
import { chunksOf } from "../helpers/ui-message.ts";

// Bodies that were right until something in them was changed. Whatever it was: an answer, or an error that is the
// sender's; never a fault of ours, never a stream that no client can read, never silence.

/** More of them: FUZZ_BODIES=20000. Over PostgreSQL an answer costs several times as much, and only what is stored differs. */
const BODIES = Number(process.env["FUZZ_BODIES"] ?? (isShared ? 300 : 1000));
const SEED = 20261121;

const FULL = {
  fp: "reader",
  id: "chat",
  trigger: "submit-message",
  messageId: "a1",
  threadId: null,
  retrievalPageSize: 2,
  filter: { version: "2", language: "en", tag: "x", groups: ["staff"] },
  context: [{ type: "code", value: "sh install.sh", path: "install.sh", elementId: "e" }],
  currentPath: "/guide/install",
  messages: [
    { id: "s", role: "system", parts: [{ type: "text", text: "Be brief." }] },
    { id: "q1", role: "user", parts: [{ type: "text", text: "How do I install Acme?" }] },
    {
      id: "a1",
      role: "assistant",
      metadata: { threadId: "0123456789ABCDEFGHJKMNPQRS", outcome: "answered" },
      parts: [
        { type: "step-start" },
        {
          type: "tool-search",
          toolCallId: "c",
          state: "output-available",
          input: { query: "x" },
          output: {},
        },
        { type: "reasoning", text: "Hm.", state: "done" },
        { type: "text", text: "Run it [[1]](https://docs.acme.example/guide/install#linux).", state: "done" },
        { type: "source-url", sourceId: "source_1", url: "https://docs.acme.example/", title: "Install" },
        { type: "data-note", data: [1, null] },
      ],
    },
    {
      id: "q2",
      role: "user",
      parts: [
        { type: "text", text: "And on Linux?" },
        { type: "file", mediaType: "text/plain", url: "data:text/plain;base64,aGk=", filename: "a.txt" },
        { type: "file", mediaType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=" },
      ],
    },
  ],
};

const errorSchema = z.strictObject({
  error: z.string(),
  message: z.string(),
  code: z.enum(["invalid_request", "not_found"]),
  requestId: z.string().length(26),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});
let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

test(`${BODIES} bodies that are nearly right are answered, or refused with the reason`, async () => {
  const random = seededRandom(SEED);
  const seen = new Map<number, number>();
  const check = async (body: string) => {
    const reply = await docent.post(body, { version: "v2" });
    const wire = await reply.text();
    seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
    expect([200, 400, 404], `${body}\n${wire}`).toContain(reply.status);
    if (reply.status === 200) expect(chunksOf(wire).at(-1)?.type, `${body}\n${wire}`).toBe("finish");
    else {
      expect(errorSchema.safeParse(JSON.parse(wire)).error, wire).toBeUndefined();
      expect(wire).not.toMatch(INTERNAL);
    }
  };
  await eightAtOnce(
    Array.from({ length: BODIES }, () => nearlyRight(FULL, random)),
    check,
  );
  // Of both kinds are enough to say something.
  for (const status of [200, 400]) expect(seen.get(status) ?? 0).toBeGreaterThan(BODIES / 10);
});
