import { expect, test } from "bun:test";
import { substringPatterns } from "../../src/storage/substring-patterns.ts";

test("a text is looked for in each case that it may be written in, and its signs are letters", () => {
  expect(substringPatterns("änderN")).toEqual(["%änderN%", "%ändern%", "%Ändern%", "%ÄNDERN%"]);
  expect(substringPatterns("5%_\\")).toEqual(["%5\\%\\_\\\\%"]);
});
