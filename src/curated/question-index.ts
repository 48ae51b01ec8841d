import { letOthersRun } from "../lib/event-loop.ts";
import { compareQuestions } from "./compare-questions.ts";
import { exactForm, ignoredWords, type ReadQuestion, readQuestion } from "./questions/questions.ts";

/** A question that an answer is for. */
export interface Variant<Answer> {
  answer: Answer;
  question: ReadQuestion;
}

/** A variant that has much of a question's words, and how much: 1 where they are the same. */
export interface Likeness<Answer> {
  answer: Answer;
  /** The variant, as its author wrote it. */
  question: string;
  words: number;
  isExact: boolean;
}

const ANSWERS_AT_ONCE = 20;

/** Finds among all variants those that share most words with a question. */
export type QuestionIndex<Answer> = (question: string, wordsMin: number) => Likeness<Answer>[];

/** Reads the questions of answers once, so that each that is asked looks only at those that have its words. */
export async function createQuestionIndex<Answer extends { questions: string[] }>(
  answers: Answer[],
  siteName: string,
): Promise<QuestionIndex<Answer>> {
  const ignored = ignoredWords(siteName);
  const variants: Variant<Answer>[] = [];
  for (const [index, answer] of answers.entries()) {
    // Thousands of questions take a while to read: what is streamed meanwhile goes on.
    if (index % ANSWERS_AT_ONCE === ANSWERS_AT_ONCE - 1) await letOthersRun();
    for (const text of answer.questions) variants.push({ answer, question: readQuestion(text, ignored) });
  }
  const exact = Map.groupBy(variants, ({ question }) => question.exact);
  const having = new Map<string, Variant<Answer>[]>();
  for (const variant of variants)
    for (const term of variant.question.terms.keys()) {
      const others = having.get(term);
      if (others) others.push(variant);
      else having.set(term, [variant]);
    }

  /** Who has too few of a question's rarest words cannot have enough of all of them. */
  function candidates({ terms }: ReadQuestion, wordsMin: number): Set<Variant<Answer>> {
    const all = [...terms.values()].reduce((sum, weight) => sum + weight, 0);
    const spare = all * (1 - Math.sqrt(wordsMin));
    const rarestFirst = [...terms].toSorted(
      ([a], [b]) => (having.get(a)?.length ?? 0) - (having.get(b)?.length ?? 0),
    );
    const found = new Set<Variant<Answer>>();
    let missed = 0;
    for (const [term, weight] of rarestFirst) {
      for (const variant of having.get(term) ?? []) found.add(variant);
      missed += weight;
      if (missed > spare) break;
    }
    return found;
  }

  return (text, wordsMin) => {
    if (variants.length === 0) return [];
    const same = exact.get(exactForm(text)) ?? [];
    if (same.length > 0) return same.map((variant) => toLikeness(variant, 1, true));
    const asked = readQuestion(text, ignored);
    return [...candidates(asked, wordsMin)]
      .map((variant) => toLikeness(variant, compareQuestions(asked, variant.question), false))
      .filter(({ words }) => words > 0 && words >= wordsMin)
      .sort((a, b) => b.words - a.words);
  };
}

function toLikeness<Answer>(
  { answer, question }: Variant<Answer>,
  words: number,
  isExact: boolean,
): Likeness<Answer> {
  return { answer, question: question.text, words, isExact };
}
