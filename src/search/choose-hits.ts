import { plainText } from "../markdown/plain-text.ts";
import { analyze } from "./analyze.ts";
import type { RankedPassage } from "./rank-passages.ts";
import type { Candidate } from "./search-store.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";

/** How much of its third best passage speaks for a page's best: a page that has several is about what was asked. */
const COMPANY_SHARE = 0.2;
/** Behind this many of one page, its further ones count less: a long page would otherwise fill the list. */
const FULL_FROM_PAGE = 2;
const FURTHER_SHARE = 0.85;
/** As far as neighbours are joined: about six hundred tokens. */
const JOINED_CHARACTERS_MAX = 2400;
const GAP = "\n\n";

/** A hit, and the positions on its page that were joined in it. */
interface JoinedHit extends RankedPassage {
  first: number;
  last: number;
}

/** The hits to show: one of each section, joined with its neighbours that were found too, and no page flooding the list. */
export function chooseHits(judged: RankedPassage[], limit: number): RankedPassage[] {
  const byPage = Map.groupBy(judged.toSorted(byScore), (each) => each.pageId);
  return [...byPage.values()].flatMap(pickOfPage).sort(byScore).slice(0, limit);
}

/** `found` is all of one page, the best first. */
function pickOfPage(found: RankedPassage[]): RankedPassage[] {
  const company = COMPANY_SHARE * (found[2]?.score ?? 0);
  const picked: JoinedHit[] = [];
  for (const each of found) {
    const own = picked.findIndex((other) => other.anchor === each.anchor && isOne(other, each));
    const before = picked[own];
    if (before === undefined) picked.push({ ...each, first: each.position, last: each.position });
    else if (canJoin(before, each)) picked[own] = join(before, each);
  }
  return picked.map(({ first: _, last: __, ...each }, rank) => ({
    ...each,
    score: each.score * shareAt(rank) + (rank === 0 ? company : 0),
  }));
}

/** Under one heading is one section. A text without headings is one only as far as its pieces touch. */
function isOne(own: JoinedHit, other: RankedPassage): boolean {
  return other.anchor !== "" || canJoin(own, other);
}

function canJoin(own: JoinedHit, { position, markdown }: RankedPassage): boolean {
  const touches = position === own.first - 1 || position === own.last + 1;
  return touches && own.markdown.length + markdown.length <= JOINED_CHARACTERS_MAX;
}

function join(own: JoinedHit, other: RankedPassage): JoinedHit {
  const [above, below] = other.position < own.first ? [other, own] : [own, other];
  const start = above.markdown.length + GAP.length;
  return {
    ...own,
    markdown: `${above.markdown}${GAP}${below.markdown}`,
    text: `${above.text}\n${below.text}`,
    innerHeadings: [
      ...above.innerHeadings,
      ...below.innerHeadings.map((inner) => ({ ...inner, offset: inner.offset + start })),
    ],
    relevance: Math.max(own.relevance, other.relevance),
    first: Math.min(own.first, other.position),
    last: Math.max(own.last, other.position),
  };
}

const shareAt = (rank: number) => FURTHER_SHARE ** Math.max(0, rank - FULL_FROM_PAGE + 1);

const byScore = (a: RankedPassage, b: RankedPassage) => b.score - a.score || a.passageId - b.passageId;

/** Where in a passage a reader is sent. */
interface PassageSection {
  anchor: string;
  headings: string[];
  /** The plain text there. */
  text: string;
}

/**
 * Of a passage that was joined from short sections, the one that speaks most of the terms, the first of several that
 * speak alike; else the passage itself.
 */
export function bestSection(passage: Candidate, weights: TermWeights): PassageSection {
  const { anchor, headings, text } = passage;
  const terms = [...weights.keys()];
  const shares = innerSections(passage).map(({ words, ...place }) => {
    return { place, share: shareOf(terms, new Set(analyze(words)), weights) };
  });
  const most = Math.max(...shares.map(({ share }) => share));
  return shares.find(({ share }) => share === most)?.place ?? { anchor, headings, text };
}

/** The sections, each with its words, its own heading's among them; none of a passage that is of one section. */
function innerSections({ anchor, headings, markdown, innerHeadings }: Candidate) {
  if (innerHeadings.length === 0) return [];
  const starts = [
    { offset: 0, anchor, headings },
    ...innerHeadings.map(({ headingPath, ...rest }) => ({ ...rest, headings: headingPath })),
  ];
  return starts.map(({ offset, ...place }, index) => {
    const text = plainText(markdown.slice(offset, starts[index + 1]?.offset));
    // The first section's heading stands above the passage, those of the others in it.
    return { ...place, text, words: index === 0 ? `${headings.at(-1) ?? ""}\n${text}` : text };
  });
}
