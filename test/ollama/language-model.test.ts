import { afterEach, describe, expect, test } from "bun:test";
import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { streamText } from "ai";
import { chatOptions, promptRoomTokens } from "../../src/ollama/chat-options.ts";
import type { ModelInfo } from "../../src/ollama/models/model-info.ts";
import { createOllamaLanguageModel } from "../../src/ollama/responder/language-model.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import type { FakeReply } from "../helpers/fake-ollama-replies.ts";
import { appError, clientOf } from "./helpers.ts";

let ollama: FakeOllama;
afterEach(() => ollama?.stop());

const settings = { answerTokens: 512, thinking: false, keepAliveSeconds: 1800 };
const info: ModelInfo = {
  name: "tiny:latest",
  digest: "d",
  contextTokens: 4096,
  contextBecause: "4096 tokens of context, as set",
  weightsBytes: undefined,
  tokenizer: "unknown",
  vision: true,
  thinking: true,
  remote: false,
};
const prompt: LanguageModelV4Prompt = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "How?" }] },
];

function modelWith(reply: FakeReply = {}, thinking = false) {
  ollama = startFakeOllama({
    models: [{ name: "tiny:latest", capabilities: ["completion", "thinking"] }],
    reply,
  });
  return createOllamaLanguageModel(clientOf(ollama.url), chatOptions(info, { ...settings, thinking }));
}
async function partsOf(model: ReturnType<typeof modelWith>): Promise<LanguageModelV4StreamPart[]> {
  return Array.fromAsync((await model.doStream({ prompt })).stream);
}

describe("the fixed options", () => {
  test("are all sent, with every call, whatever Ollama's defaults are", async () => {
    await partsOf(modelWith());
    expect(ollama.chats[0]?.body).toMatchObject({
      model: "tiny:latest",
      stream: true,
      think: false,
      keep_alive: 1800,
      options: { num_ctx: 4096, num_predict: 512, temperature: 0.2, repeat_penalty: 1.1 },
    });
  });

  test("ask for thoughts only where they are wanted and the model has them", () => {
    expect(chatOptions(info, { ...settings, thinking: true }).think).toBe(true);
    expect(chatOptions(info, settings).think).toBe(false);
    expect(chatOptions({ ...info, thinking: false }, { ...settings, thinking: true }).think).toBe(false);
  });

  test("leave room for thoughts beside the answer", () => {
    expect(chatOptions(info, { ...settings, thinking: true }).options.num_predict).toBe(1024);
  });

  test("never give the answer more than half of a small context, and keep prompt and answer inside it", () => {
    const body = chatOptions({ ...info, contextTokens: 600 }, settings);
    expect(body.options.num_predict).toBe(300);
    expect(promptRoomTokens(body) + body.options.num_predict).toBe(body.options.num_ctx);
  });
});

test("the AI SDK's own streamText can drive it", async () => {
  const model = modelWith({ text: ["Run ", "make."], promptTokens: 50 });
  const { text, finishReason, usage } = streamText({ model, prompt: "How?" });
  expect(await text).toBe("Run make.");
  expect(await finishReason).toBe("stop");
  expect((await usage).inputTokens).toBe(50);
});

test("text is a block that opens and closes, and the end carries the counts", async () => {
  const parts = await partsOf(modelWith({ text: ["Run ", "make."], promptTokens: 50 }));
  expect(parts.map(({ type }) => type)).toEqual([
    "stream-start",
    "text-start",
    "text-delta",
    "text-delta",
    "text-end",
    "finish",
  ]);
  expect(parts.at(-1)).toMatchObject({
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 50 }, outputTokens: { total: 2 } },
  });
});

test("thoughts are a block of their own before the text", async () => {
  const parts = await partsOf(modelWith({ thinking: ["Hm."], text: "Yes." }, true));
  expect(parts.map(({ type }) => type)).toEqual([
    "stream-start",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-end",
    "text-start",
    "text-delta",
    "text-end",
    "finish",
  ]);
});

test("an answer that came to its longest says so", async () => {
  const parts = await partsOf(modelWith({ doneReason: "length" }));
  expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "length" } });
});

test("an error in mid-stream is an error part, after the text so far", async () => {
  const parts = await partsOf(modelWith({ text: ["One "], end: "error" }));
  const last = parts.at(-1);
  if (last?.type !== "error") throw new Error("no error part");
  expect(appError(last.error).code).toBe("model_failed");
  expect(parts.some((part) => part.type === "text-delta" && part.delta === "One ")).toBe(true);
});

test("pictures are sent as base64, and what Ollama cannot take is left out with a warning", async () => {
  const model = modelWith();
  const { stream } = await model.doStream({
    prompt: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: Uint8Array.of(1, 2, 3) } },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "BAUG" } },
          { type: "file", mediaType: "application/pdf", data: { type: "data", data: "BAUG" } },
        ],
      },
    ],
    topK: 5,
  });
  const [first] = await Array.fromAsync(stream);
  expect(ollama.chats[0]?.body.messages).toEqual([
    { role: "user", content: "What is this?", images: ["AQID", "BAUG"] },
  ]);
  expect(first).toEqual({
    type: "stream-start",
    warnings: [
      { type: "unsupported", feature: "file parts" },
      { type: "unsupported", feature: "topK" },
    ],
  });
});

test("a caller may ask for less than the fixed length, not for more", async () => {
  const model = modelWith();
  await Array.fromAsync((await model.doStream({ prompt, maxOutputTokens: 10, seed: 7 })).stream);
  await Array.fromAsync((await model.doStream({ prompt, maxOutputTokens: 99_999 })).stream);
  expect(ollama.chats.map(({ body }) => body.options)).toMatchObject([
    { num_predict: 10, seed: 7 },
    { num_predict: 512 },
  ]);
});

test("generating is streaming, collected", async () => {
  const result = await modelWith({ thinking: ["Hm. ", "So."], text: ["Run ", "make."] }, true).doGenerate({
    prompt,
  });
  expect(result.content).toEqual([
    { type: "reasoning", text: "Hm. So." },
    { type: "text", text: "Run make." },
  ]);
  expect(result.finishReason.unified).toBe("stop");
});

test("generating throws what streaming reports", async () => {
  const error = await modelWith({ end: "eof" })
    .doGenerate({ prompt })
    .then(
      () => undefined,
      (thrown) => thrown,
    );
  expect(appError(error).code).toBe("model_failed");
});

test("cancelling the stream reaches Ollama", async () => {
  const model = modelWith({ endless: true });
  const reader = (await model.doStream({ prompt })).stream.getReader();
  await reader.read();
  await reader.cancel();
  // The call may not have been sent yet; then there is nothing to abort.
  await ollama.until(() => ollama.chats.every((chat) => chat.aborted));
});
