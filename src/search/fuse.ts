/** What the ways of searching say of one passage; undefined where one has nothing to say. */
export interface Proposal {
  passageId: number;
  /** The keyword index's score: larger is better, within one query. */
  words: number | undefined;
  /** How near its meaning is, from -1 to 1. */
  similarity: number | undefined;
}

export interface Fused extends Proposal {
  /** From 0 to about 1: larger is better, within one query. */
  score: number;
}

const WORDS_WEIGHT = 0.55;

/**
 * One order from two: each way's scores are brought to the same scale and added. Where a question asks for names to the
 * letter, what is only near comes behind all that has any of its words.
 */
export function fuse(proposals: Proposal[], { isVerbatim = false } = {}): Fused[] {
  const words = scale(
    proposals.map((each) => each.words ?? 0),
    0,
  );
  const similarities = proposals.flatMap(({ similarity }) => (similarity === undefined ? [] : [similarity]));
  const far = similarities.reduce((least, value) => Math.min(least, value), 1);
  const meaning = scale(
    proposals.map((each) => each.similarity ?? far),
    far,
  );
  const ownShare = isVerbatim ? 1 : WORDS_WEIGHT;
  const share = similarities.length === 0 ? 1 : words.every((value) => value === 0) ? 0 : ownShare;
  return proposals
    .map((proposal, index) => ({
      ...proposal,
      score: share * (words[index] ?? 0) + (1 - share) * (meaning[index] ?? 0),
    }))
    .sort((a, b) => b.score - a.score || a.passageId - b.passageId);
}

/** Brings values to 0 for `low` and 1 for the largest. */
function scale(values: number[], low: number): number[] {
  const high = values.reduce((most, value) => Math.max(most, value), low);
  return values.map((value) => (high > low ? (value - low) / (high - low) : 0));
}
