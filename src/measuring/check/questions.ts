import type { EvalQuestion, System } from "../eval/question.ts";
import { pagesFor, pathShown } from "./findable.ts";
import type { Found } from "./finding.ts";

/** Questions that their owner keeps with the pages that answer them. */
export interface KeptQuestions {
  /** The file that they are in, as findings name it. */
  file: string;
  questions: readonly EvalQuestion[];
  /** The line of each question in its file, in the same order. */
  lines: readonly number[];
  /** Expected pages and sections that the docs do not have. */
  unknown: ReadonlySet<string>;
}

/** How a question was answered. */
export interface AskedQuestion {
  question: string;
  line: number;
  /** What it expects, as its file names it. */
  expected: string[];
  /** From 1, of the best expected page; undefined where none was found. */
  rank: number | undefined;
  /** What came before it, best first, or first where it was not found. */
  before: string[];
  relevance: number;
  /** Whether an expected page is among the first results, and the best passage relevant enough for an answer. */
  isAnswered: boolean;
}

interface Asking {
  system: System;
  /** Among so many pages the expected one must be. */
  results: number;
  /** The relevance from which docs cover a question. */
  relevanceMin: number;
  signal: AbortSignal;
  onProgress(done: number, all: number): void;
}

const BEFORE_MAX = 5;

/** Asks each question as a reader would. */
export async function askQuestions(
  { questions, lines }: KeptQuestions,
  { system, results, relevanceMin, signal, onProgress }: Asking,
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  for (const [index, { text, filter, pages }] of questions.entries()) {
    signal.throwIfAborted();
    onProgress(index, questions.length);
    const { paths, relevance } = await pagesFor(system, { text, filter });
    const at = paths.findIndex((path) => pages.has(path));
    asked.push({
      question: text,
      line: lines[index] ?? 1,
      expected: [...pages.keys()],
      rank: at < 0 ? undefined : at + 1,
      before: paths.slice(0, at < 0 ? BEFORE_MAX : Math.min(at, BEFORE_MAX)),
      relevance,
      isAnswered: at >= 0 && at < results && relevance >= relevanceMin,
    });
  }
  return asked;
}

/** What is found of questions that were asked. */
export function* questionFindings(
  { file, questions, lines, unknown }: KeptQuestions,
  asked: readonly AskedQuestion[],
  { results, relevanceMin }: { results: number; relevanceMin: number },
): Generator<Found, undefined> {
  for (const [index, { text, pages, sections }] of questions.entries())
    for (const place of [...pages.keys(), ...sections.keys()])
      if (unknown.has(place))
        yield {
          rule: "question-unknown-place",
          file,
          key: `${text}\n${place}`,
          line: lines[index],
          message: `"${text}" expects ${pathShown(place)}, which the docs do not have. Name the place that answers it now.`,
        };
  for (const { question, line, expected, rank, before, relevance, isAnswered } of asked) {
    // That the page is not there has been said.
    if (expected.every((place) => unknown.has(place))) continue;
    const wanted = expected.map(pathShown).join(" or ");
    const at = { file, key: question, line };
    if (rank === undefined || rank > results)
      yield {
        ...at,
        rule: "question-missed",
        message: `"${question}" should find ${wanted}, which ${rank === undefined ? "is not found" : `comes at place ${rank}`}: ${before.length === 0 ? "nothing is found" : `before it comes ${before.map(pathShown).join(", ")}`}. Say in that page what is asked, in the question's words, or expect the page that answers it better.`,
      };
    else if (!isAnswered)
      yield {
        ...at,
        rule: "question-refused",
        message: `"${question}" finds ${wanted} at place ${rank}, and would not be answered: its relevance is ${relevance.toFixed(2)} of the ${relevanceMin} that an answer needs. Say in that page what is asked, in the question's words.`,
      };
  }
}
