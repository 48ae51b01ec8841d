import { mean, percentile } from "./scores.ts";
import { seededRandom } from "./seeded-random.ts";

/** Two systems over the same questions. */
export interface Comparison {
  /** By how much the first one's mean is higher. */
  difference: number;
  /** Where the difference lies in 95 of 100 draws of as many questions of this kind. */
  low: number;
  high: number;
  /** The interval leaves zero out: the difference is more than noise. */
  verdict: "better" | "worse" | "no difference shown";
}

const ROUNDS = 2000;
const SEED = 20_261_121;

/**
 * Compares question by question, by a paired bootstrap: most of what differs between questions is the same for both
 * systems, and would hide the difference between them.
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
