import { afterEach, expect, test } from "bun:test";
import type { RewriteRequest } from "../../../src/answering/answer/responder.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { until } from "../../helpers/until.ts";
import { appError, drain, never } from "./helpers.ts";
import { openPool, type PoolOptions } from "./pool-helpers.ts";

let ollama: FakeOllama;
afterEach(() => ollama?.stop());

const asked: RewriteRequest = {
  asker: { siteId: 1, reader: "reader" },
  system: "Write it in English.",
  background: "",
  text: "Wie geht das?",
  tokensMax: 64,
};

function start(options: PoolOptions & { ollama?: FakeOllamaOptions } = {}) {
  ollama = startFakeOllama(options.ollama);
  const pool = openPool([ollama.url], options);
  const { rewrite } = pool.responder;
  if (rewrite === undefined) throw new Error("a responder with a model writes questions anew");
  const write = (change: Partial<RewriteRequest> = {}, signal = never) =>
    drain(rewrite({ ...asked, ...change }, signal));
  return { ...pool, write };
}

test("a question is written anew in a few tokens, without chance or thoughts, in the context that answers have", async () => {
  const thinker = { name: "deep:latest", capabilities: ["completion", "thinking"] };
  const { write, respond } = start({ settings: { thinking: true }, ollama: { models: [thinker] } });
  const { values, error } = await write();
  expect(error).toBeUndefined();
  expect(values.at(-1)).toMatchObject({ type: "finish", model: "deep:latest" });
  await respond();
  const [rewriting, answering] = ollama.chats.map(({ body }) => body);
  expect(rewriting).toMatchObject({
    messages: [
      { role: "system", content: asked.system },
      { role: "user", content: asked.text },
    ],
    think: false,
    keep_alive: answering?.keep_alive,
    options: { num_predict: 64, temperature: 0, num_ctx: answering?.options?.["num_ctx"] },
  });
});

test("the model is the one that the site chose", async () => {
  const { write } = start({ ollama: { models: [{ name: "tiny:latest" }, { name: "other:latest" }] } });
  await write({ model: "other:latest" });
  expect(ollama.chats[0]?.body.model).toBe("other:latest");
});

test("it waits for the place of an answer, and frees its own", async () => {
  const { write, respond, queue } = start();
  ollama.replyWith({ beforeToken: () => until(() => queue.state().waiting === 1) }, {});
  const answer = respond();
  await ollama.until(() => ollama.chats.length === 1);
  const { values } = await write();
  await answer;
  expect(values[0]).toEqual({ type: "waiting", position: 1 });
  expect(ollama.mostAtOnce).toBe(1);
  expect(queue.state()).toEqual({ running: 0, waiting: 0 });
});

test("one that does not fit into what the model can read is refused before the model is asked", async () => {
  const { write } = start();
  const { error } = await write({ text: "Wie? ".repeat(20_000) });
  expect(appError(error).code).toBe("unavailable");
  expect(ollama.chats).toHaveLength(0);
});

test("a short time that runs out is no fault of the server", async () => {
  const { write, servers } = start({ ollama: { reply: { firstTokenMs: 600_000 } } });
  const late = new AbortController();
  const work = write({}, late.signal);
  await ollama.until(() => ollama.chats.length === 1);
  late.abort(new DOMException("too late", "TimeoutError"));
  expect((await work).error).toMatchObject({ name: "TimeoutError" });
  await ollama.until(() => ollama.chats[0]?.aborted === true);
  expect(servers[0]?.isResting()).toBe(false);
  expect(servers[0]?.isLoaded()).toBe(false);
});
