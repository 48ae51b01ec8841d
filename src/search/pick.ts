import type { Judged } from "./judge.ts";

/** Behind this many of one page, its further ones count less: a long page would otherwise fill the list. */
const FULL_FROM_PAGE = 2;
const FURTHER_SHARE = 0.85;

/** The hits to show: the best of each section, no page flooding the list. */
export function pickHits(judged: Judged[], limit: number): Judged[] {
  const sections = new Set<string>();
  const taken = new Map<number, number>();
  const ranked: Judged[] = [];
  for (const each of judged.toSorted(byScore)) {
    const section = `${each.pageId}#${each.anchor}`;
    if (sections.has(section)) continue;
    sections.add(section);
    const before = taken.get(each.pageId) ?? 0;
    taken.set(each.pageId, before + 1);
    const share = before < FULL_FROM_PAGE ? 1 : FURTHER_SHARE ** (before - FULL_FROM_PAGE + 1);
    ranked.push({ ...each, score: each.score * share });
  }
  return ranked.sort(byScore).slice(0, limit);
}

const byScore = (a: Judged, b: Judged) => b.score - a.score || a.passageId - b.passageId;
