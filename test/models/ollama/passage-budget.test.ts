import { expect, test } from "bun:test";
import { passageTokens } from "../../../src/models/ollama/responder/fit-prompt.ts";
import { createTokenMeters } from "../../../src/models/ollama/tokens/tokens.ts";

const BY_ITSELF = { tokens: 0, seconds: 20 };

test("a model whose speed is not known reads half of the room for the prompt", () => {
  expect(passageTokens(BY_ITSELF, 6400, undefined)).toBe(3200);
});

test("a slow one reads what it can in the time that is set, and a thousand tokens in any case", () => {
  expect(passageTokens(BY_ITSELF, 6400, 100)).toBe(2000);
  expect(passageTokens(BY_ITSELF, 6400, 20)).toBe(1000);
  expect(passageTokens(BY_ITSELF, 1200, 20)).toBe(600);
  expect(passageTokens(BY_ITSELF, 6400, 5000)).toBe(3200);
});

test("a number that the operator sets holds, whatever the speed", () => {
  expect(passageTokens({ tokens: 5000, seconds: 20 }, 6400, 20)).toBe(5000);
});

test("the speed is the middle of the last ones, of prompts that are long enough to tell", () => {
  const meter = createTokenMeters()({ name: "tiny", digest: "a", tokenizer: "bpe-large" });
  expect(meter.readTokensPerSecond()).toBeUndefined();
  meter.learn(50, 50, 1);
  meter.learn(500, 500, undefined);
  expect(meter.readTokensPerSecond()).toBeUndefined();
  for (const ms of [5000, 4000, 10]) meter.learn(500, 500, ms);
  expect(meter.readTokensPerSecond()).toBe(125);
});
