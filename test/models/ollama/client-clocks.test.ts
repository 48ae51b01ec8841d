import { afterEach, expect, test } from "bun:test";
import type { ChatLine } from "../../../src/models/ollama/client/wire.ts";
import { OllamaFault } from "../../../src/models/ollama/faults.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { timersOf } from "../../helpers/timers-of.ts";
import { appError, body, clientOf, drain, never, textOf } from "./helpers.ts";

/** Longer than any test, and what no other timer has. */
const LATE_MS = 7_777_777;

let ollama: FakeOllama | undefined;
afterEach(() => ollama?.stop());

function kindOf(error: unknown): string {
  const { cause } = appError(error);
  if (cause instanceof OllamaFault) return cause.kind;
  throw new Error(`not a fault: ${cause}`);
}

test("a server that takes the call and says nothing costs the connect clock, not the first byte's", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  using late = timersOf(LATE_MS);
  const client = clientOf(`http://127.0.0.1:${silent.port}`, { connectMs: LATE_MS });
  const drained = drain(client.chat(body, never));
  await late.endNext();
  const { error } = await drained;
  silent.stop(true);
  expect(appError(error).code).toBe("unavailable");
  expect(kindOf(error)).toBe("connect_timeout");
});

test("a slow load is waited for, far beyond the connect clock", async () => {
  ollama = startFakeOllama({ reply: { text: "Yes.", firstTokenMs: 1 } });
  using late = timersOf(LATE_MS);
  const client = clientOf(ollama.url, { connectMs: LATE_MS, idleMs: LATE_MS });
  ollama.script(() => {
    // As if it had loaded for as long as that.
    late.end();
    return undefined;
  });
  const { values, error } = await drain(client.chat(body, never));
  expect(error).toBeUndefined();
  expect(textOf(values)).toBe("Yes.");
});

test("a first word that never comes is given up, told upstream, and not retried", async () => {
  ollama = startFakeOllama({ reply: { firstTokenMs: 60_000 } });
  using late = timersOf(LATE_MS);
  const drained = drain(clientOf(ollama.url, { firstByteMs: LATE_MS }).chat(body, never));
  await ollama.until(() => ollama?.chats.length === 1);
  await late.endNext();
  const { error } = await drained;
  expect(appError(error).code).toBe("unavailable");
  expect(kindOf(error)).toBe("first_byte_timeout");
  await ollama.until(() => ollama?.chats[0]?.aborted === true);
  expect(ollama.chats).toHaveLength(1);
});

test("a stream that falls silent is a failure, and told upstream", async () => {
  const chatting = startFakeOllama({ reply: { text: ["One ", "two "], end: "hang" } });
  ollama = chatting;
  using late = timersOf(LATE_MS);
  const values: ChatLine[] = [];
  const ended = (async () => {
    for await (const line of clientOf(chatting.url, { idleMs: LATE_MS }).chat(body, never)) values.push(line);
  })().catch((error: unknown) => error);
  await chatting.until(() => textOf(values) === "One two ");
  await late.endNext();
  const error = await ended;
  expect(appError(error).code).toBe("model_failed");
  expect(kindOf(error)).toBe("idle_timeout");
  await chatting.until(() => chatting.chats[0]?.aborted === true);
});

test("the time that the consumer takes is not the model's", async () => {
  ollama = startFakeOllama({ reply: { text: ["One ", "two ", "three."] } });
  const lines: string[] = [];
  using late = timersOf(LATE_MS);
  for await (const line of clientOf(ollama.url, { firstByteMs: LATE_MS, idleMs: LATE_MS }).chat(
    body,
    never,
  )) {
    lines.push(line.content);
    // As if it took longer than the model may be silent.
    late.end();
  }
  expect(lines.join("")).toBe("One two three.");
});
