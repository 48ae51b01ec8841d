import { ANSWER_WHEN, type AnswerWhen, RELEVANCE_OF } from "@docent/finding/search/search";
import type { EvalQuestion, Ranked, System } from "../question.ts";
import { mean } from "../scores.ts";
import everydayQuestions from "./everyday-questions.txt" with { type: "text" };

/** The effect of one threshold. */
interface GateStep {
  threshold: number;
  /** The share of questions that pass while their page is there. */
  answered: number;
  /** The share that pass with their page taken out. */
  unanswerable: number;
}

/** The mistakes that one choice of `answer_when` makes. */
interface GateChoice {
  answerWhen: AnswerWhen;
  /** The share of questions that are declined although their page is there. */
  wronglyDeclined: number;
  /** The share that are answered although their page was taken out. */
  wronglyAnswered: number;
  /** The share of everyday questions, which have nothing to do with the docs, that are answered. */
  everydayAnswered: number;
}

/** How well the best passage's relevance predicts whether the docs answer. */
export interface GateReport {
  questions: number;
  choices: GateChoice[];
  steps: GateStep[];
  /** How often an answerable question has the higher relevance of a pair; .5 is chance, 1 is perfect. */
  auc: number;
  best: { threshold: number; balancedAccuracy: number };
}

/** How many results the gate sees: those that an answer is written from. */
const RESULTS_SEEN = 10;
const STEPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Asks every question as it is, and as if its pages did not exist. Dropping them from the results is enough:
 * a search without them would return the same rest.
 */
export async function calibrate(
  system: System,
  questions: readonly EvalQuestion[],
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number) => void },
): Promise<GateReport> {
  const present: number[] = [];
  const absent: number[] = [];
  for (const [index, question] of questions.entries()) {
    signal.throwIfAborted();
    const ranked = await system.rank(question);
    present.push(bestOf(ranked));
    absent.push(bestOf(ranked.filter(({ path }) => !question.pages.has(path))));
    onProgress?.(index + 1);
  }
  return gateReport(present, absent, await askEveryday(system, signal));
}

/** The relevance of the best passage for each everyday question. */
async function askEveryday(system: System, signal: AbortSignal): Promise<number[]> {
  const best: number[] = [];
  for (const text of everydayQuestions.trim().split("\n")) {
    signal.throwIfAborted();
    const nowhere = { pages: new Map(), sections: new Map(), spans: undefined };
    best.push(bestOf(await system.rank({ id: text, text, subset: "", filter: {}, ...nowhere })));
  }
  return best;
}

/** The effect of thresholds on the relevances of questions with and without an answer, and of everyday ones. */
export function gateReport(
  present: readonly number[],
  absent: readonly number[],
  everyday: readonly number[],
): GateReport {
  const thresholds = Array.from({ length: 99 }, (_, index) => (index + 1) / 100);
  const balanced = thresholds.map((threshold) => ({
    threshold,
    balancedAccuracy: (passing(present, threshold) + 1 - passing(absent, threshold)) / 2,
  }));
  const best = balanced.reduce((most, each) => (each.balancedAccuracy > most.balancedAccuracy ? each : most));
  return {
    questions: present.length,
    choices: ANSWER_WHEN.map((answerWhen) => ({
      answerWhen,
      wronglyDeclined: 1 - passing(present, RELEVANCE_OF[answerWhen]),
      wronglyAnswered: passing(absent, RELEVANCE_OF[answerWhen]),
      everydayAnswered: passing(everyday, RELEVANCE_OF[answerWhen]),
    })),
    steps: STEPS.map((threshold) => ({
      threshold,
      answered: passing(present, threshold),
      unanswerable: passing(absent, threshold),
    })),
    auc: auc(present, absent),
    best,
  };
}

const bestOf = (ranked: readonly Ranked[]) =>
  Math.max(0, ...ranked.slice(0, RESULTS_SEEN).map(({ relevance }) => relevance ?? 0));

const passing = (relevances: readonly number[], threshold: number) =>
  mean(relevances.map((relevance) => (relevance >= threshold ? 1 : 0)));

function auc(present: readonly number[], absent: readonly number[]): number {
  const sorted = absent.toSorted((a, b) => a - b);
  const wins = present.map((value) => {
    const below = lowerBound(sorted, (other) => other >= value);
    const notAbove = lowerBound(sorted, (other) => other > value);
    return (below + notAbove) / 2 / sorted.length;
  });
  return mean(wins);
}

/** The index of the first value that fits, in a list where all later ones fit too. */
function lowerBound(sorted: readonly number[], fits: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fits(sorted[middle] ?? Number.NaN)) high = middle;
    else low = middle + 1;
  }
  return low;
}
