import type { Embedder } from "../embed/embedder.ts";
import type { Log } from "../lib/log.ts";
import { nextTurn } from "../lib/next-turn.ts";
import { snippet } from "../markdown/snippet.ts";
import { hrefOf } from "../pages/page-path.ts";
import type { PageFilter } from "../pages/pages.ts";
import { createCandidateReader } from "./candidate-terms.ts";
import { type Fused, fuse, type Proposal } from "./fuse.ts";
import { createGenerationCache } from "./generation-cache.ts";
import { placeOf } from "./inner-sections.ts";
import { type Judged, judge, type Wanted } from "./judge.ts";
import { createMeaningMatch, type Meaning } from "./match-meaning.ts";
import { matchWords, type WordProposals } from "./match-words.ts";
import { pickHits } from "./pick.ts";
import { readQuery } from "./read-query.ts";
import type { Candidate, Scope, SearchStore } from "./search-store.ts";
import { knownSpellings, type TermWeights, weighTerms } from "./term-weights.ts";
import { weighVerbatim } from "./verbatim-worth.ts";

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

export interface Hit extends Candidate {
  /** Larger is better; comparable within one query only. */
  score: number;
  /** From 0 to 1: how sure it is that the passage answers what was asked. Comparable between queries and sites. */
  relevance: number;
  /** A short piece of its text, for lists. */
  snippet: string;
  /** Path and anchor as an address, relative to the site. */
  href: string;
}

export interface SearchResult {
  generation: number;
  /** Best first. */
  hits: Hit[];
}

/** Finds passages. */
export interface Search {
  find(query: SearchQuery): Promise<SearchResult>;
}

interface SearchDeps {
  store: SearchStore;
  embedder: Embedder;
  log: Log;
  /** The most passages whose signs are kept in memory. */
  signsMax: number;
  /** How long a question may wait for its vector. */
  questionMs: number;
}

/** How many passages each way of searching proposes. */
const PROPOSED = 150;
/** How many more than are asked for are looked at word by word: some fall behind, some share a section. */
const JUDGED_BESIDES = 20;
/** Clients send search results back with every later question, so they are kept short. */
const SNIPPET_CHARACTERS_MAX = 300;
/** A longer question, or what was pasted into it, says no more of what it is about, and would keep the only thread. */
const TEXT_CHARACTERS_MAX = 10_000;
const NO_WORDS: WordProposals = { found: [], named: new Set() };

export function createSearch(deps: SearchDeps): Search {
  const { store } = deps;
  const cache = createGenerationCache({ store, signsMax: deps.signsMax });
  const matchMeaning = createMeaningMatch({ ...deps, cache });
  const readTerms = createCandidateReader();

  return {
    async find({ siteId, text: whole, filter = {}, pageSize, currentPath, asYouType = false, parts = {} }) {
      const text = whole.slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
      const state = await store.state(siteId);
      const { generation } = state;
      const scope: Scope = { siteId, generation, filter };
      const asked = readQuery(text, { asYouType });
      if (asked.terms.length === 0) return { generation, hits: [] };
      const frequencies = await cache.frequencies(scope, asked.terms);
      const terms = knownSpellings(asked.terms, asked.spellings, frequencies);
      const query = { ...asked, terms };
      const limit = Math.max(PROPOSED, pageSize * 2);
      const words =
        parts.keyword === false ? NO_WORDS : await matchWords(store, scope, query, frequencies, limit);
      // Each step keeps the only thread for a few milliseconds: between them, what is streamed goes on.
      await nextTurn();
      const meaning = parts.nearest === false ? undefined : await matchMeaning(scope, state, text);
      const fused = fuse(await propose(words, meaning, limit), query);
      await nextTurn();
      const weights = weighTerms(terms, frequencies);
      const verbatim = weighVerbatim(query.verbatim, frequencies, weights);
      const typicalSimilarity = meaning?.typicalSimilarity ?? 0;
      const judged = await judgeAll(bestOf(fused, pageSize, words), {
        ...{ query, weights, verbatim, currentPath, typicalSimilarity },
      });
      return { generation, hits: pickHits(judged, pageSize).map((each) => toHit(each, weights)) };
    },
  };

  async function judgeAll(fused: Fused[], wanted: Wanted): Promise<Judged[]> {
    const byId = new Map(fused.map((each) => [each.passageId, each]));
    return (await store.load([...byId.keys()])).flatMap((candidate) => {
      const own = byId.get(candidate.passageId);
      return own ? [judge(candidate, readTerms(candidate), own, wanted)] : [];
    });
  }
}

/** What is looked at word by word: the best of all, and what has a name that was asked for. */
function bestOf(fused: Fused[], pageSize: number, { named }: WordProposals): Fused[] {
  return fused.filter(({ passageId }, rank) => rank < pageSize + JUDGED_BESIDES || named.has(passageId));
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

function toHit(judged: Judged, weights: TermWeights): Hit {
  const { text, ...place } = placeOf(judged, weights);
  const hit = { ...judged, ...place };
  return { ...hit, snippet: snippet(text, SNIPPET_CHARACTERS_MAX), href: hrefOf(hit) };
}
