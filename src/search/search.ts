import { snippet } from "../markdown/snippet.ts";
import { hrefOf } from "../pages/page-path.ts";
import type { PageFilter } from "../pages/pages.ts";
import { analyze, analyzeQuestion } from "./analyze.ts";

/** A passage that the index holds. */
export interface Candidate {
  passageId: number;
  pageId: number;
  path: string;
  version: string;
  language: string;
  title: string;
  headings: string[];
  anchor: string;
  markdown: string;
  text: string;
  /** Larger is better; comparable within one query only. */
  score: number;
}

export interface Match {
  siteId: number;
  generation: number;
  terms: string[];
  filter: PageFilter;
  limit: number;
}

/** The keyword index, as retrieval needs it. */
export interface SearchStore {
  /** The number of the generation that readers see. */
  generation(siteId: number): Promise<number>;
  /** Passages with any of the terms, best first. */
  match(match: Match): Promise<Candidate[]>;
  /** In how many passages each term occurs, and how many there are. */
  frequencies(terms: string[]): Promise<{ passages: number; of: Map<string, number> }>;
}

export interface SearchQuery {
  siteId: number;
  text: string;
  filter?: PageFilter | undefined;
  pageSize: number;
  /** The page the reader is on: it and its neighbours get a nudge. */
  currentPath?: string | undefined;
}

export interface Hit extends Candidate {
  /** From 0 to 1: how much of what the query asks for the passage speaks of. */
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

const CANDIDATES = 50;
/** Clients send search results back with every later question, so they are kept short. */
const SNIPPET_CHARACTERS_MAX = 300;
const TERMS_MAX = 24;
const CURRENT_PAGE_NUDGE = 1.15;
const NEIGHBOUR_NUDGE = 1.05;

export function createSearch(deps: { store: SearchStore }): Search {
  const { store } = deps;
  return {
    async find({ siteId, text, filter = {}, pageSize, currentPath }) {
      const generation = await store.generation(siteId);
      const terms = analyzeQuestion(text).slice(0, TERMS_MAX);
      if (terms.length === 0) return { generation, hits: [] };
      const frequencies = await store.frequencies(terms);
      const limit = Math.max(CANDIDATES, pageSize);
      const candidates = await store.match({ siteId, generation, terms, filter, limit });
      const ranked = candidates
        .map((candidate) => ({ ...candidate, score: candidate.score * nudge(candidate.path, currentPath) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, pageSize);
      const weights = weigh(terms, frequencies);
      const hits = ranked.map((candidate) => ({
        ...candidate,
        relevance: relevanceOf(candidate, weights),
        snippet: snippet(candidate.text, SNIPPET_CHARACTERS_MAX),
        href: hrefOf(candidate),
      }));
      return { generation, hits };
    },
  };
}

/** What each term tells: a rare one much, one that no passage has as much as the rarest. */
function weigh(
  terms: string[],
  { passages, of }: { passages: number; of: Map<string, number> },
): Map<string, number> {
  return new Map(
    terms.map((term) => {
      const frequency = of.get(term) ?? 0;
      return [term, Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))];
    }),
  );
}

function relevanceOf(candidate: Candidate, weights: Map<string, number>): number {
  const present = new Set(analyze([candidate.title, ...candidate.headings, candidate.text].join("\n")));
  let found = 0;
  let all = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (present.has(term)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

function nudge(path: string, currentPath: string | undefined): number {
  if (currentPath === undefined) return 1;
  if (path === currentPath) return CURRENT_PAGE_NUDGE;
  return folderOf(path) === folderOf(currentPath) ? NEIGHBOUR_NUDGE : 1;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
