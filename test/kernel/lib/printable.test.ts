import { expect, test } from "bun:test";
import { printable, printableJson, printableLine } from "../../../src/kernel/lib/printable.ts";

/** Of everything that Unicode has, what a terminal may obey or nobody sees. */
const DANGEROUS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const KEPT = new Set("\n\t\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2");

function everyCharacter(): string[] {
  const all: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) all.push(String.fromCodePoint(code));
  return all;
}

test("of every character there is, none is left that a terminal would obey, and the others are as they were", () => {
  for (const character of everyCharacter()) {
    const shown = printable(character);
    if (KEPT.has(character) || !DANGEROUS.test(character)) {
      if (shown !== character) throw new Error(`${JSON.stringify(character)} became ${shown}`);
    } else if (DANGEROUS.test(shown)) throw new Error(`${JSON.stringify(character)} is left`);
  }
});

test("a line has no character that would end it or move in it", () => {
  for (const character of ["\n", "\r", "\t", "\r\n", "\u2028", "\u2029", "\u0085", "\v", "\f"])
    expect(printableLine(`a${character}b`)).not.toMatch(/[\n\r\t\u2028\u2029\u0085\v\f]/);
  expect(printableLine("two\r\n\r\nlines")).toBe("two lines");
});

test.each([
  ["\u001b]0;title\u0007", "\\u001b]0;title\\u0007"],
  ["\u009b31m", "\\u009b31m"],
  ["user\u202etxt.exe", "user\\u202etxt.exe"],
  ["\u2066a\u2069", "\\u2066a\\u2069"],
  ["\ud800", "\\ud800"],
  ["\u{e0041}", "\\udb40\\udc41"],
  ["one\r\ntwo", "one\ntwo"],
  ["hidden\rshown", "hidden\\u000dshown"],
  ["soft\u00adhyphen and\u200b none", "softhyphen and none"],
  ["👩‍👩‍👧", "👩‍👩‍👧"],
  ["نامه‌ای", "نامه‌ای"],
])("%j is shown as %s", (text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(printable(shown)).toBe(shown);
});

test("JSON has the same value, and nothing in it that a terminal would obey", () => {
  const text = everyCharacter()
    .filter((character) => DANGEROUS.test(character))
    .join("x");
  const json = printableJson(JSON.stringify({ [text]: text }, null, 2));
  expect(json.replaceAll("\n", "")).not.toMatch(DANGEROUS);
  expect(JSON.parse(json)).toEqual({ [text]: text });
});
