import { expect, test } from "bun:test";
import { chatOptions, promptRoomTokens } from "../../../src/models/ollama/chat-options.ts";
import type { ModelInfo } from "../../../src/models/ollama/models/model-info.ts";

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
  opensThought: false,
  tools: false,
  remote: false,
};

test("everything that Ollama's defaults would decide is said", () => {
  expect(chatOptions(info, settings)).toEqual({
    model: "tiny:latest",
    think: false,
    keep_alive: 1800,
    options: { num_ctx: 4096, num_predict: 512, temperature: 0.2, repeat_penalty: 1.1 },
  });
});

test("thoughts are asked for only where they are wanted and the model has them", () => {
  expect(chatOptions(info, { ...settings, thinking: true }).think).toBe(true);
  expect(chatOptions(info, settings).think).toBe(false);
  expect(chatOptions({ ...info, thinking: false }, { ...settings, thinking: true }).think).toBe(false);
});

test("there is room for thoughts beside the answer", () => {
  expect(chatOptions(info, { ...settings, thinking: true }).options.num_predict).toBe(1024);
});

test("the answer never gets more than half of a small context, and prompt and answer stay inside it", () => {
  const body = chatOptions({ ...info, contextTokens: 600 }, settings);
  expect(body.options.num_predict).toBe(300);
  expect(promptRoomTokens(body) + body.options.num_predict).toBe(body.options.num_ctx);
});
