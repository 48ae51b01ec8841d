import {
  type CandidateList,
  RANKING_WEIGHTS,
  type RankingParts,
  scoreOf,
} from "../../src/finding/search/search.ts";
import { canonicalPath, type EvalQuestion } from "../../src/measuring/eval/question.ts";
import { type Golds, type Scores, scoreIds } from "../../src/measuring/eval/scores.ts";

/** Weights of ranking: the shipped ones, or others to try. */
export type Weights = Readonly<RankingParts>;

/** A question with everything that was proposed for it, so that it can be ranked by any weights. */
export interface RankedAnew {
  golds: Golds;
  scored: number;
  /** The pages of the candidates, by the numbers that candidates have. */
  paths: string[];
  /** In the order of their passages' ids, which decides between equal scores. */
  candidates: { page: number; parts: RankingParts; isNamed: boolean }[];
}

/** The pages that count: those that nDCG@10 and recall@10 see. */
const PAGES = 10;

export function rankedAnew({ pages }: EvalQuestion, { scored, candidates }: CandidateList): RankedAnew {
  const numbers = new Map<string, number>();
  const sorted = candidates.toSorted((a, b) => a.passageId - b.passageId);
  return {
    golds: pages,
    scored,
    candidates: sorted.map(({ path, parts, isNamed }) => {
      const canonical = canonicalPath(path);
      const page = numbers.get(canonical) ?? numbers.size;
      numbers.set(canonical, page);
      return { page, parts, isNamed };
    }),
    paths: [...numbers.keys()],
  };
}

/** Scores a question by other weights, as a search with them would rank its pages. */
export const scoreWith = (question: RankedAnew, weights: Weights): Scores =>
  scoreIds(rankPages(question, weights), question.golds);

/** The best pages, best first: a page ranks by its best passage. */
export function rankPages({ scored, candidates, paths }: RankedAnew, weights: Weights): string[] {
  const proposed = Float64Array.from(
    candidates,
    ({ parts }) => weights.words * parts.words + weights.meaning * parts.meaning,
  );
  const bar = proposed.length > scored ? (proposed.toSorted()[proposed.length - scored] ?? 0) : -Infinity;
  const best = new Float64Array(paths.length).fill(-Infinity);
  const first = new Int32Array(paths.length);
  for (const [index, { page, parts, isNamed }] of candidates.entries()) {
    if ((proposed[index] ?? 0) < bar && !isNamed) continue;
    const score = scoreOf(parts, weights);
    if (score <= (best[page] ?? 0)) continue;
    best[page] = score;
    first[page] = index;
  }
  return topOf(best, first).map((page) => paths[page] ?? "");
}

/** The numbers of the best pages. Of two that score the same, the one with the earlier passage is first. */
function topOf(best: Float64Array, first: Int32Array): number[] {
  const top: number[] = [];
  const isAhead = (a: number, b: number) => {
    const more = (best[a] ?? 0) - (best[b] ?? 0);
    return more > 0 || (more === 0 && (first[a] ?? 0) < (first[b] ?? 0));
  };
  for (let page = 0; page < best.length; page++) {
    if (best[page] === -Infinity) continue;
    let at = top.length;
    while (at > 0 && isAhead(page, top[at - 1] ?? page)) at--;
    if (at >= PAGES) continue;
    top.splice(at, 0, page);
    if (top.length > PAGES) top.pop();
  }
  return top;
}

export { RANKING_WEIGHTS as SHIPPED_WEIGHTS };
