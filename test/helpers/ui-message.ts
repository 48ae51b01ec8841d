import { z } from "zod";
import type { TestDocent } from "./docent.ts";

/** A user's message, as clients of the AI SDK v5 and later send it. */
export function userMessage(text: string, more: Record<string, unknown> = {}) {
  return { id: "q1", role: "user", parts: [{ type: "text", text }], ...more };
}

/** A body that asks one question, as such a client sends it. */
export function questionV2(text: string, more: Record<string, unknown> = {}) {
  return { fp: "anonymous", messages: [userMessage(text)], ...more };
}

const piece = { id: z.string(), delta: z.string() };
const metadata = z.record(z.string(), z.unknown());

/** What all releases of the client know, the strict ones too. They take an unknown key, or null, for a broken reply. */
const chunkSchema = z.union([
  z.strictObject({ type: z.literal("start"), messageId: z.string(), messageMetadata: metadata }),
  z.strictObject({ type: z.enum(["start-step", "finish-step"]) }),
  z.strictObject({
    type: z.literal("tool-input-available"),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.strictObject({ query: z.string() }),
  }),
  z.strictObject({
    type: z.literal("tool-output-available"),
    toolCallId: z.string(),
    output: z.strictObject({
      type: z.literal("search"),
      results: z.array(
        z.strictObject({
          content: z.string().max(300),
          path: z.string(),
          metadata: z.strictObject({ title: z.string(), href: z.string(), score: z.number() }),
        }),
      ),
    }),
  }),
  z.strictObject({
    type: z.literal("source-url"),
    sourceId: z.string(),
    url: z.string(),
    title: z.string(),
  }),
  z.strictObject({
    type: z.enum(["text-start", "text-end", "reasoning-start", "reasoning-end"]),
    id: piece.id,
  }),
  z.strictObject({ type: z.literal("text-delta"), ...piece }),
  z.strictObject({ type: z.literal("reasoning-delta"), ...piece }),
  z.strictObject({
    type: z.literal("data-status"),
    data: z.strictObject({ status: z.literal("waiting"), position: z.int().min(1) }),
    transient: z.literal(true),
  }),
  z.strictObject({ type: z.literal("error"), errorText: z.string().min(1) }),
  z.strictObject({ type: z.literal("finish"), messageMetadata: metadata }),
]);

/** An event of a v2 reply. */
export type Chunk = z.infer<typeof chunkSchema>;

const DONE = "data: [DONE]";

/** The events of a v2 reply, which has to be whole and strict. Signs of life are left out. */
export function chunksOf(wire: string): Chunk[] {
  const events = wire.split("\n\n").filter((event) => event !== ": ping");
  if (events.pop() !== "" || events.pop() !== DONE) throw new Error(`a stream without its end: ${wire}`);
  return events.map((event) => {
    if (!event.startsWith("data: ") || event.includes("\n")) throw new Error(`not an event: ${event}`);
    return chunkSchema.parse(JSON.parse(event.slice("data: ".length)));
  });
}

/** The events of one type. */
export function chunksOfType<T extends Chunk["type"]>(
  chunks: Chunk[],
  type: T,
): Extract<Chunk, { type: T }>[] {
  return chunks.filter((chunk): chunk is Extract<Chunk, { type: T }> => chunk.type === type);
}

/** The answer's text in a v2 reply. */
export function textOfChunks(chunks: Chunk[]): string {
  return chunksOfType(chunks, "text-delta")
    .map(({ delta }) => delta)
    .join("");
}

/** Asks by v2, and reads the reply to its end. */
export async function askV2(docent: TestDocent, body: unknown, { headers = {} } = {}) {
  const reply = await docent.post(body, { version: "v2", headers });
  const wire = await reply.text();
  if (reply.status !== 200) throw new Error(`${reply.status}: ${wire}`);
  const chunks = chunksOf(wire);
  return { reply, wire, chunks, text: textOfChunks(chunks) };
}
