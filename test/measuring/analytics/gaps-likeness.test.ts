import { expect, test } from "bun:test";
import { type ReadQuestion, readQuestion } from "../../../src/answering/curated/questions/questions.ts";
import { createGapIndex } from "../../../src/measuring/gaps/likeness.ts";

const PHRASE = "exporting the yearly report to a spreadsheet";
const { signal } = new AbortController();
const byWords = async () => undefined;

/** Counts how often the question is compared with others. */
function watched(text: string, onCompare: () => void): ReadQuestion {
  const question = readQuestion(text, new Set());
  return Object.defineProperty({ ...question }, "exact", {
    get() {
      onCompare();
      return question.exact;
    },
  });
}

test("however many questions share words, a new one is compared with few of them, and finds the one most like it", async () => {
  const index = createGapIndex();
  let compared = 0;
  for (let number = 0; number < 3000; number++) {
    const own = number === 1500 ? "zebra quokka" : `thing${number} other${number}`;
    index.add({ gapId: `gap ${number}`, question: watched(`${own} ${PHRASE}`, () => compared++) });
  }
  compared = 0;
  const asked = readQuestion(`${PHRASE} for a quokka, zebra`, new Set());
  expect(await index.find(asked, byWords, signal)).toBe("gap 1500");
  expect(compared).toBeLessThan(1000);
});
