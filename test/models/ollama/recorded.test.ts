import { afterEach, describe, expect, test } from "bun:test";
import { psBody, showBody, tagsBody, versionBody } from "../../../src/models/ollama/client/wire.ts";
import { trainedContext } from "../../../src/models/ollama/models/model-info.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { recorded, recordings, shapeOf, valuesOf } from "../../helpers/fake-ollama-recorded.ts";
import type { FakeRefusal, FakeReply } from "../../helpers/fake-ollama-replies.ts";
import { appError, body, clientOf, drain, never, textOf } from "./helpers.ts";

let ollama: FakeOllama | undefined;
afterEach(() => ollama?.stop());

function start(reply: FakeReply = {}): FakeOllama {
  ollama = startFakeOllama({
    models: [{ name: "tiny:latest" }, { name: "minilm:latest", capabilities: ["embedding"], family: "bert" }],
    reply,
  });
  return ollama;
}

async function replyOf({ url }: FakeOllama, path: string, request?: unknown): Promise<FakeRefusal> {
  const init = request === undefined ? {} : { method: "POST", body: JSON.stringify(request) };
  const reply = await fetch(url + path, init);
  const contentType = reply.headers.get("content-type") ?? "";
  return { status: reply.status, contentType, body: await reply.text() };
}

/** What the kinds of lines of a reply are made of, each kind once. */
const kindsOf = (reply: FakeRefusal) => [
  ...new Set(
    valuesOf(reply).map((value) =>
      shapeOf(value)
        // A description lists them for a model that has some.
        .filter((line) => !/^(parameters|tensors)\b/.test(line))
        .join("\n"),
    ),
  ),
];

const CHAT = { ...body, model: "tiny" };

/** What is asked of the fake Ollama, and the reply of a real one to the like. */
const ALIKE: [recording: string, path: string, request: unknown][] = [
  ["chat-smollm2", "/api/chat", CHAT],
  ["chat-gemma3", "/api/chat", CHAT],
  ["chat-load", "/api/chat", { ...CHAT, messages: [] }],
  ["chat-unload", "/api/chat", { ...CHAT, messages: [], keep_alive: 0 }],
  ["embed", "/api/embed", { model: "minilm", input: ["one", "two"] }],
  ["embed-load", "/api/embed", { model: "minilm" }],
  ["ps", "/api/ps", undefined],
  ["tags", "/api/tags", undefined],
  ["version", "/api/version", undefined],
  ["show-smollm2", "/api/show", { model: "tiny" }],
  ["show-all-minilm", "/api/show", { model: "minilm" }],
  ["refused-model-missing", "/api/chat", { ...CHAT, model: "nothing" }],
  ["refused-show-model-missing", "/api/show", { model: "nothing" }],
  ["refused-embed-model-missing", "/api/embed", { model: "nothing", input: ["text"] }],
  ["refused-no-chat", "/api/chat", { ...CHAT, model: "minilm" }],
  ["refused-no-thinking", "/api/chat", { ...CHAT, think: true }],
  ["refused-embed-no-text", "/api/embed", { model: "minilm", input: [1] }],
  ["refused-path-unknown", "/api/nothing", {}],
  ["refused-method-wrong", "/api/chat", undefined],
];

describe("the fake Ollama replies as a real one did, key by key", () => {
  test.each(ALIKE)("%s", async (name, path, request) => {
    const server = start();
    if (path === "/api/ps") await replyOf(server, "/api/chat", CHAT);
    const fake = await replyOf(server, path, request);
    const real = recorded(name);
    expect([fake.status, fake.contentType]).toEqual([real.status, real.contentType]);
    expect(kindsOf(fake)).toEqual(kindsOf(real));
    if (valuesOf(real).length === 0) expect(fake.body).toBe(real.body);
  });

  test("a runner that dies in mid-answer", async () => {
    const fake = await replyOf(start({ end: "error" }), "/api/chat", CHAT);
    expect(kindsOf(fake)).toEqual(kindsOf(recorded("chat-runner-killed")));
  });
});

describe("the client reads what a real Ollama sent", () => {
  const ask = async (name: string) => {
    const { url } = start(recorded(name));
    return drain(clientOf(url, { attempts: 1 }).chat(body, never));
  };

  test.each(["chat-smollm2", "chat-gemma3"])("%s, to its last word", async (name) => {
    const { values, error } = await ask(name);
    expect(error).toBeUndefined();
    expect(textOf(values)).not.toBe("");
    expect(values.at(-1)).toMatchObject({ done: true, doneReason: "length", outputTokens: 6 });
  });

  test("an answer whose runner died: its beginning is kept, and it is no success", async () => {
    const { values, error } = await ask("chat-runner-killed");
    expect(textOf(values)).not.toBe("");
    expect(appError(error)).toMatchObject({ code: "model_failed", cause: { kind: "error_line" } });
  });

  test("a runner that died before its first word as unavailable, so that another one can be asked", async () => {
    const { values, error } = await ask("chat-killed-reading");
    expect(values).toEqual([]);
    expect(appError(error)).toMatchObject({ code: "unavailable", cause: { kind: "error_line" } });
  });

  test("an answer that broke off in a circle, without a last line: no success either", async () => {
    const { values, error } = await ask("chat-repeats");
    expect(values.length).toBeGreaterThan(25);
    expect(appError(error)).toMatchObject({ code: "model_failed", cause: { kind: "incomplete" } });
  });

  const refused = Object.entries(recordings())
    .filter(([name, { path }]) => name.startsWith("refused-") && path === "/api/chat")
    .map(([name, { status }]) => [name, status] as const);
  test.each(refused)("%s as unavailable, with its status", async (name, status) => {
    const { error } = await ask(name);
    expect(appError(error)).toMatchObject({ code: "unavailable", cause: { kind: "status", status } });
  });

  test("a queue that is full as busy", async () => {
    const { error } = await ask("refused-busy");
    expect(appError(error)).toMatchObject({ message: "The model is busy. Try again in a moment." });
    expect(appError(error).retryAfterSeconds).toBeNumber();
  });

  test("vectors, and texts that are too long for them", async () => {
    const { url, embedWith } = start();
    const asked = { model: "minilm", input: ["one", "two"], keep_alive: 60, options: { num_ctx: 512 } };
    const { embed } = clientOf(url, { attempts: 1 });
    const reply = (name: string) => {
      const { body: text, status, contentType } = recorded(name);
      return new Response(text, { status, headers: { "content-type": contentType } });
    };
    embedWith(() => reply("embed"));
    expect((await embed(asked, never)).map((vector) => vector.length)).toEqual([384, 384]);
    embedWith(() => reply("refused-embed-too-long"));
    const error = await embed(asked, never).catch((reason: unknown) => reason);
    expect(appError(error)).toMatchObject({ code: "unavailable", cause: { kind: "status", status: 400 } });
  });

  test("lists and descriptions, with all that is taken from them", () => {
    const read = (name: string) => valuesOf(recorded(name))[0];
    expect(versionBody.parse(read("version")).version).toBe("0.11.4");
    expect(tagsBody.parse(read("tags")).models.map(({ name, digest }) => [name, digest.length])).toEqual([
      ["all-minilm:latest", 64],
      ["gemma3:latest", 64],
      ["smollm2:latest", 64],
    ]);
    expect(psBody.parse(read("ps")).models).toMatchObject([{ name: "smollm2:latest", context_length: 1024 }]);
    for (const [name, capability, context] of [
      ["show-smollm2", "completion", 8192],
      ["show-gemma3", "completion", 32_768],
      ["show-all-minilm", "embedding", 512],
    ] as const) {
      const shown = showBody.parse(read(name));
      expect(shown.capabilities).toEqual([capability]);
      expect(trainedContext(shown)).toBe(context);
    }
  });
});
