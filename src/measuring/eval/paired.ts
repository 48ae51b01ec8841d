import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { EvalQuestion, System } from "./question.ts";
import { type Comparison, compare, mean, scoreIds } from "./scores.ts";

/** Two ways of searching, compared question by question. */
export interface Paired extends Omit<Comparison, "verdict"> {
  questions: number;
  /** For how many questions the right pages rank higher with the first one, and lower. */
  better: number;
  worse: number;
  /** The means of nDCG@10, over pages. 0 where there is no question. */
  first: number;
  second: number;
}

/** Asks both every question. */
export async function measurePaired(
  questions: readonly EvalQuestion[],
  [first, second]: readonly [System, System],
  signal: AbortSignal,
): Promise<Paired> {
  const scores = { first: [] as number[], second: [] as number[] };
  for (const question of questions) {
    for (const [name, system] of [["first", first] as const, ["second", second] as const]) {
      signal.throwIfAborted();
      const paths = [...new Set((await system.rank(question)).map(({ path }) => path))];
      scores[name].push(scoreIds(paths, question.pages).ndcg10);
      await letOthersRun();
    }
  }
  const gains = scores.first.map((score, index) => score - (scores.second[index] ?? 0));
  const none = { difference: 0, low: 0, high: 0 };
  const { difference, low, high } = gains.length === 0 ? none : compare(scores.first, scores.second);
  return {
    questions: questions.length,
    better: gains.filter((gain) => gain > 0).length,
    worse: gains.filter((gain) => gain < 0).length,
    first: gains.length === 0 ? 0 : mean(scores.first),
    second: gains.length === 0 ? 0 : mean(scores.second),
    difference,
    low,
    high,
  };
}
