import { describe, expect, test } from "bun:test";
import { READERS } from "../growth/readers.ts";
import { wikis } from "../growth/wikis.ts";
import { WORDS } from "../growth/words.ts";
import { growthIn } from "../helpers/growth.ts";
import { mixed, seedOf, shareOf } from "../helpers/hostile-text.ts";

/** More of them, from another seed: FUZZ_ROUNDS=1000 FUZZ_SEED=7. Each mark by itself, which takes more than an hour: FUZZ_SHARES=1. */
const ROUNDS = Number(process.env["FUZZ_ROUNDS"] ?? 5);
const SHARES = Number(process.env["FUZZ_SHARES"] ?? 100);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1000);
const SIZES = { from: 32_000, to: 32_000 };
const LONGEST_MS = 3_600_000;

const all = Object.entries({ ...READERS, ...WORDS, ...(await wikis()) });

describe("hostile texts take no more than n·log n time", () => {
  test.each(all)(
    "as %s",
    async (name, work) => {
      const seed = SEED + seedOf(name);
      const texts = [...shareOf(`${name} ${SEED}`, SHARES), ...mixed(seed, ROUNDS)];
      expect(await growthIn(work, texts, SIZES)).toEqual([]);
    },
    LONGEST_MS,
  );
});
