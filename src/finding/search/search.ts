import type { Clock } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { snippet } from "@docent/kernel/text/snippet";
import { hrefOf } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import {
  bestSection,
  chooseHits,
  createTermReader,
  type PassageSection,
  type ReadTerms,
  SNIPPET_CHARACTERS_MAX,
  sectionAt,
} from "./choose-hits.ts";
import type { CorrectedQuestion } from "./correct-words.ts";
import { type AskedPage, type Explanation, explain } from "./explain.ts";
import type { SearchQuery } from "./propose.ts";
import { NAMED_RELEVANCE, type RankedPassage, type RankingParts } from "./rank-passages.ts";
import { type CalibrationStore, type Calibrator, createCalibrator } from "./relevance/relevance.ts";
import type { Navigation, OpenRetrieval, ReadRuns, Retrieval, SearchDeps } from "./retrieve.ts";
import type { Candidate, IndexPoint, SearchScope } from "./search-store.ts";
import { isSameSection, wholeSections } from "./sections/sections.ts";
import type { TermWeights } from "./term-weights.ts";

export { withoutCircumstances } from "./asking/asking.ts";
export type { Conversation, SearchQuery } from "./propose.ts";
export { RANKING_WEIGHTS, type RankingParts, scoreOf } from "./rank-passages.ts";
export {
  createPagePassages,
  createPageSections,
  type PagePassages,
  type PageQuery,
  type PageSection,
  type PageSections,
} from "./read-page/read-page.ts";
export {
  ANSWER_WHEN,
  type AnswerWhen,
  type Grade,
  gradeOf,
  RELEVANCE_OF,
  type RelevanceSettings,
  relevanceMinOf,
  relevanceMinOfServer,
  type SiteRelevance,
} from "./relevance/relevance.ts";
export { isSameSection, sectionHolding } from "./sections/sections.ts";
export { type Asked, askedIn } from "./story/story.ts";

export interface Hit extends Candidate {
  /** The headings above its text. `headings` and `anchor` are of the section in it to which a reader is sent. */
  headingsAbove: string[];
  /** The anchor of the lowest of these. */
  anchorAbove: string;
  /** Larger is better; comparable within one query only. */
  score: number;
  /**
   * From 0 to 1: how certain it is that the passage answers the question. Comparable between queries and
   * sites.
   */
  relevance: number;
  /** Whether it has a word that was searched for. */
  hasWords: boolean;
  /** A short excerpt, for lists. */
  snippet: string;
  /** The path and anchor as an address, relative to the site. */
  href: string;
}

export interface SearchResult {
  generation: number;
  /** Best first. */
  hits: Hit[];
  /** What was searched for instead of the text as written; undefined where nothing was corrected. */
  corrected: CorrectedQuestion | undefined;
  /** The question with its compounds as docs write them, as "back up" for "backup"; undefined where it was asked so. */
  spelled: string | undefined;
  /** Whether words and meaning, each by itself, put the same section first as both together. */
  isAgreed: boolean;
}

/** Finds passages. */
export interface Search {
  find(query: SearchQuery): Promise<SearchResult>;
  /** An audience by what of it matters to a generation of a site: those who see the same are the same. */
  audience(site: Pick<SearchScope, "siteId" | "generation">, audience: Audience): Promise<Audience>;
}

/** Searches what readers do not see, beside what they see. */
export interface SearchElsewhere {
  /**
   * A search of the index as it is at that point, for a number of questions: what it reads once is let go of with it. It
   * takes less memory than the search of readers, and as long for each question.
   */
  at(point: IndexPoint): Pick<Search, "find">;
}

/** Explains why passages are found, or not. */
export interface SearchExplainer {
  /** `pages` are explained whether they were found or not. */
  explain(query: SearchQuery, pages: AskedPage[]): Promise<Explanation>;
}

/** Shows what there was to rank, so that other weights can be tried without searching anew. */
export interface CandidateLister {
  candidates(query: SearchQuery): Promise<CandidateList>;
}

/** Tells whether a text leads to a passage. */
export interface PassageReacher {
  /** By the passages' own words and vectors: what was written for them has no part in it. */
  reach(siteId: number, passageId: number, text: string): Promise<Reach>;
}

/** How well a text leads to a passage. */
export interface Reach {
  /** Its place among all that words and meaning propose, from 1; undefined where it is not among them. */
  rank: number | undefined;
  /** The standard deviations by which it is nearer in meaning than passages are in general; undefined without vectors. */
  nearness: number | undefined;
}

export interface CandidateList {
  /** How many of them were scored: the best by words and meaning alone, and those with a name that was asked for. */
  scored: number;
  /** All that was proposed, in no order. */
  candidates: RankingCandidate[];
}

interface RankingCandidate {
  passageId: number;
  path: string;
  parts: RankingParts;
  /** Whether it has a name that was asked for. */
  isNamed: boolean;
}

/** Less relevant passages say next to nothing of the question. */
export const NOISE_RELEVANCE = 0.05;
/** The same beside passages that have words of the question: in a site of a few pages, what is near in meaning is little above. */
const LISTED_RELEVANCE = 0.02;

/** The hits that a list shows. A search is no answer: where none is of much relevance, those that have a word of it are shown. */
export function listedHits(hits: readonly Hit[]): Hit[] {
  const least = hits.some(({ hasWords }) => hasWords) ? LISTED_RELEVANCE : NOISE_RELEVANCE;
  const telling = hits.filter(({ relevance }) => relevance >= least);
  return telling.length > 0 ? telling : hits.filter(({ hasWords }) => hasWords);
}

/** What calibrating needs besides. */
interface CalibratingDeps {
  calibrations: CalibrationStore;
  clock: Clock;
}

/** What a search keeps in memory that is asked a number of questions and let go of. */
const MEMORY_ELSEWHERE = { vector_memory_bytes: 0, keyword_memory_bytes: 2 ** 25, passage_memory_bytes: 0 };

export function createSearch(
  deps: SearchDeps & CalibratingDeps,
): Search & SearchElsewhere & SearchExplainer & CandidateLister & PassageReacher & Calibrator {
  const opened = openLater(deps);
  const { retrieve, audience } = opened;
  const { settings, store, calibrations, clock } = deps;
  const readTerms = createTermReader();
  return {
    find: (query) => findIn(opened, readTerms, query),

    at(point) {
      const elsewhere = { ...deps, store: store.at(point), settings: { ...settings, ...MEMORY_ELSEWHERE } };
      const openedThere = openLater(elsewhere);
      return { find: (query) => findIn(openedThere, readTerms, query) };
    },

    audience,

    explain: (query, pages) =>
      retrieve(query, async (retrieval) => {
        const explained = await explain(retrieval, query, pages);
        await retrieval.checkKept();
        return explained;
      }),

    candidates: (query) => retrieve(query, listCandidates),

    reach: (siteId, passageId, text) =>
      retrieve({ siteId, audience: "everything", text, pageSize: 1, parts: OWN_WORDS }, (retrieval) =>
        reachOf(retrieval, passageId),
      ),

    ...createCalibrator({
      store: calibrations,
      state: (siteId) => store.state(siteId),
      audience,
      pages: async (scope) => (await store.pageIds({ ...scope, filter: {} })).size,
      survey: opened.survey,
      clock,
    }),
  };
}

/** Loaded with the first question: a server that nobody asks needs none of it. */
function openLater(deps: SearchDeps): OpenRetrieval {
  let opened: Promise<OpenRetrieval> | undefined;
  const open = () => {
    opened ??= import("./retrieve.ts").then(({ createRetrieval }) => createRetrieval(deps));
    return opened;
  };
  return {
    retrieve: async (asked, use) => (await open()).retrieve(asked, use),
    navigate: async (asked, use) => (await open()).navigate(asked, use),
    survey: async (siteId, audience) => (await open()).survey(siteId, audience),
    audience: async (site, audience) => (await open()).audience(site, audience),
  };
}

/** Finds passages for a question, or for a search box. */
const findIn = (from: OpenRetrieval, readTerms: ReadTerms, query: SearchQuery): Promise<SearchResult> =>
  query.order === "navigation"
    ? from.navigate(query, (navigation) => findByName(navigation, readTerms, query))
    : from.retrieve(query, async (retrieval) => ({
        generation: retrieval.scope.generation,
        hits: await hitsOf(retrieval, readTerms, query),
        corrected: retrieval.corrected,
        spelled: retrieval.spelled,
        isAgreed: agrees(retrieval),
      }));

/**
 * Of 180 questions in readers' words, those of which this is so (29 %) have the section that answers among the first five,
 * every one of them; of the others, .58 have.
 */
function agrees({ ranked, words, fused, isTranslated }: Retrieval): boolean {
  if (isTranslated) return false;
  const byScore = ranked.toSorted((a, b) => b.score - a.score);
  const byWords = best(words.found, ({ score }) => score);
  const byMeaning = best(fused, ({ similarity = Number.NEGATIVE_INFINITY }) => similarity);
  if (byMeaning?.similarity === undefined) return false;
  const places = [byWords, byMeaning].map((each) =>
    ranked.find(({ passageId }) => passageId === each?.passageId),
  );
  const [first] = byScore;
  return first !== undefined && places.every((place) => place !== undefined && isSameSection(place, first));
}

const best = <Each>(all: readonly Each[], measure: (each: Each) => number): Each | undefined =>
  all.reduce<Each | undefined>(
    (most, each) => (most === undefined || measure(each) > measure(most) ? each : most),
    undefined,
  );

async function hitsOf(
  retrieval: Retrieval,
  readTerms: ReadTerms,
  query: Pick<SearchQuery, "pageSize" | "text" | "sections">,
): Promise<Hit[]> {
  await letOthersRun();
  const chosen = chooseHits(retrieval.ranked, query.pageSize, query.text);
  const hits = chosen.map((each) => toHit(each, retrieval.weights, readTerms));
  return asAsked(hits, query, retrieval.readRuns);
}

const asAsked = async (hits: Hit[], { sections }: Pick<SearchQuery, "sections">, readRuns: ReadRuns) =>
  sections === "whole" ? wholeSections(hits, readRuns) : hits;

/** The pages and sections that have the name that was typed, and behind them what else was found. */
async function findByName(
  { generation, places, retrieval, readRuns }: Navigation,
  readTerms: ReadTerms,
  query: SearchQuery,
): Promise<SearchResult> {
  const { pageSize, text } = query;
  const hits = retrieval === undefined ? [] : await hitsOf(retrieval, readTerms, { pageSize, text });
  const best = hits[0]?.score ?? 0;
  const named = places.map(({ passage, anchor }, index): Hit => {
    const score = best + places.length - index;
    const judged = { ...passage, score, relevance: NAMED_RELEVANCE, hasWords: true };
    return asHit(judged, sectionAt(passage, anchor));
  });
  const placeOf = ({ pageId, anchor }: Hit) => `${pageId} ${anchor}`;
  const shown = new Set(named.map(placeOf));
  const others = hits.filter((hit) => !shown.has(placeOf(hit)));
  return {
    generation,
    hits: await asAsked([...named, ...others].slice(0, pageSize), query, readRuns),
    corrected: retrieval?.corrected,
    spelled: retrieval?.spelled,
    isAgreed: named.length === 0 && retrieval !== undefined && agrees(retrieval),
  };
}

async function listCandidates({ scored, words, fused, rankAll }: Retrieval): Promise<CandidateList> {
  const candidates = (await rankAll(fused)).map(({ passageId, path, parts }) => ({
    passageId,
    path,
    parts,
    isNamed: words.named.has(passageId),
  }));
  return { scored, candidates };
}

const OWN_WORDS = { enrichment: false, corrections: false };

async function reachOf({ fused, meaning }: Retrieval, passageId: number): Promise<Reach> {
  const place = fused.findIndex((each) => each.passageId === passageId);
  const similarity = (await meaning?.similarities([passageId]))?.get(passageId);
  const isKnown = meaning !== undefined && similarity !== undefined;
  return {
    rank: place < 0 ? undefined : place + 1,
    nearness: isKnown ? (similarity - meaning.level.typical) / meaning.level.spread : undefined,
  };
}

function toHit(
  { has, parts: _, linked: __, ...judged }: RankedPassage,
  weights: TermWeights,
  readTerms: ReadTerms,
): Hit {
  return asHit({ ...judged, hasWords: has.size > 0 }, bestSection(judged, weights, readTerms));
}

/** A passage as a hit that leads to one of its sections. */
function asHit(
  judged: Omit<Hit, "snippet" | "href" | "headingsAbove" | "anchorAbove">,
  { anchor, headings, text }: PassageSection,
): Hit {
  const href = hrefOf({ ...judged, anchor });
  const above = { headingsAbove: judged.headings, anchorAbove: judged.anchor };
  return { ...judged, anchor, headings, ...above, snippet: snippet(text, SNIPPET_CHARACTERS_MAX), href };
}
