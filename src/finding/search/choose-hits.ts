import { remembering } from "@docent/kernel/lib/remember";
import { languageOf } from "@docent/kernel/text/language-of";
import { analyze } from "./analyze.ts";
import { JoinedWords, type Words } from "./joined-words.ts";
import type { RankedPassage } from "./rank-passages.ts";
import type { Candidate } from "./search-store.ts";
import { joinPassages } from "./sections/sections.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";

/**
 * After this many passages of one page, its further ones count less: a long page would otherwise fill the
 * list.
 */
const FULL_FROM_PAGE = 2;
const FURTHER_SHARE = 0.85;
/** The most that joined neighbours may hold: about six hundred tokens. */
const JOINED_CHARACTERS_MAX = 2400;
/** Clients send search results back with every later question, so they are kept short. */
export const SNIPPET_CHARACTERS_MAX = 300;

/** A hit, with the positions of the passages that were joined into it. */
interface JoinedHit {
  hit: RankedPassage;
  first: number;
  last: number;
}

/**
 * The hits to show: one for each section, joined with neighbours that were found too, without letting one page, or one
 * page in many languages, flood the list.
 */
export function chooseHits(judged: RankedPassage[], limit: number, question = ""): RankedPassage[] {
  const byPage = Map.groupBy(judged.toSorted(byScore), (each) => each.pageId);
  const picked = [...byPage.values()].map(pickOfPage);
  const sorted = behindTheirTranslations(picked, question).flat().sort(byScore);
  return withProseBetween(sorted).slice(0, limit);
}

const SHEET = /\.(?:csv|tsv|xls[xm]|xltx|f?ods|ots)$/i;

/** Whether a passage is rows of a sheet: one of hundreds alike, which share the words that name the columns. */
const isOfSheet = ({ path, markdown }: RankedPassage) => SHEET.test(path) && markdown.startsWith("|");

/**
 * Puts prose between rows of sheets, so that there are never more than one of these beyond the prose above them. A question that
 * has a word which only rows have asks for them: there, and where there is no more prose, they stand as they match.
 */
function withProseBetween(sorted: RankedPassage[]): RankedPassage[] {
  const { sheets = [], prose = [] } = Object.groupBy(sorted, (hit) => (isOfSheet(hit) ? "sheets" : "prose"));
  if (sheets.length < 2 || prose.length === 0) return sorted;
  const inProse = new Set(prose.flatMap(({ has }) => [...has]));
  if (sheets.some(({ has }) => !has.isSubsetOf(inProse))) return sorted;
  const order: RankedPassage[] = [];
  let [row, page] = [0, 0];
  while (row < sheets.length && page < prose.length) {
    const [sheet, text] = [sheets[row], prose[page]];
    if (sheet === undefined || text === undefined) break;
    const isRowNext = row <= page && byScore(sheet, text) < 0;
    order.push(isRowNext ? sheet : text);
    if (isRowNext) row += 1;
    else page += 1;
  }
  return [...order, ...sheets.slice(row), ...prose.slice(page)];
}

/** How near the best of a page must come to that of its translations to be taken in the place of them. */
const AS_GOOD = 0.85;
/** In the question's own language, it may be farther off. */
const AS_GOOD_IN_OWN = 0.6;
const OTHER_LANGUAGE_SHARE = 0.5;

/**
 * Pages of which translations are found: one of them counts in full, that in the question's language, or in the main one
 * where nothing else is known. What nobody translated is the same text in all of them.
 */
function behindTheirTranslations(pages: RankedPassage[][], question: string): RankedPassage[][] {
  const languages = new Set(pages.map(([best]) => best?.language ?? ""));
  if (languages.size < 2) return pages;
  const asked = languageOf(question);
  const topics = Map.groupBy(pages, ([best]) => (best === undefined ? "" : topicOf(best).key));
  return [...topics.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined || alike.length === 1) return alike;
    const best = alike.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a), first);
    const own = alike.find(([hit]) => hit !== undefined && asked !== undefined && isIn(hit.language, asked));
    const main = alike.find(([hit]) => hit !== undefined && topicOf(hit).isMain);
    const wanted = own ?? main ?? best;
    const share = own === undefined ? AS_GOOD : AS_GOOD_IN_OWN;
    const taken = scoreOf(wanted) >= scoreOf(best) * share ? wanted : best;
    const lift = scoreOf(best) / scoreOf(taken);
    return alike.map((hits) =>
      hits.map((hit) => ({ ...hit, score: hit.score * (hits === taken ? lift : OTHER_LANGUAGE_SHARE) })),
    );
  });
}

const scoreOf = ([best]: readonly RankedPassage[]) => Math.max(Number.EPSILON, best?.score ?? 0);
const isIn = (language: string, asked: string) => language.toLowerCase().split("-", 1)[0] === asked;

/** What a page and its translations have in common: their path without the folder of their language, if it has one. */
function topicOf({ path, language, version }: RankedPassage): { key: string; isMain: boolean } {
  const [folder = ""] = path.toLowerCase().split("/", 1);
  const tag = language.toLowerCase();
  const isBelow = tag !== "" && folder !== "" && (tag === folder || tag.startsWith(`${folder}-`));
  // A page of no language is for all of them, and a translation of none.
  const own = tag === "" ? `:${path}` : isBelow ? path.slice(folder.length + 1) : path;
  return { key: JSON.stringify([own, version]), isMain: !isBelow };
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
  const joined = {
    ...hit,
    ...joinPassages(above, below),
    relevance: Math.max(hit.relevance, other.relevance),
    has: hit.has.union(other.has),
  };
  return { hit: joined, first: Math.min(first, other.position), last: Math.max(last, other.position) };
}

const shareAt = (rank: number) => FURTHER_SHARE ** (rank - FULL_FROM_PAGE + 1);

const byScore = (a: RankedPassage, b: RankedPassage) => b.score - a.score || a.passageId - b.passageId;

/** The place in a passage to which a reader is sent. */
export interface PassageSection {
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

/** The section of a passage that has this anchor; otherwise its page, which begins with the passage. */
export function sectionAt(passage: Candidate, anchor: string): PassageSection {
  const inner = innerSections(passage);
  const { headings, text } = passage;
  const own = inner.find((each) => each.anchor === anchor);
  return own ?? { anchor, headings: passage.anchor === anchor ? headings : [], text: inner[0]?.text ?? text };
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
