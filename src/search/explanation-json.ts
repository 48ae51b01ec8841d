import type { ExplainedPassage, Explanation, Placed } from "./explain.ts";

/** Enough to tell two apart. */
const DIGITS = 10_000;

/** What a search did, as the admin API tells it. */
export function explanationJson(explanation: Explanation) {
  const { generation, terms, phrases, names, hasVectors, typicalSimilarity, proposed, passages } =
    explanation;
  return {
    ...{ generation, phrases, names, hasVectors, proposed },
    typicalSimilarity: typicalSimilarity === undefined ? null : round(typicalSimilarity),
    terms: terms.map(({ share, ...term }) => ({ ...term, share: round(share) })),
    passages: passages.map(explainedPassageJson),
  };
}

/** Where a passage stands, and why. */
export function explainedPassageJson(passage: ExplainedPassage) {
  const { passageId: _, pageId: __, keyword, nearest, fused, score, relevance, rank, ...rest } = passage;
  return {
    ...rest,
    ...{ keyword: placedJson(keyword), nearest: placedJson(nearest), fused: placedJson(fused) },
    ...{ score: score === undefined ? null : round(score), relevance: round(relevance), rank: rank ?? null },
  };
}

const placedJson = (placed: Placed | undefined) =>
  placed === undefined ? null : { rank: placed.rank ?? null, score: round(placed.score) };

const round = (value: number) => Math.round(value * DIGITS) / DIGITS;
