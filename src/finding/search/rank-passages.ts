import { remembering } from "@docent/kernel/lib/remember";
import { asksWhatChanged } from "@docent/kernel/text/changes/changes";
import { withoutEnding } from "@docent/reading/page/page-path";
import { analyze } from "./analyze.ts";
import {
  type Neighbours,
  type PageWords,
  type PassageWords,
  type SaidByLinks,
  saturated,
} from "./keyword-index/keyword-index.ts";
import type { SimilarityLevel } from "./meaning/meaning.ts";
import type { NameInWords } from "./names-in-words.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { Candidate } from "./search-store.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";
import { createVerbatimFinder, type Weighed } from "./verbatim.ts";

/** What speaks for a passage: each is 0 where it says nothing, and about 1 at most. */
export interface RankingParts {
  /** The share of what the question's words could score. */
  words: number;
  /**
   * The standard deviations by which it is nearer in meaning than passages are in general, negative where it is farther,
   * over the logarithm of their number: among many, some are near by chance.
   */
  meaning: number;
  /** 1 for a question out of a tracker: it was answered once, by somebody, and docs that say the same come first. */
  tracked: number;
  /** How much of the question all of its page says, by its length: a long page has many passages, and one may fit by chance. */
  page: number;
  /**
   * How far its title and headings stand out in meaning, as above, or 0: they say in few words what the passage is about.
   * 0 where embedding them would take too long.
   */
  headings: number;
  /** What links of other pages call its page: readers may call it the same. */
  links: number;
  /**
   * The words of its address: a page is named after what it is about. Less for one that tells what was new once, unless the
   * question is about that: such a page names everything, and says how little of it is.
   */
  path: number;
  /** How many neighbours of the question stand together. */
  closeness: number;
  /** Whether it has the quoted phrases. */
  phrases: number;
  /** A name that most passages have, such as the product's, says little: it counts by its share of the question's weight. */
  identifiers: number;
  /** A name that the question has in words. */
  names: number;
  /** The rare names and phrases that it has to the letter. */
  verbatim: number;
  /** 1 for the page that the reader is on, a third for those beside it. */
  nearness: number;
  /** 1 for a page that the last answer of the conversation cites. */
  cited: number;
}

/**
 * How much each part counts. Only their proportions matter. They are set near those that all sets of questions but one
 * choose, for each in turn. docs/ranking-quality.md says what is found on the one that was left out, and what a set loses
 * where a weight is a third larger or smaller.
 */
export const RANKING_WEIGHTS: Readonly<RankingParts> = {
  words: 1,
  meaning: 0.65,
  // Less costs docs their places beside real discussions of the same product; more costs questions that only these answer.
  tracked: -0.15,
  page: 0.4,
  headings: 0.12,
  links: 0.3,
  path: 0.25,
  closeness: 0.2,
  phrases: 0.5,
  identifiers: 0.25,
  names: 0.9,
  // More than everything else together: a passage with the rare thing that was asked for comes first.
  verbatim: 1.5,
  nearness: 0.06,
  // Of the questions that go on with a conversation, two in three are answered by the page that was found first before.
  cited: 0.2,
};

const PASSAGES_MIN = 100;
const NONE: ReadonlySet<number> = new Set();
/** Whatever else a question says: a passage with all of the rare names and phrases in it is about it. */
export const NAMED_RELEVANCE = 0.8;
const BESIDE_SHARE = 1 / 3;
/** Of a page that was cited, so many passages come before others: all of them would fill the list. */
const CITED_RAISED = 2;

/** The weighted sum of the parts. */
export function scoreOf(parts: Readonly<RankingParts>, weights = RANKING_WEIGHTS): number {
  return (
    beforeReading(parts, weights) +
    weights.page * parts.page +
    weights.headings * parts.headings +
    weights.links * parts.links +
    weights.path * parts.path +
    weights.closeness * parts.closeness +
    weights.phrases * parts.phrases +
    weights.identifiers * parts.identifiers +
    weights.names * parts.names +
    weights.verbatim * parts.verbatim +
    weights.nearness * parts.nearness +
    weights.cited * parts.cited
  );
}

/** What each way of searching says, before a passage is read. */
type ProposedParts = Pick<RankingParts, "words" | "meaning" | "tracked">;

const beforeReading = (parts: ProposedParts, weights: ProposedParts) =>
  weights.words * parts.words + weights.meaning * parts.meaning + weights.tracked * parts.tracked;

/** What each way of searching says of one passage; undefined where it says nothing. */
export interface Proposal {
  passageId: number;
  /** The keyword index's score: larger is better, within one query. */
  words: number | undefined;
  /** The similarity of meaning, from -1 to 1. */
  similarity: number | undefined;
}

export interface Fused extends Proposal {
  parts: ProposedParts;
  /** From 0 to about 1: larger is better, within one query. */
  score: number;
}

interface FuseOptions {
  /** What a passage with all of the question's words scores, however often it has them. */
  wordsMost: number;
  level: SimilarityLevel;
  /** The number of the site's passages. */
  passages: number;
  /** Those of questions out of trackers. */
  tracked?: ReadonlySet<number>;
  isVerbatim?: boolean;
}

/**
 * Merges two rankings on a scale that is the same for every question: the share of what its words could score, and how far
 * a passage's meaning stands out. In a search for literal names, meaning says nothing.
 */
export function fuse(
  proposals: Proposal[],
  { wordsMost, level, passages, tracked = NONE, isVerbatim = false }: FuseOptions,
): Fused[] {
  // A phrase, or the beginning of a word, may lift a passage above all words together.
  const most = proposals.reduce((most, { words = 0 }) => Math.max(most, words), wordsMost);
  const standsOut = createStandsOut(level, passages);
  return proposals
    .map(({ passageId, words, similarity }) => {
      const isByMeaning = similarity !== undefined && !isVerbatim;
      const parts = {
        words: most === 0 ? 0 : (words ?? 0) / most,
        meaning: isByMeaning ? standsOut(similarity) : 0,
        tracked: tracked.has(passageId) ? 1 : 0,
      };
      return { passageId, words, similarity, parts, score: beforeReading(parts, RANKING_WEIGHTS) };
    })
    .sort((a, b) => b.score - a.score || a.passageId - b.passageId);
}

/** Tells how far a similarity stands out among those of the site's passages. */
export function createStandsOut({ typical, spread }: SimilarityLevel, passages: number) {
  const chance = Math.log(Math.max(PASSAGES_MIN, passages));
  return (similarity: number) => (similarity - typical) / spread / chance;
}

/** A candidate with its scores. */
export interface RankedPassage extends Candidate {
  parts: RankingParts;
  /** Larger is better, within one query. */
  score: number;
  /** From 0 to 1: how certain it is that the passage answers the question. */
  relevance: number;
  /** The question's terms that it has, of its own or added to it. */
  has: ReadonlySet<string>;
  /** Those in what links call its page. */
  linked: readonly string[];
}

/** What candidates are scored against. */
export interface RankingQuery {
  query: KeywordQuery;
  names: readonly NameInWords[];
  /** The weights of those terms that some passage has. */
  known: TermWeights;
  /** How many terms a page of the site has on average. */
  pageLength: number;
  /** Literal text to find, each with its worth from 0 to 1. */
  verbatim: readonly Weighed[];
  currentPath: string | undefined;
  /** The paths of the pages that were cited last in the conversation. */
  citedPaths: readonly string[];
  /** Whether it is asked what has changed, or since when. */
  isOfChanges: boolean;
  standsOut(similarity: number): number;
  /** From 0 to 1: how certain it is that a passage with these terms, and this similarity, answers the question. */
  relevanceOf(present: ReadonlySet<string>, similarity: number | undefined): number;
}

/** What the index knows of a passage. */
interface PassageEvidence {
  words: PassageWords;
  page: PageWords;
  /** Undefined where no link leads to its page, or those that do say nothing of the question. */
  links: SaidByLinks | undefined;
  fused: Fused;
  /** The similarity of its title and headings; undefined where it is not known, or means nothing. */
  headings: number | undefined;
}

/** Scores a candidate by what the index knows of it, and by its text. */
type ScoreCandidate = (candidate: Candidate, evidence: PassageEvidence) => RankedPassage;

/** Scores the candidates of one question: literal matches win, and nearness to the reader's page adds a little. */
export function createScorer(wanted: RankingQuery, readPath: ReadPath): ScoreCandidate {
  const { query, known, currentPath, relevanceOf } = wanted;
  const begun = new Set(begunBy(query));
  const identifiers = new Set(query.identifiers);
  // Beside other words, a name in words may be there by chance: some docs have the color "skyblue".
  const onlyNames = wanted.names.filter(({ isAll }) => isAll);
  const ofPages = new Map<number, OfPage>();
  const findVerbatim = createVerbatimFinder(wanted.verbatim);
  return (candidate, { words, page, links, fused, headings: similarity }) => {
    const { pageId, path, title, headings, text } = candidate;
    const { terms: own, added, phrases, isBegun } = words;
    const has = added.size > 0 ? own.union(added) : own;
    const present = isBegun ? has.union(begun) : has;
    const ofPage = ofPages.get(pageId) ?? partsOfPage(path, { page, inPath: readPath(path) }, wanted);
    ofPages.set(pageId, ofPage);
    const { share: verbatim, namedShare } = findVerbatim([title, ...headings, text]);
    const parts: RankingParts = {
      words: fused.parts.words,
      meaning: fused.parts.meaning,
      tracked: fused.parts.tracked,
      page: ofPage.page,
      headings: similarity === undefined ? 0 : Math.max(0, wanted.standsOut(similarity)),
      links: links?.share ?? 0,
      path: ofPage.path,
      closeness: closenessShare(query.neighbours, words.closeness, known),
      phrases,
      identifiers: shareOf(query.terms, present.intersection(identifiers), known),
      names: worthOfNames(wanted.names, own),
      verbatim,
      nearness: nearnessTo(currentPath, path),
      cited: 0,
    };
    const named = Math.max(namedShare, worthOfNames(onlyNames, own));
    const relevance = Math.max(relevanceOf(present, fused.similarity), relevanceByName(named));
    return { ...candidate, parts, score: scoreOf(parts), relevance, has, linked: links?.terms ?? [] };
  };
}

/** Raises the best passages of the pages that were cited last in the conversation. */
export function raiseCited(ranked: RankedPassage[], citedPaths: readonly string[]): RankedPassage[] {
  if (citedPaths.length === 0) return ranked;
  const ofCited = ranked.filter(({ path }) => citedPaths.some((cited) => isSamePath(cited, path)));
  const byPage = Map.groupBy(
    ofCited.toSorted((a, b) => b.score - a.score),
    ({ pageId }) => pageId,
  );
  const raised = new Set([...byPage.values()].flatMap((best) => best.slice(0, CITED_RAISED)));
  return ranked.map((each) => {
    if (!raised.has(each)) return each;
    const parts = { ...each.parts, cited: 1 };
    return { ...each, parts, score: scoreOf(parts) };
  });
}

/**
 * The relevance of a passage that has a share of what was asked for to the letter. Where that is a part of the question, less
 * of it counts: docs that list a program once, written as MongoDB is, say nothing of how it is used.
 */
export const relevanceByName = (share: number): number => NAMED_RELEVANCE * share ** 2;

/** That of the likeliest one that a passage has. */
const worthOfNames = (names: readonly NameInWords[], has: ReadonlySet<string>) =>
  names.reduce((most, { term, worth }) => (has.has(term) ? Math.max(most, worth) : most), 0);

/** What is the same for all passages of a page. */
type OfPage = Pick<RankingParts, "page" | "path">;

function partsOfPage(
  path: string,
  { page, inPath }: { page: PageWords; inPath: ReadonlySet<string> },
  wanted: RankingQuery,
): OfPage {
  const named = shareOf(wanted.query.terms, inPath, wanted.known);
  const isOld = !wanted.isOfChanges && tellsWhatWasNew(path);
  return { page: pageShare(page, wanted), path: isOld ? named - OLD_SHARE : named };
}

/** What costs a page of changes its place before a guide that fits as well, and not before one that fits less. */
const OLD_SHARE = 0.5;
const TELLS_WHAT_WAS_NEW =
  /(?:^|[/_.-])(?:change[-_]?logs?|release[-_]?notes?|relnotes|what'?s?[-_]?s?[-_]?new|doc(?:ument)?[-_]history|revision[-_]history|news|blog|announcements?)(?:[/_.-]|$)|(?:^|\/)(?:changes|history|releases)(?:\.[^/]*)?(?:\/|$)/i;
/** What names such a page, or a version that it is about. */
const NAMES_WHAT_WAS_NEW =
  /\b(?:changes (?:in|to|since|between)|releas\w+|which version|announc\w+|blog|news|history|v?\d+\.\d+|neu in)\b|änderung|nouveautés|novedades|更新|变更|変更|新機能/i;

/** Whether a page tells what was new once, by its path. */
export const tellsWhatWasNew = (path: string) => TELLS_WHAT_WAS_NEW.test(path);

/** Whether a question is about what has changed: then pages that say so are what it asks for. */
export const asksWhatWasNew = (text: string) => asksWhatChanged(text) || NAMES_WHAT_WAS_NEW.test(text);

/** The terms of a page's path. */
export type ReadPath = (path: string) => ReadonlySet<string>;

/** About half a kilobyte each. */
const PATHS_KEPT = 2000;
/** What stands between the names of folders and files, and between the words of these. */
const BETWEEN_NAMES = /[/_.-]+/g;

/** Reads the terms of paths, and remembers those that were read last. */
export const createPathReader = (): ReadPath =>
  remembering((path) => new Set(analyze(withoutEnding(path).replace(BETWEEN_NAMES, " "))), PATHS_KEPT);

/** From 0 to 1: how much of the question's weight its page has, each term by how often. */
function pageShare({ length, frequencies }: PageWords, { known, pageLength }: RankingQuery): number {
  let found = 0;
  let all = 0;
  for (const [term, weight] of known) {
    all += weight;
    found += weight * saturated(frequencies.get(term) ?? 0, length, pageLength);
  }
  return all === 0 ? 0 : found / all;
}

/** From 0 to 1: how many of the question's neighbours stand together, by the lesser weight of the two. */
function closenessShare(
  neighbours: readonly Neighbours[],
  closeness: readonly number[],
  known: TermWeights,
): number {
  let found = 0;
  let all = 0;
  for (const [index, [first, second]] of neighbours.entries()) {
    const weight = Math.min(known.get(first) ?? 0, known.get(second) ?? 0);
    all += weight;
    found += weight * (closeness[index] ?? 0);
  }
  return all === 0 ? 0 : found / all;
}

/** The terms of the word that is still being typed. */
const begunBy = ({ prefix, terms }: KeywordQuery) =>
  prefix === undefined ? [] : terms.filter((term) => term.startsWith(prefix));

function nearnessTo(currentPath: string | undefined, path: string): number {
  if (currentPath === undefined) return 0;
  if (isSamePath(path, currentPath)) return 1;
  return folderOf(path) === folderOf(currentPath) ? BESIDE_SHARE : 0;
}

const isSamePath = (one: string, other: string) => withoutEnding(one) === withoutEnding(other);

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
