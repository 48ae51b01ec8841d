import { afterEach, expect, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import type { FakeReply } from "../../helpers/fake-ollama-replies.ts";
import { drain, never } from "./helpers.ts";
import { openPool, plainRequest } from "./pool-helpers.ts";

let ollama: FakeOllama;
afterEach(() => ollama.stop());

const reason = new Error("the reader left");

function start(reply: FakeReply) {
  ollama = startFakeOllama({ reply });
  const { queue, responder } = openPool([ollama.url]);
  return { queue, respond: (signal = never) => responder.respond(plainRequest, signal) };
}

/** Nothing but the reader's leaving ends an answer here: the fake never does. */
const freed = (queue: ReturnType<typeof start>["queue"]) =>
  ollama.until(() => ollama.chats[0]?.aborted === true && queue.state().running === 0);

test("a reader who leaves in mid-answer stops Ollama, and frees the slot", async () => {
  const { queue, respond } = start({ text: ["One "], endless: true, tokenMs: 10 });
  const leaving = new AbortController();
  const work = drain(respond(leaving.signal));
  await ollama.until(() => ollama.chats.length === 1);
  leaving.abort(reason);
  expect((await work).error).toBe(reason);
  await freed(queue);
});

test("a reader who leaves before the first word stops Ollama, and frees the slot", async () => {
  const { queue, respond } = start({ firstTokenMs: 60_000 });
  const leaving = new AbortController();
  const work = drain(respond(leaving.signal));
  await ollama.until(() => ollama.chats.length === 1);
  leaving.abort(reason);
  expect((await work).error).toBe(reason);
  await freed(queue);
});

test("a consumer that leaves its loop stops Ollama, and frees the slot", async () => {
  const { queue, respond } = start({ text: ["One "], endless: true, tokenMs: 10 });
  for await (const _ of respond()) break;
  await freed(queue);
});

test("a consumer that leaves while it waits stops Ollama, and frees the slot", async () => {
  const { queue, respond } = start({ firstTokenMs: 60_000 });
  const events = respond()[Symbol.asyncIterator]();
  const pending = events.next().catch((error) => error);
  await ollama.until(() => ollama.chats.length === 1);
  await events.return?.();
  await pending;
  await freed(queue);
});

test("a reader who leaves the line never reaches Ollama", async () => {
  const { queue, respond } = start({ firstTokenMs: 60_000 });
  const holding = new AbortController();
  const leaving = new AbortController();
  const first = drain(respond(holding.signal));
  await ollama.until(() => ollama.chats.length === 1);
  const second = drain(respond(leaving.signal));
  await ollama.until(() => queue.state().waiting === 1);
  leaving.abort(reason);
  expect((await second).error).toBe(reason);
  holding.abort(reason);
  await first;
  expect(ollama.chats).toHaveLength(1);
  expect(queue.state()).toEqual({ running: 0, waiting: 0 });
});

test("the question behind one that was left is answered", async () => {
  const { respond } = start({});
  ollama.replyWith({ firstTokenMs: 60_000 }, { text: "Yes." });
  const leaving = new AbortController();
  const first = drain(respond(leaving.signal));
  await ollama.until(() => ollama.chats.length === 1);
  const second = drain(respond());
  leaving.abort(reason);
  await first;
  const { values, error } = await second;
  expect(error).toBeUndefined();
  expect(values.find(({ type }) => type !== "waiting")).toEqual({ type: "text-delta", text: "Yes." });
});
