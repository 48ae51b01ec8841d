import type { Question, Ranked, System } from "./question.ts";
import { mean } from "./scores.ts";

/** What a threshold lets through. */
export interface GateStep {
  threshold: number;
  /** The share of questions that pass while their page is there, */
  answered: number;
  /** and while it has been taken out. */
  unanswerable: number;
}

/** How well the best passage's relevance tells whether the docs hold an answer. */
export interface GateReport {
  questions: number;
  steps: GateStep[];
  /** How often an answerable question has the higher relevance of two; .5 is chance, 1 is perfect. */
  auc: number;
  best: { threshold: number; balancedAccuracy: number };
}

/** How many results the gate looks at: what an answer is written from. */
const RESULTS_SEEN = 10;
const STEPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Asks every question as it is, and as if its pages were not there. That is done on the results: what a search would
 * return without them is what it returns after them.
 */
export async function calibrate(
  system: System,
  questions: readonly Question[],
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
  return gateReport(present, absent);
}

/** What thresholds do to relevances of questions with an answer and of those without. */
export function gateReport(present: readonly number[], absent: readonly number[]): GateReport {
  const thresholds = Array.from({ length: 99 }, (_, index) => (index + 1) / 100);
  const balanced = thresholds.map((threshold) => ({
    threshold,
    balancedAccuracy: (passing(present, threshold) + 1 - passing(absent, threshold)) / 2,
  }));
  const best = balanced.reduce((most, each) => (each.balancedAccuracy > most.balancedAccuracy ? each : most));
  return {
    questions: present.length,
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

/** The index of the first that fits, in a list in which all after it fit too. */
function lowerBound(sorted: readonly number[], fits: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fits(sorted[middle] ?? Number.NaN)) high = middle;
    else low = middle + 1;
  }
  return low;
}
