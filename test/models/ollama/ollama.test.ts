import { afterEach, describe, expect, test } from "bun:test";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { openOllama } from "../../../src/models/ollama/ollama.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { appError, drain, never, recordingLog } from "./helpers.ts";
import { plainRequest } from "./pool-helpers.ts";

let ollama: FakeOllama;
afterEach(() => ollama.stop());

function open(options?: FakeOllamaOptions, model = "auto", urls: string[] = [], clock = systemClock) {
  ollama = startFakeOllama(options);
  const { log, lines } = recordingLog();
  const opened = openOllama({
    seal: UNSEALED,
    settings: {
      ollama_host: ollama.url,
      ollama_urls: urls.map((url) => url.replace("PORT", `${ollama.port}`)),
      model,
      site_models: [],
      thinking: "off",
      context_tokens: 4096,
      answer_tokens: 512,
      passage_tokens: 1000,
      passage_seconds: 20,
      keep_alive_seconds: 1800,
      model_slots: 1,
      queue_length: 5,
      queue_seconds: 3600,
      connect_seconds: 3600,
      first_byte_seconds: 3600,
      idle_seconds: 3600,
    },
    buildPrompt: () => ({ system: "", messages: [{ role: "user", content: "?" }], tokensEstimated: 10 }),
    clock,
    log,
  });
  return { opened, lines };
}

test("nothing is sent until it is used", () => {
  open();
  expect(ollama.requests).toEqual([]);
});

test("a question is answered with what the settings say", async () => {
  const { opened } = open();
  const { error } = await drain(opened.responder.respond(plainRequest, never));
  expect(error).toBeUndefined();
  expect(ollama.chats[0]?.body).toMatchObject({
    think: false,
    keep_alive: 1800,
    options: { num_ctx: 4096, num_predict: 512 },
  });
});

test("without an Ollama it says why, and what to do", async () => {
  const { opened, lines } = open();
  await ollama.stop();
  expect(await opened.describe()).toMatchObject({
    model: undefined,
    reason: `No Ollama answers at ${ollama.url}.`,
    hint: expect.stringContaining("ollama serve"),
  });
  expect(lines).toEqual([]);
});

test("it says who answers, and where", async () => {
  const { opened } = open({ models: [{ name: "seer:latest", capabilities: ["completion", "vision"] }] });
  expect(await opened.describe()).toMatchObject({
    model: "seer:latest",
    says: `4096 tokens of context, as set, sees pictures, at ${ollama.url}`,
  });
});

test("a model that is named, and runs on another machine, is called that", async () => {
  const { opened } = open(
    { models: [{ name: "big:cloud", remoteHost: "https://ollama.com:443" }] },
    "big:cloud",
  );
  expect(await opened.describe()).toMatchObject({ says: expect.stringContaining("ANOTHER MACHINE") });
});

test("servers are named in every form that Ollama accepts, and one that is named twice is one", () => {
  const { opened } = open({}, "auto", [
    "127.0.0.1:PORT",
    "http://127.0.0.1:PORT/",
    '"0.0.0.0:PORT"',
    "ollama.internal",
    "https://gpu.internal/ollama/",
  ]);
  expect(opened.servers.map(({ baseUrl }) => baseUrl)).toEqual([
    ollama.url,
    "http://ollama.internal:11434",
    "https://gpu.internal/ollama",
  ]);
});

test("a server that is no address is refused by the name of its setting, without its password", () => {
  const error = (() => {
    try {
      return open({}, "auto", ["127.0.0.1:PORT", "ftp://ann:secret@gpu"]);
    } catch (thrown) {
      return appError(thrown);
    }
  })();
  expect(error).toMatchObject({ code: "invalid_request", message: expect.stringContaining("ollama_urls") });
  expect(JSON.stringify(error)).not.toContain("secret");
});

test("of several servers each one is described, and the first that can answer stands for all", async () => {
  const { opened } = open({ models: [{ name: "tiny:latest" }] }, "auto", ["127.0.0.1:1", "127.0.0.1:PORT"]);
  expect(await opened.describe()).toMatchObject({
    model: "tiny:latest",
    servers: [
      { url: "http://127.0.0.1:1", model: undefined, reason: "No Ollama answers at http://127.0.0.1:1." },
      { url: ollama.url, model: "tiny:latest" },
    ],
  });
});

describe("with the model auto, several servers answer with the same one", () => {
  const other = (models: { name: string }[]) => startFakeOllama({ models });
  const modelsOf = async (mine: string[], others: string[]) => {
    const second = other(others.map((name) => ({ name })));
    try {
      const models = mine.map((name) => ({ name }));
      const { opened } = open({ models }, "auto", ["127.0.0.1:PORT", second.url]);
      return (await opened.describe()).servers.map(({ model }) => model);
    } finally {
      await second.stop();
    }
  };

  test("the first server's choice, where the others have it", async () => {
    expect(await modelsOf(["b:latest", "a:latest"], ["a:latest", "b:latest"])).toEqual([
      "b:latest",
      "b:latest",
    ]);
  });

  test("each its own, where they have not", async () => {
    expect(await modelsOf(["b:latest"], ["a:latest"])).toEqual(["b:latest", "a:latest"]);
  });

  test("and go on with it when the first is away", async () => {
    let now = 0;
    const second = other([{ name: "a:latest" }, { name: "b:latest" }]);
    const { opened } = open(
      { models: [{ name: "b:latest" }] },
      "auto",
      ["127.0.0.1:PORT", second.url],
      () => now,
    );
    await opened.describe();
    await ollama.stop();
    now = 60_000;
    expect((await opened.describe()).servers.map(({ model }) => model)).toEqual([undefined, "b:latest"]);
    await second.stop();
  });
});
