import { afterEach, expect, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { refusals } from "../../helpers/fake-ollama-replies.ts";
import { body, clientOf, drain, never } from "./helpers.ts";

let ollama: FakeOllama;
afterEach(() => ollama.stop());
const reason = new Error("the reader left");

/** Nothing but the abort ends a chat here: the fake hangs, and every patience of the client is longer than a test. */
const upstreamAborted = () => ollama.until(() => ollama.chats[0]?.aborted === true);

test("an abort in mid-stream reaches Ollama, and is thrown as it came", async () => {
  ollama = startFakeOllama({ reply: { text: ["One "], end: "hang" } });
  const leaving = new AbortController();
  const work = drain(clientOf(ollama.url).chat(body, leaving.signal));
  await ollama.until(() => ollama.chats.length === 1);
  leaving.abort(reason);
  expect((await work).error).toBe(reason);
  await upstreamAborted();
});

test("an abort before the first word reaches Ollama", async () => {
  ollama = startFakeOllama({ reply: { firstTokenMs: 60_000 } });
  const leaving = new AbortController();
  const work = drain(clientOf(ollama.url).chat(body, leaving.signal));
  await ollama.until(() => ollama.chats.length === 1);
  leaving.abort(reason);
  expect((await work).error).toBe(reason);
  await upstreamAborted();
});

test("leaving the loop reaches Ollama", async () => {
  ollama = startFakeOllama({ reply: { text: ["One "], endless: true } });
  for await (const _ of clientOf(ollama.url).chat(body, never)) break;
  await upstreamAborted();
});

test("leaving while a line is awaited reaches Ollama", async () => {
  ollama = startFakeOllama({ reply: { firstTokenMs: 60_000 } });
  const lines = clientOf(ollama.url).chat(body, never)[Symbol.asyncIterator]();
  const pending = lines.next().catch((error) => error);
  await ollama.until(() => ollama.chats.length === 1);
  await lines.return?.();
  await pending;
  await upstreamAborted();
});

test("an abort between two attempts ends them", async () => {
  ollama = startFakeOllama({ reply: refusals.busy });
  const leaving = new AbortController();
  const work = drain(clientOf(ollama.url, { retryDelayMs: 60_000 }).chat(body, leaving.signal));
  await ollama.until(() => ollama.chats.length === 1);
  leaving.abort(reason);
  expect((await work).error).toBe(reason);
});

test("nothing is sent for a request that was aborted before", async () => {
  ollama = startFakeOllama();
  const { error } = await drain(clientOf(ollama.url).chat(body, AbortSignal.abort(reason)));
  expect(error).toBe(reason);
  expect(ollama.chats).toEqual([]);
});
