import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { analyze } from "../../../src/finding/search/analyze.ts";

const TEXTS = 20;
const TEXT_BYTES = 1_000_000;

test("a word that is remembered does not keep the text in memory that it was cut out of", () => {
  const filler = "word ".repeat(TEXT_BYTES / 5);
  const kept = () => {
    Bun.gc(true);
    return heapStats().extraMemorySize;
  };
  const before = kept();
  for (let text = 0; text < TEXTS; text++) analyze(`${filler} Configuration${text}Setting`);
  expect(kept() - before).toBeLessThan(3 * TEXT_BYTES);
});
