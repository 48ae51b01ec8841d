import { createSupport, supportOf } from "@docent/answering/answer/support/support";
import type { EvalQuestion } from "../question.ts";
import { share, type Table } from "../tables.ts";
import type { AnswerLine } from "./line.ts";
import {
  type AnswerScore,
  type AnswersReport,
  reportAnswers,
  type Share,
  type Supports,
  scoreAnswer,
} from "./scores.ts";

export { type AnswerLine, createAnswerLine } from "./line.ts";
export type { AnswersReport } from "./scores.ts";

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

/** Tables of how responders did: what they answered, refused and cited, and what it took. */
export function answersTables(reports: readonly AnswersReport[]): Table[] {
  const table = (title: string, columns: Record<string, (report: AnswersReport) => string>): Table => ({
    title,
    heads: ["", ...Object.keys(columns)],
    rows: reports.map((report) => [report.name, ...Object.values(columns).map((show) => show(report))]),
  });
  return [
    table("answered and refused", {
      questions: ({ questions }) => String(questions),
      "its page among the passages": ({ pageFound }) => withError(pageFound),
      "answered, its page there": ({ answered }) => withError(answered),
      "refused, its page taken out": ({ refused }) => withError(refused),
      failed: ({ failed }) => String(failed),
    }),
    table("citations", {
      "answers that cite its page": ({ pageCited }) => withError(pageCited),
      "and its section or words": ({ placeCited }) => withError(placeCited),
      "citations of its page": ({ citedRight }) => counted(citedRight),
      "citations that say the sentence": ({ supported }) => counted(supported),
    }),
    table("what they say", {
      "hold the answer that is known": ({ holdsAnswer }) => withError(holdsAnswer),
      "characters, median": ({ characters }) => whole(characters),
      "with a fragment": ({ hasFragment }) => counted(hasFragment),
      "that repeat themselves": ({ repeats }) => counted(repeats),
      "with markup": ({ hasMarkup }) => counted(hasMarkup),
    }),
    table("what it took, medians", {
      "prompt tokens": ({ promptTokens }) => whole(promptTokens),
      "first text ms": ({ firstTextMs }) => whole(firstTextMs),
    }),
  ];
}

/** A share with its standard error, which comes from the limited number of questions. */
function withError({ share: value, of }: Share): string {
  return of === 0 ? "-" : `${share(value)} ±${share(Math.sqrt((value * (1 - value)) / of))}`;
}

const counted = ({ share: value, of }: Share) => (of === 0 ? "-" : `${share(value)} of ${of}`);
const whole = (value: number | undefined) => (value === undefined ? "-" : String(Math.round(value)));
