import type { ExplainedPassage, Explanation } from "./explain.ts";

/** Enough to tell two apart. */
const DIGITS = 10_000;

/** What a search did, as the admin API tells it. */
export function explanationJson(explanation: Explanation) {
  const { typicalSimilarity, passages, pages: _, ...rest } = explanation;
  return {
    ...rest,
    typicalSimilarity: typicalSimilarity === undefined ? null : round(typicalSimilarity),
    passages: passages.map(explainedPassageJson),
  };
}

/** Where a passage stands, and why. */
export function explainedPassageJson(passage: ExplainedPassage) {
  const { passageId: _, pageId: __, keywordRank, nearest, fusedRank, relevance, rank, ...rest } = passage;
  return {
    ...rest,
    keyword: rankJson(keywordRank),
    nearest: nearest === undefined ? null : { rank: nearest.rank ?? null, score: round(nearest.score) },
    fused: rankJson(fusedRank),
    relevance: round(relevance),
    rank: rank ?? null,
  };
}

const rankJson = (rank: number | undefined) => (rank === undefined ? null : { rank });

const round = (value: number) => Math.round(value * DIGITS) / DIGITS;
