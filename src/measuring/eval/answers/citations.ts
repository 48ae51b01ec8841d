import { type Sentence, sentencesOf, states } from "@docent/answering/answer/support/support";

/** A sentence or code block of an answer, with the numbers of the passages that it cites. */
export interface CitedSentence {
  sentence: Sentence;
  numbers: number[];
}

/** A citation as readers get it. Its address may contain what looks like the end of a sentence. */
const LINK = /\[\[(\d{1,3})\]\]\([^()\s]*\)/g;
const WORD = /[\p{L}\p{N}]/u;

/** An answer's citations, each with the sentence or code before it, where that says something. */
export function citedSentences(answer: string, language: string): CitedSentence[] {
  const found: CitedSentence[] = [];
  for (const sentence of sentencesOf(answer.replace(LINK, "[[$1]](/)"), language)) {
    const before = found.at(-1);
    // A citation below a code block, or in a paragraph of its own, belongs to what stands before it.
    if (!WORD.test(sentence.text) && before) before.numbers.push(...sentence.cites);
    else found.push({ sentence, numbers: [...sentence.cites] });
  }
  return found
    .filter(({ numbers, sentence }) => numbers.length > 0 && states(sentence))
    .map(({ sentence, numbers }) => ({ sentence, numbers: [...new Set(numbers)] }));
}
