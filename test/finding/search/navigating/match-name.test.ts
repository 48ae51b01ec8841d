import { expect, test } from "bun:test";
import { type How, matchName } from "../../../../src/finding/search/navigating/match-name.ts";
import { formsOf } from "../../../../src/finding/search/navigating/names.ts";
import { readTyped } from "../../../../src/finding/search/navigating/typed.ts";

/** How a name has what was typed; undefined where it does not. */
function how(text: string, name: string, isUnfinished = true): How | undefined {
  const typed = readTyped(text, isUnfinished);
  return typed && matchName(typed, formsOf(name))?.how;
}

test("only the last word may be unfinished, only while one types, and not behind a space", () => {
  expect(how("frozen lock", "Frozen lockfile")).toBeDefined();
  expect(how("froz lockfile", "Frozen lockfile")).toBeUndefined();
  expect(how("frozen lock", "Frozen lockfile", false)).toBeUndefined();
  expect(how("frozen lock ", "Frozen lockfile")).toBeUndefined();
});

test("a name is whole without its arguments, and not without what follows them", () => {
  expect(how("get paths", "getPaths(options) -> list")).toBe(how("get paths", "Get paths"));
  expect(how("get paths", "getPaths(options)")).toBe(how("get paths", "Get paths"));
  expect(how("get paths", "getPaths() is required")).not.toBe(how("get paths", "Get paths"));
});

test("each of several names of one thing is a name of it", () => {
  for (const name of ["--prod", "-P", "prod"]) expect(how(name, "--prod, -P")).toBe(how("a", "a"));
});

test("a word in another form is found, a part of a word is not", () => {
  expect(how("mount storage", "Mounting storage")).toBeDefined();
  expect(how("out", "Timeout")).toBeUndefined();
  expect(how("out", "timeOut")).toBeDefined();
});

test("names are alike with accents and without, in any script", () => {
  expect(how("parametres", "Paramètres")).toBe(how("a", "a"));
  expect(how("安装", "安装服务器")).toBeDefined();
});

test("more than four words, a question word before others, and a question mark ask something", () => {
  for (const text of ["one two three four five", "how install", "Wie installieren", "install?", "  ", "--"])
    expect(readTyped(text, true)).toBeUndefined();
  for (const text of ["why", "one two three four", "installer"]) expect(readTyped(text, true)).toBeDefined();
});
