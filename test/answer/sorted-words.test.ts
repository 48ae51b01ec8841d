import { expect, test } from "bun:test";
import { isAmong, sortedWords } from "../../src/answer/sorted-words.ts";

test("of any words each is found, and no other", () => {
  const words = ["über", "b", "a", "b", "10", "9", "", "Z", "日本", "𝒳", "z"];
  for (let count = 0; count <= words.length; count++) {
    const some = words.slice(0, count);
    const sorted = sortedWords(some);
    expect(sorted.length).toBe(new Set(some).size);
    for (const word of [...words, "c", "aa", "日"]) expect(isAmong(sorted, word)).toBe(some.includes(word));
  }
});
