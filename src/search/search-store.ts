import type { PageFilter } from "../pages/pages.ts";
import type { KeywordQuery } from "./read-query.ts";

/** A passage that the index holds. */
export interface Candidate {
  passageId: number;
  pageId: number;
  path: string;
  version: string;
  language: string;
  title: string;
  headings: string[];
  /** The nearest heading's; of a passage of several short sections, the first one's. */
  anchor: string;
  /** The headings of the sections that were joined behind the first, and where in the Markdown they begin. */
  innerHeadings: { offset: number; anchor: string; headingPath: string[] }[];
  position: number;
  markdown: string;
  text: string;
}

/** What a site's readers see, and what its vectors were made with. */
export interface IndexState {
  /** The number of the generation that readers see; 0 before the first one. */
  generation: number;
  embedder: { id: number; identity: string; dimensions: number } | undefined;
}

/** What of an index is asked: one site, as it was in one generation, narrowed by a filter. */
export interface Scope {
  siteId: number;
  generation: number;
  filter: PageFilter;
}

/** What the keyword index is asked for. */
export interface WordMatch extends Pick<KeywordQuery, "terms" | "phrases" | "prefix"> {
  /** The terms of which a passage must have one, unless it has a phrase or the prefix; all of them where not named. */
  oneOf?: string[] | undefined;
}

/** In how many passages of a site terms occur, and how many it has. */
export interface Frequencies {
  passages: number;
  of: ReadonlyMap<string, number>;
}

export interface FoundByWords {
  passageId: number;
  /** Larger is better, within one query. */
  score: number;
}

/** A passage's place in the index: which it is, which page's, and the signs of its vector where it has one. */
export interface SignRow {
  passageId: number;
  pageId: number;
  bits: Uint8Array | undefined;
}

/** The index, as retrieval needs it. */
export interface SearchStore {
  state(siteId: number): Promise<IndexState>;
  /** Passages that the keyword index finds, best first. */
  match(scope: Scope, query: WordMatch, limit: number): Promise<FoundByWords[]>;
  /** In how many passages of the site each term occurs; those that occur in none are not there. */
  frequencies(siteId: number, terms: string[]): Promise<Map<string, number>>;
  /** How many passages the keyword index has of the site. */
  countPassages(siteId: number): Promise<number>;
  /** The ids of the pages that a filter lets through; hidden ones never. */
  pageIds(scope: Scope): Promise<Set<number>>;
  /** At most how many passages `signs` gives. */
  countSigns(scope: Scope, embedderId: number): Promise<number>;
  /** The signs of all vectors of a generation, in batches. */
  signs(scope: Scope, embedderId: number): AsyncIterable<SignRow[]>;
  /** How near the vectors of passages point to this one, from -1 to 1; nothing of those that have none. */
  similarities(embedderId: number, vector: Int8Array, passageIds: number[]): Promise<Map<number, number>>;
  load(passageIds: number[]): Promise<Candidate[]>;
}
