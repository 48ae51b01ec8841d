import { mean } from "../../src/measuring/eval/scores.ts";
import { type RankedAnew, SHIPPED_WEIGHTS, scoreWith, type Weights } from "./rerank.ts";

/** A set of questions with what was proposed for each. */
export interface WeighedSet {
  name: string;
  questions: RankedAnew[];
}

/**
 * Words are the unit of the others. Quoted phrases and names are asked for on purpose, and hardly a question of
 * these sets has one; the page that the reader is on, none has.
 */
const HELD: ReadonlySet<string> = new Set([
  "words",
  "phrases",
  "names",
  "verbatim",
  "nearness",
  "cited",
  "tracked",
]);

const isPart = (name: string): name is keyof Weights => name in SHIPPED_WEIGHTS;

/** All parts of a score. */
export const PARTS = Object.keys(SHIPPED_WEIGHTS).filter(isPart);

/** The parts whose weights sets of questions can choose. */
export const CHOSEN = PARTS.filter((part) => !HELD.has(part));

/** Where choosing starts: all the same, so that nothing of a set that is left out has been seen. */
export const START = 0.25;
const STEPS = [0.2, 0.1, 0.05];
/** A step back and forth may gain this much by chance. */
const GAIN_MIN = 0.0002;

/** The mean of the sets' nDCG@10, each counting as much, however many questions it has. */
const worthOf = (sets: readonly WeighedSet[], weights: Weights) =>
  mean(sets.map((set) => ndcgOf(set, weights)));

export const ndcgOf = ({ questions }: WeighedSet, weights: Weights): number =>
  mean(questions.map((question) => scoreWith(question, weights).ndcg10));

/** Chooses weights for these sets: takes one after the other a step up or down, as long as that helps. */
export function chooseWeights(sets: readonly WeighedSet[]): Weights {
  let best: Weights = { ...SHIPPED_WEIGHTS, ...Object.fromEntries(CHOSEN.map((part) => [part, START])) };
  let worth = worthOf(sets, best);
  for (const step of STEPS) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const part of CHOSEN) {
        for (const change of [step, -step]) {
          const tried = { ...best, [part]: Math.max(0, round(best[part] + change)) };
          const now = worthOf(sets, tried);
          if (now < worth + GAIN_MIN) continue;
          [best, worth, moved] = [tried, now, true];
          break;
        }
      }
    }
  }
  return best;
}

const round = (weight: number) => Math.round(weight * 1000) / 1000;
