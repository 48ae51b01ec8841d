import { afterAll, beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { eightAtOnce, INTERNAL, nearlyRight } from "../helpers/nearly-right.ts";

// Bodies that were right until something in them was changed: an answer, or an error that is the sender's; never a
// fault of ours, never a reply that no client can read, never silence.

/** More of them: FUZZ_BODIES=20000. */
const BODIES = Number(process.env["FUZZ_BODIES"] ?? 700);
const SEED = 20261122;

const CHAT = {
  model: "acme",
  stream_options: { include_usage: true },
  user: "reader",
  safety_identifier: null,
  n: 1,
  temperature: 0.2,
  max_tokens: 100,
  stop: ["\n"],
  response_format: { type: "text" },
  modalities: ["text"],
  tool_choice: "auto",
  tools: [{ type: "function", function: { name: "f", parameters: {} } }],
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "How do I install Acme?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "t", type: "function", function: { name: "f" } }],
    },
    { role: "tool", tool_call_id: "t", content: [{ type: "text", text: "done" }] },
    {
      role: "assistant",
      content: "Run it [[1]](https://docs.acme.example/guide/install#linux).",
      refusal: null,
    },
    {
      role: "user",
      name: "me",
      content: [
        { type: "text", text: "And on Linux?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" } },
        { type: "file", file: { file_data: "data:text/plain;base64,aGk=", filename: "a.txt" } },
        { type: "input_audio", input_audio: { data: "", format: "wav" } },
      ],
    },
  ],
};

const REFERENCE = `msg_${"0123456789ABCDEFGHJKMNPQRS".repeat(2)}`;
const RESPONSE = {
  model: "acme",
  instructions: "Be brief.",
  previous_response_id: null,
  store: true,
  metadata: { page: "install" },
  user: "reader",
  safety_identifier: null,
  temperature: 0.2,
  max_output_tokens: 100,
  include: ["reasoning.encrypted_content"],
  text: { format: { type: "text" }, verbosity: "low" },
  tool_choice: "auto",
  tools: [{ type: "function", name: "f", parameters: {} }, { type: "web_search" }],
  background: false,
  conversation: null,
  input: [
    { role: "developer", content: "Be brief." },
    { role: "user", content: "How do I install Acme?" },
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }] },
    { type: "item_reference", id: REFERENCE },
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "done" }] },
    {
      type: "message",
      id: REFERENCE,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Run it.", annotations: [] }],
    },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "And on Linux?" },
        { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" },
        { type: "input_file", file_data: "data:text/plain;base64,aGk=", filename: "a.txt" },
        { type: "input_audio", input_audio: { data: "", format: "wav" } },
      ],
    },
  ],
};

const errorSchema = z.strictObject({
  error: z.strictObject({
    message: z.string().min(1),
    type: z.literal("invalid_request_error"),
    param: z.string().nullable(),
    code: z.enum(["invalid_request", "model_not_found", "previous_response_not_found"]),
  }),
});
const completionSchema = z.object({
  object: z.literal("chat.completion"),
  choices: z.tuple([
    z.object({ finish_reason: z.literal("stop"), message: z.object({ content: z.string() }) }),
  ]),
});
const chunkSchema = z.object({
  object: z.literal("chat.completion.chunk"),
  choices: z.array(z.object({ finish_reason: z.literal("stop").nullable() })).max(1),
});
/** Throws for a stream that is not whole, or that a client could not read. */
function readChunks(wire: string): void {
  const events = wire.split("\n\n").filter((event) => event !== ": ping");
  if (events.pop() !== "" || events.pop() !== "data: [DONE]")
    throw new Error(`a stream without its end: ${wire}`);
  const chunks = events.map((event) => chunkSchema.parse(JSON.parse(event.slice("data: ".length))));
  const reasons = chunks.flatMap(({ choices }) =>
    choices.flatMap(({ finish_reason }) => finish_reason ?? []),
  );
  if (reasons.length !== 1) throw new Error(`a stream that ends ${reasons.length} times: ${wire}`);
}

const responseSchema = z.object({
  object: z.literal("response"),
  status: z.literal("completed"),
  output: z.tuple([
    z.object({ type: z.literal("message"), content: z.tuple([z.object({ text: z.string() })]) }),
  ]),
});
const eventSchema = z.object({
  type: z.string(),
  sequence_number: z.int(),
  response: z.unknown().optional(),
});

/** The same for the events of a response. */
function readEvents(wire: string): void {
  const blocks = wire.split("\n\n").filter((block) => block !== ": ping");
  if (blocks.pop() !== "") throw new Error(`a stream that is cut off: ${wire}`);
  const events = blocks.map((block) => eventSchema.parse(JSON.parse(block.split("\ndata: ")[1] ?? "")));
  for (const [index, { sequence_number }] of events.entries())
    if (sequence_number !== index) throw new Error(`a stream with a gap: ${wire}`);
  const ends = events.filter(({ type }) => type === "response.completed");
  if (ends.length !== 1 || events.at(-1) !== ends[0]) throw new Error(`a stream without its end: ${wire}`);
  responseSchema.parse(ends[0]?.response);
}

/** What each operation takes, and what it may answer with. */
const OPERATIONS = [
  { path: "/v1/chat/completions", full: CHAT, whole: completionSchema, readStream: readChunks },
  { path: "/v1/responses", full: RESPONSE, whole: responseSchema, readStream: readEvents },
];

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

test.each(OPERATIONS)(
  `$path: ${BODIES} bodies that are nearly right are answered, or refused with the reason`,
  async ({ path, full, whole, readStream }) => {
    const random = seededRandom(SEED);
    const seen = new Map<string, number>();
    const check = async (body: string) => {
      const reply = await fetch(`${docent.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
        body,
      });
      const wire = await reply.text();
      const streams = reply.headers.get("content-type")?.startsWith("text/event-stream") === true;
      const kind = `${reply.status}${streams ? " streamed" : ""}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (streams) readStream(wire);
      else if (reply.status === 200) whole.parse(JSON.parse(wire));
      else {
        expect([400, 404], `${body}\n${wire}`).toContain(reply.status);
        expect(errorSchema.safeParse(JSON.parse(wire)).error, wire).toBeUndefined();
      }
      expect(wire).not.toMatch(INTERNAL);
    };
    const bodies = Array.from({ length: BODIES }, () =>
      nearlyRight({ ...full, stream: random() < 0.5 }, random),
    );
    await eightAtOnce(bodies, check);
    // Of each kind are enough to say something.
    for (const kind of ["200 streamed", "200", "400", "404"])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(BODIES / 100);
  },
);
