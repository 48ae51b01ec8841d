import { describe, expect, test } from "bun:test";
import {
  goldsInPassages,
  holdAnswer,
  measurePacking,
  sentenceWith,
  totalOf,
} from "../../scripts/bench/packing.ts";
import { tokensAtMost } from "../../src/models/ollama/tokens/count.ts";
import { numberedPassage, responderRequest } from "../helpers/responder-request.ts";

const FILLER = "The weather was fine on that day and nobody in the office thought of anything else. ".repeat(
  10,
);
const BUDGET = { tokens: 10_000, passageTokens: 110, count: tokensAtMost };
const PASSAGES = [
  numberedPassage(1, `${FILLER} Retention lasts <b>90</b> days.`),
  numberedPassage(2, `${FILLER} Nobody asks\nfor Ann.`, { relevance: 0.2 }),
];

describe("what packing loses", () => {
  test("is told by the sentences that answer, sentence by sentence, however their white space is", async () => {
    const stretches = ["Retention lasts\n<b>90</b> days. Nobody asks for Ann. It is not there at all."];
    const golds = goldsInPassages(stretches, PASSAGES, "en");
    expect(golds).toEqual([
      { text: "Retention lasts <b>90</b> days.", passages: [1] },
      { text: "Nobody asks for Ann.", passages: [2] },
    ]);
    const request = responderRequest({ question: "How long is retention?", passages: PASSAGES });
    const result = await measurePacking({ request, golds }, BUDGET);
    expect(result).toMatchObject({ golds: 2, kept: 1, goldCharacters: 45, keptCharacters: 28 });
    expect(result.packedTokens).toBeLessThan(result.naiveTokens / 2);
  });

  test("counts a sentence as kept only in a passage that has it", async () => {
    const request = responderRequest({ question: "How long is retention?", passages: PASSAGES });
    const golds = [{ text: "Retention lasts <b>90</b> days.", passages: [2] }];
    expect((await measurePacking({ request, golds }, BUDGET)).kept).toBe(0);
  });

  test("is not judged where several sentences have the answer", () => {
    const sentence = (text: string) => sentenceWith("four", numberedPassage(1, text), "en")?.text;
    expect(sentence("He intercepted four balls. She liked it very much.")).toBe("He intercepted four balls.");
    expect(sentence("He intercepted four balls. She liked four of them.")).toBeUndefined();
    expect(sentence("She liked it very much.")).toBeUndefined();
  });

  test("is told by an answer's words, where the answer is in words of its own", async () => {
    const request = responderRequest({ question: "How long is retention?", passages: PASSAGES });
    const keptOf = async (answer: string) =>
      (await measurePacking({ request, golds: [], answer }, BUDGET)).kept;
    expect(await keptOf("The retention is 90 days")).toBe(1);
    expect(await keptOf("Nobody asks for Ann")).toBe(0);
    expect(holdAnswer(["Retention lasts", "90 days"], "90 days of retention")).toBe(true);
    expect(holdAnswer(["Retention lasts 80 days"], "90 days")).toBe(false);
  });

  test("is summed over questions", () => {
    const half = {
      naiveTokens: 100,
      packedTokens: 50,
      golds: 2,
      kept: 1,
      goldCharacters: 10,
      keptCharacters: 8,
    };
    const all = {
      naiveTokens: 100,
      packedTokens: 30,
      golds: 2,
      kept: 2,
      goldCharacters: 10,
      keptCharacters: 10,
    };
    expect(totalOf([half, all])).toEqual({
      questions: 2,
      ratio: 0.4,
      goldShare: 0.75,
      questionShare: 0.75,
      characterShare: 0.9,
      wholeShare: 0.5,
    });
  });
});
