import { afterEach, expect, test } from "bun:test";
import { systemClock } from "../../src/lib/clock.ts";
import { openOllama } from "../../src/ollama/ollama.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../helpers/fake-ollama.ts";
import { drain, never, recordingLog } from "./helpers.ts";

let ollama: FakeOllama;
afterEach(() => ollama.stop());

function open(options?: FakeOllamaOptions, model = "auto") {
  ollama = startFakeOllama(options);
  const { log, lines } = recordingLog();
  const opened = openOllama({
    settings: {
      host: ollama.url,
      model,
      thinking: false,
      contextTokens: 4096,
      answerTokens: 512,
      keepAliveSeconds: 1800,
      slots: 1,
      queueLength: 5,
      queueMs: 10_000,
      connectMs: 5000,
      firstByteMs: 10_000,
      idleMs: 10_000,
    },
    buildPrompt: () => ({ system: "", messages: [{ role: "user", content: "?" }], tokensEstimated: 10 }),
    clock: systemClock,
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
  const question = {
    question: "?",
    asker: { siteId: 1, reader: "reader" },
    instructions: "",
    notCovered: "The documentation doesn't cover this.",
    siteName: "",
    language: "en",
    quoting: "",
    history: [],
    passages: [],
    contexts: [],
    images: [],
  };
  const { error } = await drain(opened.responder.respond(question, never));
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
  expect(await opened.describe()).toEqual({
    model: undefined,
    reason: `No Ollama answers at ${ollama.url}.`,
    hint: expect.stringContaining("ollama serve"),
  });
  expect(lines).toEqual([]);
});

test("it says who answers, and where", async () => {
  const { opened } = open({ models: [{ name: "seer:latest", capabilities: ["completion", "vision"] }] });
  expect(await opened.describe()).toEqual({
    model: "seer:latest",
    says: `4096 tokens of context, sees pictures, at ${ollama.url}`,
  });
});

test("a model that is named, and runs on another machine, is called that", async () => {
  const { opened } = open(
    { models: [{ name: "big:cloud", remoteHost: "https://ollama.com:443" }] },
    "big:cloud",
  );
  expect(await opened.describe()).toMatchObject({ says: expect.stringContaining("ANOTHER MACHINE") });
});
