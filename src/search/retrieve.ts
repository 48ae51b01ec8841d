import type { Embedder } from "../embed/embedder.ts";
import { SECOND_MS } from "../lib/clock.ts";
import { letOthersRun } from "../lib/event-loop.ts";
import type { Log } from "../lib/log.ts";
import type { PageFilter } from "../pages/pages.ts";
import { createGenerationCache, type GenerationCache } from "./generation-cache.ts";
import { createMeaningMatch, type Meaning } from "./match-meaning.ts";
import { matchWords, type WordProposals } from "./match-words.ts";
import {
  type CandidateTerms,
  createCandidateReader,
  type Fused,
  fuse,
  type Proposal,
  type RankedPassage,
  type RankingQuery,
  scoreCandidate,
} from "./rank-passages.ts";
import { type KeywordQuery, readQuery } from "./read-query.ts";
import type { Candidate, Frequencies, Scope, SearchStore } from "./search-store.ts";
import { knownSpellings, type TermWeights, weighTerms } from "./term-weights.ts";
import { weighVerbatim } from "./verbatim.ts";

export interface SearchQuery {
  siteId: number;
  text: string;
  filter?: PageFilter | undefined;
  pageSize: number;
  /** The page the reader is on: it and its neighbours get a nudge. */
  currentPath?: string | undefined;
  /** The last word may be the beginning of one. */
  asYouType?: boolean | undefined;
  /** What to search by; both where it is not said. For measuring. */
  parts?: { keyword?: boolean | undefined; nearest?: boolean | undefined } | undefined;
}

/** What it reads of the settings, in their own names. */
interface SearchSettings {
  /** The most passages whose signs are kept in memory. */
  vectors_in_memory: number;
  /** How long a question may wait for its vector. */
  question_vector_seconds: number;
}

export interface SearchDeps {
  settings: SearchSettings;
  store: SearchStore;
  embedder: Embedder;
  log: Log;
}

/** All that was learned on the way from a question to the passages that were looked at word by word. */
export interface Retrieval {
  /** What was searched for, as it was written. */
  text: string;
  scope: Scope;
  query: KeywordQuery;
  frequencies: Frequencies;
  weights: TermWeights;
  words: WordProposals;
  /** Undefined where the question has no vector, or the site has none. */
  meaning: Meaning | undefined;
  /** All that was proposed, the best first. */
  fused: Fused[];
  ranked: RankedPassage[];
  /** Looks at any passages as those were that were proposed. */
  rankAll(fused: Fused[]): Promise<RankedPassage[]>;
  termsOf(candidate: Candidate): CandidateTerms;
  /** Says which pages the filter lets through; undefined where all of them pass. */
  allows(): Promise<((pageId: number) => boolean) | undefined>;
}

/** How many passages each way of searching proposes. */
const PROPOSED = 150;
/** How many more than are asked for are looked at word by word: some fall behind, some share a section. */
const READ_BESIDES = 20;
/** A longer question, or what was pasted into it, says no more of what it is about, and would keep the only thread. */
const TEXT_CHARACTERS_MAX = 10_000;
const NO_WORDS: WordProposals = { found: [], named: new Set() };

/** The one line from a question to passages, which finding and explaining share. */
export function createRetrieval(deps: SearchDeps): (query: SearchQuery) => Promise<Retrieval> {
  const { settings, store } = deps;
  const cache = createGenerationCache({ store, signsMax: settings.vectors_in_memory });
  const questionMs = settings.question_vector_seconds * SECOND_MS;
  const steps: Steps = {
    store,
    cache,
    matchMeaning: createMeaningMatch({ ...deps, cache, questionMs }),
    termsOf: createCandidateReader(),
  };
  return (asked) => retrieve(steps, asked);
}

/** What a retrieval is made with. */
interface Steps {
  store: SearchStore;
  cache: GenerationCache;
  matchMeaning: ReturnType<typeof createMeaningMatch>;
  termsOf: ReturnType<typeof createCandidateReader>;
}

async function retrieve(steps: Steps, asked: SearchQuery): Promise<Retrieval> {
  const { store, cache, termsOf } = steps;
  const { siteId, filter = {}, pageSize, currentPath, asYouType = false, parts = {} } = asked;
  const text = asked.text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
  const state = await store.state(siteId);
  const scope: Scope = { siteId, generation: state.generation, filter };
  const read = readQuery(text, { asYouType });
  const isEmpty = read.terms.length === 0;
  const frequencies = await cache.frequencies(scope, read.terms);
  const terms = knownSpellings(read.terms, read.spellings, frequencies);
  const query = { ...read, terms };
  const limit = Math.max(PROPOSED, pageSize * 2);
  const isByWords = !isEmpty && parts.keyword !== false;
  const words = isByWords ? await matchWords(store, scope, query, frequencies, limit) : NO_WORDS;
  // Each step keeps the only thread for a few milliseconds: between them, what is streamed goes on.
  await letOthersRun();
  const isByMeaning = !isEmpty && parts.nearest !== false;
  const meaning = isByMeaning ? await steps.matchMeaning(scope, state, text) : undefined;
  const fused = fuse(await propose(words, meaning, limit), query);
  await letOthersRun();
  const weights = weighTerms(terms, frequencies);
  const verbatim = weighVerbatim(query.verbatim, frequencies, weights);
  const typicalSimilarity = meaning?.typicalSimilarity ?? 0;
  const wanted: RankingQuery = { query, weights, verbatim, currentPath, typicalSimilarity };
  const rankAll = (some: Fused[]) => rankCandidates(steps, some, wanted);
  return {
    text,
    scope,
    query,
    frequencies,
    weights,
    words,
    meaning,
    fused,
    rankAll,
    termsOf,
    ranked: await rankAll(bestOf(fused, pageSize, words)),
    allows: () => cache.allows(scope),
  };
}

async function rankCandidates(
  { store, termsOf }: Steps,
  fused: Fused[],
  wanted: RankingQuery,
): Promise<RankedPassage[]> {
  const byId = new Map(fused.map((each) => [each.passageId, each]));
  if (byId.size === 0) return [];
  return (await store.load([...byId.keys()])).flatMap((candidate) => {
    const own = byId.get(candidate.passageId);
    return own ? [scoreCandidate(candidate, termsOf(candidate), own, wanted)] : [];
  });
}

/** What is looked at word by word: the best of all, and what has a name that was asked for. */
function bestOf(fused: Fused[], pageSize: number, { named }: WordProposals): Fused[] {
  return fused.filter(({ passageId }, rank) => rank < pageSize + READ_BESIDES || named.has(passageId));
}

/** What either way of searching found, with what the other says of it. */
async function propose(
  { found }: WordProposals,
  meaning: Meaning | undefined,
  limit: number,
): Promise<Proposal[]> {
  const scores = new Map(found.map(({ passageId, score }) => [passageId, score]));
  const all = [...new Set([...scores.keys(), ...(meaning?.near ?? [])])];
  const similarities = (await meaning?.similarities(all)) ?? new Map<number, number>();
  const nearest = (meaning?.near ?? [])
    .toSorted((a, b) => (similarities.get(b) ?? 0) - (similarities.get(a) ?? 0))
    .slice(0, limit);
  return [...new Set([...scores.keys(), ...nearest])].map((passageId) => ({
    passageId,
    words: scores.get(passageId),
    similarity: similarities.get(passageId),
  }));
}
