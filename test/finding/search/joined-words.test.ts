import { expect, test } from "bun:test";
import { JoinedWords } from "../../../src/finding/search/joined-words.ts";

test("sorted words have each word once, and no other", () => {
  const words = ["über", "b", "a", "b", "10", "9", "", "Z", "日本", "𝒳", "ab", "z"];
  for (let count = 0; count <= words.length; count++) {
    const some = words.slice(0, count);
    const sorted = new JoinedWords(some);
    expect([...sorted]).toEqual([...new Set(some)].sort());
    expect(sorted.size).toBe(new Set(some).size);
    for (const word of [...words, "c", "aa", "日", "1"]) expect(sorted.has(word)).toBe(some.includes(word));
  }
});

test("those of sorted words that begin alike are found, and no other", () => {
  const sorted = new JoinedWords(["index", "indexes", "in", "reindex", "インデックス", "i"]);
  expect([...sorted.beginningWith("index")]).toEqual(["index", "indexes"]);
  expect([...sorted.beginningWith("イン")]).toEqual(["インデックス"]);
  expect([...sorted.beginningWith("x")]).toEqual([]);
  expect([...new JoinedWords([]).beginningWith("")]).toEqual([]);
});
