import { describe, expect, test } from "bun:test";
import { snippet } from "../../../src/kernel/text/snippet.ts";
import { estimateTokens } from "../../../src/reading/markdown/passages/tokens.ts";

describe("snippet", () => {
  test.each([
    ["a short text", 50, "a short text"],
    ["  many\n\n lines \t here ", 50, "many lines here"],
    ["the quick brown fox", 12, "the quick…"],
    ["the quick brown fox", 10, "the quick…"],
    ["exactly", 7, "exactly"],
    ["unbreakablelongword", 8, "unbreak…"],
    ["安装指南在这里可以找到", 6, "安装指南在…"],
    ["a", 0, ""],
    ["", 10, ""],
  ])("of %j in %d characters is %j", (text, max, expected) => {
    expect(snippet(text, max)).toBe(expected);
  });

  test("of a long text is that of all of it, wherever its spaces stand", () => {
    const words = "the quick brown fox jumps over the lazy dog";
    for (const between of [" ", "  ", "\n\n\n", " ".repeat(40)]) {
      const text = `${between}${words.replaceAll(" ", between)}${between}`;
      for (let max = 1; max < 50; max++) expect(snippet(text, max)).toBe(snippet(words, max));
    }
  });

  test("never cuts a character in half and never exceeds its bound", () => {
    const text = "😀".repeat(20);
    for (let max = 1; max < 40; max++) {
      const cut = snippet(text, max);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(max);
    }
  });
});

describe("estimated tokens", () => {
  test("count Latin words at about 3.5 characters, code at about 3, ideographs one by one", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("a".repeat(35))).toBe(10);
    const code = "const total = items.map((item) => item.price * 2).reduce(add, 0);";
    expect(code.length / estimateTokens(code)).toBeWithin(2.5, 3.2);
    expect(estimateTokens("安装指南")).toBe(4);
  });
});
