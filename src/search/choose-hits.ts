import { remembering } from "../lib/remember.ts";
import { analyze } from "./analyze.ts";
import { JoinedWords, type Words } from "./joined-words.ts";
import type { RankedPassage } from "./rank-passages.ts";
import type { Candidate } from "./search-store.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";

/**
 * After this many passages of one page, its further ones count less: a long page would otherwise fill the
 * list.
 */
const FULL_FROM_PAGE = 2;
const FURTHER_SHARE = 0.85;
/** The most that joined neighbours may hold: about six hundred tokens. */
const JOINED_CHARACTERS_MAX = 2400;
const GAP = "\n\n";
/** Clients send search results back with every later question, so they are kept short. */
export const SNIPPET_CHARACTERS_MAX = 300;

/** A hit, with the positions of the passages that were joined into it. */
interface JoinedHit {
  hit: RankedPassage;
  first: number;
  last: number;
}

/**
 * The hits to show: one for each section, joined with neighbours that were found too, without letting one
 * page flood the list.
 */
export function chooseHits(judged: RankedPassage[], limit: number): RankedPassage[] {
  const byPage = Map.groupBy(judged.toSorted(byScore), (each) => each.pageId);
  return [...byPage.values()].flatMap(pickOfPage).sort(byScore).slice(0, limit);
}

/** Joins the passages found on one page, best first. */
function pickOfPage(found: RankedPassage[]): RankedPassage[] {
  const picked: JoinedHit[] = [];
  for (const each of found) {
    const own = picked.findIndex((other) => other.hit.anchor === each.anchor && isOne(other, each));
    const before = picked[own];
    if (before === undefined) picked.push({ hit: each, first: each.position, last: each.position });
    else if (canJoin(before, each)) picked[own] = join(before, each);
  }
  return picked.map(({ hit }, rank) =>
    rank < FULL_FROM_PAGE ? hit : { ...hit, score: hit.score * shareAt(rank) },
  );
}

/** Whether two passages are of one section. In a text without headings, only passages that touch are. */
function isOne(own: JoinedHit, other: RankedPassage): boolean {
  return other.anchor !== "" || canJoin(own, other);
}

function canJoin({ hit, first, last }: JoinedHit, { position, markdown }: RankedPassage): boolean {
  const touches = position === first - 1 || position === last + 1;
  return touches && hit.markdown.length + markdown.length <= JOINED_CHARACTERS_MAX;
}

function join({ hit, first, last }: JoinedHit, other: RankedPassage): JoinedHit {
  const [above, below] = other.position < first ? [other, hit] : [hit, other];
  const start = above.markdown.length + GAP.length;
  const textStart = above.text.length + 1;
  const joined = {
    ...hit,
    markdown: `${above.markdown}${GAP}${below.markdown}`,
    text: `${above.text}\n${below.text}`,
    innerHeadings: [
      ...above.innerHeadings,
      ...below.innerHeadings.map(({ offset, textOffset, ...inner }) => ({
        ...inner,
        offset: offset + start,
        textOffset: textOffset + textStart,
      })),
    ],
    relevance: Math.max(hit.relevance, other.relevance),
    has: hit.has.union(other.has),
  };
  return { hit: joined, first: Math.min(first, other.position), last: Math.max(last, other.position) };
}

const shareAt = (rank: number) => FURTHER_SHARE ** (rank - FULL_FROM_PAGE + 1);

const byScore = (a: RankedPassage, b: RankedPassage) => b.score - a.score || a.passageId - b.passageId;

/** The place in a passage to which a reader is sent. */
interface PassageSection {
  anchor: string;
  headings: string[];
  /** The plain text of that place. */
  text: string;
}

/** The terms of a text. */
export type ReadTerms = (text: string) => Words;

/** How many sections stay read. */
const SECTIONS_KEPT = 1000;

/** Reads the terms of sections, and remembers those that were read last. */
export const createTermReader = (): ReadTerms =>
  remembering((text) => new JoinedWords(analyze(text)), SECTIONS_KEPT);

/**
 * The section of a joined passage that covers most of the terms, the first of several equals; otherwise the
 * passage itself.
 */
export function bestSection(passage: Candidate, weights: TermWeights, readTerms: ReadTerms): PassageSection {
  const { anchor, headings, text } = passage;
  const terms = [...weights.keys()];
  const shares = innerSections(passage).map(({ words, ...place }) => {
    return { place, share: shareOf(terms, readTerms(words), weights) };
  });
  const most = Math.max(...shares.map(({ share }) => share));
  return shares.find(({ share }) => share === most)?.place ?? { anchor, headings, text };
}

/**
 * The sections of a joined passage, each with its words and its own heading's; empty for a passage of one
 * section.
 */
function innerSections({ anchor, headings, text, innerHeadings }: Candidate) {
  if (innerHeadings.length === 0) return [];
  const starts = [
    { textOffset: 0, anchor, headings },
    ...innerHeadings.map(({ headingPath, ...rest }) => ({ ...rest, headings: headingPath })),
  ];
  return starts.map(({ textOffset, anchor, headings }, index) => {
    const own = text.slice(textOffset, starts[index + 1]?.textOffset).trimEnd();
    // The first section's heading stands above the passage, the others' inside it.
    return {
      anchor,
      headings,
      text: own,
      words: index === 0 ? `${headings.at(-1) ?? ""}\n${own}` : own,
    };
  });
}
