import { type Hit, isSameSection, type SearchResult } from "../../search/search.ts";

// Chosen on four sites with questions in readers' words, and what a capable model made of each: the section that answers is
// among the first three for .91 of them; for .88 where both wordings count alike, and .65 by the question as asked.

/** How much the question as asked counts beside what it was rewritten to. */
const ASKED_SHARE = 0.5;
/** The same where several questions were asked at once: what is near to all of them answers none. */
const ASKED_SHARE_OF_SEVERAL = 0.125;
/** Added to each rank: the first few differ most. */
const RANK_OFFSET = 3;

/**
 * One list of what was found by a question as asked and by what it was rewritten to, of at most so many sections. One that
 * both find counts for both, and is as relevant as to the wording that it answers best; of several questions, it counts for
 * that in whose list it stands highest, so that a section on all of them hides none on one.
 */
export function fuseResults(
  asAsked: SearchResult,
  rewritten: readonly SearchResult[],
  sectionsMax: number,
): SearchResult {
  // A list of an earlier state of the index has what may not be there any more.
  const generation = Math.max(asAsked.generation, ...rewritten.map((result) => result.generation));
  const hitsOf = (result: SearchResult) => (result.generation === generation ? result.hits : []);
  const share = rewritten.length > 1 ? ASKED_SHARE_OF_SEVERAL : ASKED_SHARE;
  let fused: Hit[] = [];
  for (const result of rewritten) fused = merged(fused, hitsOf(result), 1, Math.max);
  fused = merged(fused, hitsOf(asAsked), share, (score, more) => score + more);
  const hits = fused.toSorted((a, b) => b.score - a.score).slice(0, sectionsMax);
  return { ...asAsked, generation, hits };
}

/** A list with another one added to it, by the ranks in that. */
function merged(
  list: readonly Hit[],
  others: readonly Hit[],
  share: number,
  together: (score: number, more: number) => number,
): Hit[] {
  const all = [...list];
  for (const [rank, hit] of others.entries()) {
    const more = share / (RANK_OFFSET + rank);
    const at = all.findIndex((known) => isSameSection(known, hit));
    const known = all[at];
    if (known === undefined) all.push({ ...hit, score: more });
    else all[at] = { ...(hit.relevance > known.relevance ? hit : known), score: together(known.score, more) };
  }
  return all;
}
