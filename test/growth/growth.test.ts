import { describe, expect, test } from "bun:test";
import { growthIn, QUICK_SIZES, type Work } from "../helpers/growth.ts";
import { mixed, opened, run, seedOf, shareOf, spaced } from "../helpers/hostile-text.ts";
import { READERS } from "./readers.ts";
import { wikis } from "./wikis.ts";
import { WORDS } from "./words.ts";

/** Larger ones, and other shares of the marks, are in test/slow/growth.slow.ts. */
/** Every so manieth mark by itself, another share of them for each of what is read. */
const SHARE = 50;
const MIXED = 6;

const works: Readonly<Record<string, Work>> = { ...READERS, ...WORDS, ...(await wikis()) };

/** What once took time that grew with the square of the text or faster; on no ordinary page. */
const ONCE_SLOW = {
  "a question": [opened("'''", "~~''''"), run("a-")],
  "an answer's citations": [spaced("~~~\n")],
  "an answer's support": [spaced("&"), run("!a "), run(":")],
  "a model's thoughts": [spaced("a")],
  "mkdocs-literate": [spaced("# ")],
  bookdown: [spaced("~~~a\n")],
  mediawiki: [spaced("#REDIRECT")],
  hugo: [spaced("{{<")],
  "hugo's shortcodes": [spaced("{{-"), run("a{{")],
};
const LARGER_SIZES = { from: 2_000, to: 32_000 };

describe("hostile texts take no more than n·log n time", () => {
  test.each(Object.entries(works))("as %s", async (name, work) => {
    const texts = [...shareOf(name, SHARE), ...mixed(seedOf(name), MIXED)];
    expect(await growthIn(work, texts, QUICK_SIZES)).toEqual([]);
  });

  test.each(Object.entries(ONCE_SLOW))("as %s, of marks that were slow", async (name, texts) => {
    const work = works[name];
    if (work === undefined) throw new Error(`nothing is called ${name}`);
    expect(await growthIn(work, texts, LARGER_SIZES)).toEqual([]);
  });
});
