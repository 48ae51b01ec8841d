import { afterEach, describe, expect, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import type { FakeReply } from "../../helpers/fake-ollama-replies.ts";
import { refusals } from "../../helpers/fake-ollama-replies.ts";
import { appError, body, clientOf, drain, never, textOf } from "./helpers.ts";

let ollama: FakeOllama;
const chatWith = (...replies: FakeReply[]) => {
  ollama = startFakeOllama();
  ollama.replyWith(...replies);
  return drain(clientOf(ollama.url).chat(body, never));
};
afterEach(() => ollama.stop());

test("an error line in mid-stream is a failure, and the text so far is kept", async () => {
  const { values, error } = await chatWith({ text: ["One ", "two "], end: "error" });
  expect(textOf(values)).toBe("One two ");
  expect(appError(error).code).toBe("model_failed");
  expect(String(appError(error).cause)).toContain("UPSTREAM-SECRET");
  expect(ollama.chats).toHaveLength(1);
});

test("an error line before the first word leaves room for another responder", async () => {
  const { values, error } = await chatWith({ text: [], end: "error" });
  expect(values).toEqual([]);
  expect(appError(error).code).toBe("unavailable");
});

test("a stream that ends without a last line is a failure", async () => {
  const { values, error } = await chatWith({ text: ["One ", "two "], end: "eof" });
  expect(textOf(values)).toBe("One two ");
  expect(appError(error).code).toBe("model_failed");
});

test("an empty stream is a failure that another responder may make good", async () => {
  expect(appError((await chatWith({ text: [], end: "eof" })).error).code).toBe("unavailable");
});

describe("what is refused would be refused again, and is not retried", () => {
  test.each([
    ["notFound", "run: ollama pull tiny:latest"],
    ["badRequest", "status 400"],
    ["forbidden", "OLLAMA_ORIGINS"],
    ["otherServer", "is not Ollama"],
    ["redirect", "is not Ollama"],
    ["loginPage", "does not speak like Ollama"],
  ] as const)("%s", async (name, hint) => {
    const { error } = await chatWith(refusals[name]);
    expect(appError(error).code).toBe("unavailable");
    expect(appError(error).hint).toContain(hint);
    expect(ollama.chats).toHaveLength(1);
  });
});

describe("what may pass is tried again, a bounded number of times", () => {
  test.each([
    ["busy", 3],
    ["proxyPage", 3],
    ["crashed", 2],
  ] as const)("%s", async (name, times) => {
    const { error } = await chatWith(refusals[name]);
    expect(appError(error).code).toBe("unavailable");
    expect(ollama.chats).toHaveLength(times);
  });

  test("and an answer after it is an answer", async () => {
    const { values, error } = await chatWith(refusals.busy, refusals.busy, { text: "Yes." });
    expect(error).toBeUndefined();
    expect(textOf(values)).toBe("Yes.");
  });
});

test("a busy Ollama says when to come back", async () => {
  expect(appError((await chatWith(refusals.busy)).error).retryAfterSeconds).toBeGreaterThan(0);
});

describe("no message or hint repeats what upstream said", () => {
  test.each(["badRequest", "crashed", "proxyPage", "loginPage"] as const)("%s", async (name) => {
    const error = appError((await chatWith(refusals[name])).error);
    expect(`${error.message} ${error.hint}`).not.toContain("UPSTREAM-SECRET");
  });
});

test("a server that is not there is a refusal with a remedy", async () => {
  ollama = startFakeOllama();
  await ollama.stop();
  const client = clientOf(ollama.url);
  const { error } = await drain(client.chat(body, never));
  expect(appError(error).code).toBe("unavailable");
  expect(appError(error).hint).toContain("ollama serve");
  const { message, code } = appError(await client.tags().catch((thrown) => thrown));
  expect(code).toBe("unavailable");
  expect(message).not.toContain(ollama.url);
});

test("a server that goes away in mid-stream is a failure", async () => {
  ollama = startFakeOllama({ reply: { text: ["One "], end: "hang" } });
  const lines: string[] = [];
  const work = (async () => {
    for await (const line of clientOf(ollama.url).chat(body, never)) {
      lines.push(line.content);
      void ollama.stop();
    }
  })();
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(appError(error).code).toBe("model_failed");
  expect(lines).toEqual(["One "]);
});

test("a reply that is larger than its bound is not read on", async () => {
  ollama = startFakeOllama({
    models: Array.from({ length: 500 }, (_, index) => ({ name: `model-${index}:latest` })),
  });
  const error = await clientOf(ollama.url, { replyBytesMax: 10_000 })
    .tags()
    .catch((thrown) => thrown);
  expect(appError(error).code).toBe("unavailable");
});
