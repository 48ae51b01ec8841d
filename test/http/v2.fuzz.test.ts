import { afterAll, beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import { seededRandom } from "../../src/eval/seeded-random.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { chunksOf } from "../helpers/ui-message.ts";

// Bodies that were right until something in them was changed. Whatever it was: an answer, or an error that is the
// sender's; never a fault of ours, never a stream that no client can read, never silence.

const BODIES = 3000;
const AT_ONCE = 8;
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

const JUNK: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "\0",
  "\ud800",
  "x".repeat(300),
  "__proto__",
  "user",
  "text",
  "file",
  "data:",
  "data:;base64,====",
  "data:text/plain,%",
  "http://127.0.0.1:1/",
  "../../etc/passwd",
  "' OR 1=1 --",
  [],
  {},
  [[]],
  [null],
  { type: "text" },
  { type: "file" },
  { toString: 1, valueOf: null },
  { length: 9 },
];

const NAMES = ["__proto__", "constructor", "type", "text", "parts", "role", "", "\0"];

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T | undefined =>
  from[Math.floor(random() * from.length)];

/** The value with one thing in it replaced, left out, doubled or added. */
function changed(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random() < 0.12) return pick(random, JUNK);
  const key = pick(random, Object.keys(value));
  if (key === undefined) return pick(random, JUNK);
  if (Array.isArray(value)) {
    const index = Number(key);
    if (random() < 0.1) return value.toSpliced(index, 1);
    if (random() < 0.1) return [...value, value[index]];
    return value.with(index, changed(value[index], random));
  }
  const entries = Object.entries(value);
  if (random() < 0.12) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (random() < 0.08)
    return Object.fromEntries([...entries, [pick(random, NAMES) ?? "", pick(random, JUNK)]]);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, name === key ? changed(each, random) : each]),
  );
}

/** A body as text; now and then, text that a connection or a careless app has damaged. */
function bodyFrom(random: Random): string {
  let body: unknown = FULL;
  for (let changes = Math.floor(random() * 4); changes >= 0; changes--) body = changed(body, random);
  const text = JSON.stringify(body) ?? "";
  if (random() > 0.08) return text;
  const at = Math.floor(random() * text.length);
  return random() < 0.5
    ? text.slice(0, at)
    : `${text.slice(0, at)}${pick(random, ["{", "\0", '"', "\\u"])}${text.slice(at)}`;
}

const errorSchema = z.strictObject({
  error: z.string(),
  message: z.string(),
  code: z.enum(["invalid_request", "not_found"]),
  requestId: z.string().length(26),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});
/** What would tell of the inside: where the program is, what it is made of, what it stumbled over. */
const INTERNAL = /\/src\/|node_modules|\bat \w+ \(|TypeError|SQLITE|undefined is not|ZodError/;

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

test(`${BODIES} bodies that are nearly right are answered, or refused with the reason`, async () => {
  const random = seededRandom(SEED);
  const seen = new Map<number, number>();
  const check = async (body: string) => {
    const reply = await docent.post(body, { version: "v2", signal: AbortSignal.timeout(5000) });
    const wire = await reply.text();
    seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
    expect([200, 400, 404], `${body}\n${wire}`).toContain(reply.status);
    if (reply.status === 200) expect(chunksOf(wire).at(-1)?.type, `${body}\n${wire}`).toBe("finish");
    else {
      expect(errorSchema.safeParse(JSON.parse(wire)).error, wire).toBeUndefined();
      expect(wire).not.toMatch(INTERNAL);
    }
  };
  const work = async (bodies: string[]) => {
    for (const body of bodies) await check(body);
  };
  const bodies = Array.from({ length: BODIES }, () => bodyFrom(random));
  await Promise.all(
    Array.from({ length: AT_ONCE }, (_, worker) => work(bodies.filter((_, i) => i % AT_ONCE === worker))),
  );
  // Of both kinds are enough to say something.
  for (const status of [200, 400]) expect(seen.get(status) ?? 0).toBeGreaterThan(BODIES / 10);
}, 60_000);
