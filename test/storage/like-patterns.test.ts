import { expect, test } from "bun:test";
import { likePatterns } from "../../src/storage/sqlite/substring-patterns.ts";

test("a text is looked for in each case that it may be written in, and its signs are letters", () => {
  expect(likePatterns("änderN")).toEqual(["%änderN%", "%ändern%", "%Ändern%", "%ÄNDERN%"]);
  expect(likePatterns("5%_\\")).toEqual(["%5\\%\\_\\\\%"]);
});
