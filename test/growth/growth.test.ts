import { describe, expect, test } from "bun:test";
import { growthIn, QUICK_SIZES } from "../helpers/growth.ts";
import { mixed, SINGLE } from "../helpers/hostile-text.ts";
import { READERS } from "./readers.ts";
import { wikis } from "./wikis.ts";
import { WORDS } from "./words.ts";

/** All of them, of more kinds and larger, are in test/slow/growth.slow.ts. */
const SEED = 1;
/** Every so manieth mark by itself, another share of them for each of what is read. */
const SHARE = 40;
const MIXED = 8;

const all = Object.entries({ ...READERS, ...WORDS, ...(await wikis()) });

describe("hostile texts take no more than n·log n time", () => {
  test.each(all)("as %s", async (name, work) => {
    const at = all.findIndex(([each]) => each === name);
    const single = SINGLE.filter((_, index) => index % SHARE === at % SHARE);
    const found = await growthIn(work, [...single, ...mixed(SEED + at, MIXED)], QUICK_SIZES);
    expect(found).toEqual([]);
  });
});
