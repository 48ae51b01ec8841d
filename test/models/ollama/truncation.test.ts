import { expect, test } from "bun:test";
import { checkPromptSize } from "../../../src/models/ollama/responder/ask-server.ts";

const sizes = { contextTokens: 8192, answerTokens: 1024 };

test("a prompt that was read as estimated fits", () => {
  expect(checkPromptSize({ ...sizes, promptTokens: 3000, estimatedTokens: 3500 })).toBe("fits");
});

test("a prompt that fills the whole context was cut", () => {
  expect(checkPromptSize({ ...sizes, promptTokens: 8190, estimatedTokens: 6900 })).toBe("truncated");
});

test("a prompt that came out at half the context, far below the estimate, was cut as new versions cut", () => {
  expect(checkPromptSize({ ...sizes, promptTokens: 4097, estimatedTokens: 6900 })).toBe("truncated");
});

test("a prompt that really was about half the context was not cut", () => {
  expect(checkPromptSize({ ...sizes, promptTokens: 4097, estimatedTokens: 4500 })).toBe("fits");
});

test("a prompt that leaves too little room for the answer was estimated too low", () => {
  expect(checkPromptSize({ ...sizes, promptTokens: 7500, estimatedTokens: 6900 })).toBe("crowded");
});
