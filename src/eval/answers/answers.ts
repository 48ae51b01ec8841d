import { createSupport, supportOf } from "../../answer/support/support.ts";
import type { EvalQuestion } from "../question.ts";
import type { AnswerLine } from "./line.ts";
import { type AnswerScore, type AnswersReport, reportAnswers, type Supports, scoreAnswer } from "./scores.ts";

export { type AnswerLine, createAnswerLine } from "./line.ts";
export type { AnswersReport } from "./scores.ts";
export { answersTables } from "./tables.ts";

interface EvaluateAnswersOptions {
  signal: AbortSignal;
  onProgress?: (done: number) => void;
}

/** Asks every question twice: as it is, and as if the pages that answer it did not exist. */
export async function evaluateAnswers(
  line: AnswerLine,
  questions: readonly EvalQuestion[],
  { signal, onProgress }: EvaluateAnswersOptions,
): Promise<AnswersReport> {
  const scores: AnswerScore[] = [];
  for (const question of questions) {
    signal.throwIfAborted();
    const given = await line.ask(question, { without: false, signal });
    const without = await line.ask(question, { without: true, signal });
    scores.push(scoreAnswer(question, given, without, supports));
    onProgress?.(scores.length);
  }
  return reportAnswers(line.name, scores);
}

/**
 * Whether a passage carries a sentence by its words, or contains the code line by line: the test that answers
 * use themselves.
 */
const supports: Supports = ({ text: said, isCode }, { title, headings, text }) => {
  const passages = [{ number: 1, title, headings, text }];
  const found = isCode ? createSupport(passages).ofCode(said) : supportOf(said, passages);
  return found.length > 0;
};
