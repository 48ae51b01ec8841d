import type { Embedder } from "../embed/embedder.ts";
import { signBits, signedBytes } from "../embed/quantize.ts";
import type { Log } from "../lib/log.ts";
import { reasonFields } from "../lib/log-reason.ts";
import { nextTurn } from "../lib/next-turn.ts";
import { snippet } from "../markdown/snippet.ts";
import { hrefOf } from "../pages/page-path.ts";
import type { PageFilter } from "../pages/pages.ts";
import { type Fused, fuse, type Proposal } from "./fuse.ts";
import { createGenerationCache } from "./generation-cache.ts";
import { placeOf } from "./inner-sections.ts";
import { type Judged, judge } from "./judge.ts";
import { pickHits } from "./pick.ts";
import { type KeywordQuery, readQuery } from "./read-query.ts";
import type { Candidate, FoundByWords, Frequencies, IndexState, Scope, SearchStore } from "./search-store.ts";
import { knownSpellings, rarityOf, type TermWeights, termsToMatch, weighTerms } from "./term-weights.ts";
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
/** How many nearest ones by signs are looked at by their whole vectors. */
const RESCORED = 200;
/** How many more than are asked for are looked at word by word: some fall behind, some share a section. */
const JUDGED_BESIDES = 20;
/** How many that have a name of the question are looked at whatever else they have, and how rare such a name is. */
const NAMED = 20;
const RARITY_MIN = 0.6;
/** Clients send search results back with every later question, so they are kept short. */
const SNIPPET_CHARACTERS_MAX = 300;

export function createSearch(deps: SearchDeps): Search {
  const { store, embedder } = deps;
  const cache = createGenerationCache({ store, signsMax: deps.signsMax });

  return {
    async find({ siteId, text, filter = {}, pageSize, currentPath, asYouType = false, parts = {} }) {
      const state = await store.state(siteId);
      const { generation } = state;
      const scope: Scope = { siteId, generation, filter };
      const query = readQuery(text, { asYouType });
      if (query.terms.length === 0) return { generation, hits: [] };
      const limit = Math.max(PROPOSED, pageSize * 2);
      const frequencies = await cache.frequencies(scope, query.terms);
      const terms = knownSpellings(query.terms, query.spellings, frequencies);
      const words =
        parts.keyword === false ? [] : await matchWords(scope, { ...query, terms }, frequencies, limit);
      const named = parts.keyword === false ? [] : await matchNames(scope, query, frequencies);
      // Each step keeps the only thread for a few milliseconds: between them, what is streamed goes on.
      await nextTurn();
      const meaning = parts.nearest === false ? undefined : await openMeaning(scope, state, text);
      const fused = fuse(await propose([...named, ...words], meaning, limit), query);
      const best = new Map(bestOf(fused, pageSize, named).map((each) => [each.passageId, each]));
      const weights = weighTerms(terms, frequencies);
      const verbatim = weighVerbatim(query.verbatim, frequencies, weights);
      const wanted = {
        query,
        weights,
        verbatim,
        currentPath,
        typicalSimilarity: meaning?.typicalSimilarity ?? 0,
      };
      await nextTurn();
      const judged = (await store.load([...best.keys()])).flatMap((candidate) => {
        const own = best.get(candidate.passageId);
        return own ? [judge(candidate, own, wanted)] : [];
      });
      return { generation, hits: pickHits(judged, pageSize).map((each) => toHit(each, weights)) };
    },
  };

  async function matchWords(scope: Scope, query: KeywordQuery, frequencies: Frequencies, limit: number) {
    const match = { ...query, ...termsToMatch(query.terms, frequencies) };
    const nothing = match.terms.length + query.phrases.length === 0 && query.prefix === undefined;
    return nothing ? [] : store.match(scope, match, limit);
  }

  /** A name may be the least of a long question's words, and all that it is about. */
  async function matchNames(scope: Scope, { verbatim, phrases }: KeywordQuery, frequencies: Frequencies) {
    const terms = verbatim
      .flatMap((each) => each.terms.slice(0, 1))
      .filter((term) => isRare(term, frequencies));
    if (terms.length + phrases.length === 0) return [];
    return store.match(scope, { terms, phrases, prefix: undefined }, NAMED);
  }

  /** Undefined where the question has no vector, or the site has none of this embedder's. */
  async function openMeaning(scope: Scope, state: IndexState, text: string): Promise<Meaning | undefined> {
    const own = state.embedder;
    if (!own) return undefined;
    const vector = await vectorOf(text, own.identity);
    if (!vector) return undefined;
    const signs = await cache.signs(scope, own);
    const { near, typicalSimilarity } = signs.nearest(signBits(vector), RESCORED, await cache.allows(scope));
    return {
      typicalSimilarity,
      near: near.map(({ passageId }) => passageId),
      similarities: (passageIds) => store.similarities(own.id, signedBytes(vector), passageIds),
    };
  }

  /** Where the vector cannot be had in time, search is by keywords. */
  async function vectorOf(text: string, identity: string): Promise<Float32Array | undefined> {
    const signal = AbortSignal.timeout(deps.questionMs);
    try {
      if ((await embedder.describe(signal)).identity !== identity) return undefined;
      const [vector] = await embedder.embed([text], "question", signal);
      return vector;
    } catch (error) {
      deps.log.warn("a question has no vector: it was searched for by keywords alone", reasonFields(error));
      return undefined;
    }
  }
}

/** What is looked at word by word: the best of all, and what has a name that was asked for. */
function bestOf(fused: Fused[], pageSize: number, named: FoundByWords[]): Fused[] {
  const ids = new Set(named.map(({ passageId }) => passageId));
  return fused.filter(({ passageId }, rank) => rank < pageSize + JUDGED_BESIDES || ids.has(passageId));
}

const isRare = (term: string, frequencies: Frequencies) =>
  frequencies.of.has(term) && rarityOf(term, frequencies) >= RARITY_MIN;

/** What is near a question's vector. */
interface Meaning {
  typicalSimilarity: number;
  near: number[];
  similarities(passageIds: number[]): Promise<Map<number, number>>;
}

/** What either way of searching found, with what the other says of it. */
async function propose(
  words: { passageId: number; score: number }[],
  meaning: Meaning | undefined,
  limit: number,
): Promise<Proposal[]> {
  const scores = new Map(words.map(({ passageId, score }) => [passageId, score]));
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
