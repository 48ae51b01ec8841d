import { seededRandom } from "./seeded-random.ts"; /** What should be found, with how much each is worth: 1 where the set has no grades. */
export type Golds = ReadonlyMap<string, number>;

/** The scores of one question, each from 0 to 1. */
export interface Scores {
  ndcg10: number;
  recall5: number;
  recall10: number;
  mrr10: number;
  hit1: number;
}

/** Scores a ranked list of ids, best first. Only an id's first occurrence counts. */
export function scoreIds(ranked: readonly string[], golds: Golds): Scores {
  const grades = [...new Set(ranked)].map((id) => golds.get(id) ?? 0);
  return scoreGrades(grades, [...golds.values()]);
}

/** Scores the grades of the results, best first, against the grades of everything to be found. */
export function scoreGrades(grades: readonly number[], wanted: readonly number[]): Scores {
  return {
    ndcg10: ndcg(grades, wanted, 10),
    recall5: recall(grades, wanted, 5),
    recall10: recall(grades, wanted, 10),
    mrr10: reciprocalRank(grades, 10),
    hit1: hit(grades, 1),
  };
}

/** The discounted gain of the first k over that of the ideal order. */
export function ndcg(grades: readonly number[], wanted: readonly number[], k: number): number {
  const best = gain(
    wanted.toSorted((a, b) => b - a),
    k,
  );
  return best === 0 ? 0 : gain(grades, k) / best;
}

/** The share of what should be found that is among the first k. */
export function recall(grades: readonly number[], wanted: readonly number[], k: number): number {
  const relevant = wanted.filter((grade) => grade > 0).length;
  return relevant === 0 ? 0 : grades.slice(0, k).filter((grade) => grade > 0).length / relevant;
}

/** One over the rank of the first correct result; 0 where none of the first k is. */
export function reciprocalRank(grades: readonly number[], k: number): number {
  const index = grades.slice(0, k).findIndex((grade) => grade > 0);
  return index < 0 ? 0 : 1 / (index + 1);
}

/** 1 where one of the first k is correct. */
export function hit(grades: readonly number[], k: number): number {
  return grades.slice(0, k).some((grade) => grade > 0) ? 1 : 0;
}

/** The mean of each score. */
export function meanScores(all: readonly Scores[]): Scores {
  const of = (name: keyof Scores) => mean(all.map((scores) => scores[name]));
  return {
    ndcg10: of("ndcg10"),
    recall5: of("recall5"),
    recall10: of("recall10"),
    mrr10: of("mrr10"),
    hit1: of("hit1"),
  };
}

/** NaN for an empty list. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The standard error of the mean of these values. */
export function standardError(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** The least value that at least `percent` of the values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** The gain falls with the logarithm of the rank. Grades count linearly, as in BEIR and trec_eval. */
function gain(grades: readonly number[], k: number): number {
  return grades.slice(0, k).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
}

/** Two systems compared over the same questions. */
export interface Comparison {
  /** By how much the first one's mean is higher. */
  difference: number;
  /** The difference lies between these in 95 of 100 draws of as many questions. */
  low: number;
  high: number;
  /** Better or worse where the interval excludes zero. */
  verdict: "better" | "worse" | "no difference shown";
}

const ROUNDS = 2000;
const SEED = 20_261_121;

/**
 * Compares question by question with a paired bootstrap: most of the variation between questions is common to
 * both systems and would hide the difference between them.
 */
export function compare(first: readonly number[], second: readonly number[]): Comparison {
  if (first.length !== second.length) throw new Error("the two systems did not answer the same questions");
  const differences = first.map((value, index) => value - (second[index] ?? Number.NaN));
  const random = seededRandom(SEED);
  const means = Array.from({ length: ROUNDS }, () => resampledMean(differences, random));
  const [low, high] = [percentile(means, 2.5), percentile(means, 97.5)];
  const verdict = low > 0 ? "better" : high < 0 ? "worse" : "no difference shown";
  return { difference: mean(differences), low, high, verdict };
}

function resampledMean(values: readonly number[], random: () => number): number {
  let sum = 0;
  for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)] ?? 0;
  return sum / values.length;
}
