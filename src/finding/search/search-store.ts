import type { Audience } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";

/** A passage that the index holds. */
export interface Candidate {
  passageId: number;
  pageId: number;
  path: string;
  /** Where the page was found: its address ends as that does. */
  location: string;
  version: string;
  language: string;
  /** Whom its page is for; empty: everyone. */
  groups: string[];
  title: string;
  headings: string[];
  /** The anchor of the nearest heading, or of the first section where several short ones were joined. */
  anchor: string;
  /** The headings of the sections joined behind the first, with where they are in the Markdown and in the text. */
  innerHeadings: { offset: number; textOffset: number; anchor: string; headingPath: string[] }[];
  position: number;
  markdown: string;
  text: string;
  /** Whether words are missing that its page shows: what it says may not be what the page says. */
  lacksWords: boolean;
}

/** The generation that a site's readers see, the segments of its keyword index, and the embedder of its vectors, as of one moment. */
export interface IndexState {
  /** The number of the generation that readers see; 0 before the first one. */
  generation: number;
  /** The ids of the segments, ascending. */
  segments: number[];
  /** False where a version that encodes segments differently has made one of them. */
  isReadable: boolean;
  embedder: { id: number; identity: string; dimensions: number } | undefined;
  /** The segments of what models wrote for passages, and whether it has a part in the ranking. */
  enrichment: { segments: number[]; counts: boolean };
}

/** Whether what was written for passages has a part in what readers find. */
export const isEnriched = ({ segments, counts }: IndexState["enrichment"]): boolean =>
  counts && segments.length > 0;

/** The part of the index to search: one site in one generation, for whoever reads, narrowed by a filter. */
export interface SearchScope {
  siteId: number;
  generation: number;
  /** What is not for them is as if it were not there, for every number and every guess. */
  audience: Audience;
  filter: PageFilter;
}

/** The number of a site's passages with each term, and of all its passages. */
export interface Frequencies {
  passages: number;
  of: ReadonlyMap<string, number>;
}

export interface FoundByWords {
  passageId: number;
  /** Larger is better, within one query. */
  score: number;
}

/** A passage's entry in the index: its id, its page's, and its vector if it has one. */
export interface VectorRow {
  passageId: number;
  pageId: number;
  /** The sign of each dimension. */
  bits: Uint8Array | undefined;
  /** One byte with a sign for each dimension. */
  vector: Uint8Array | undefined;
}

/** Vectors that one embedder made. */
export interface VectorsOf {
  embedderId: number;
  /** Whether a passage for which something was written has the vector of its text and of that, where it was made. */
  isEnriched: boolean;
}

/** Another state of a site's index than the one that readers see: what a run has staged upon that, or a generation that is kept. */
export type IndexPoint = { staged: number } | { generation: number };

/** Passages of a page that follow one another, by their positions; both ends are part of it. */
export interface PassageRun {
  pageId: number;
  first: number;
  last: number;
}

/** What a passage and its page are called. */
export interface NamedPassage
  extends Pick<Candidate, "passageId" | "pageId" | "path" | "language" | "title"> {
  /** Its own section, and those that were joined behind it, in order. */
  sections: { anchor: string; headings: string[] }[];
}

/** The index, as retrieval needs it. */
export interface SearchStore {
  /** The index as it is at that point: for a question that readers do not ask. */
  at(point: IndexPoint): SearchStore;
  state(siteId: number): Promise<IndexState>;
  /** Whether all that readers saw in a generation is still there: runs that come later remove it. */
  isKept(scope: Pick<SearchScope, "siteId" | "generation">): Promise<boolean>;
  /** The ids of the pages that are for the audience and that the filter allows; hidden ones never. */
  pageIds(scope: SearchScope): Promise<Set<number>>;
  /** The groups that any page of the generation is for, in order. */
  groups(scope: Pick<SearchScope, "siteId" | "generation">): Promise<string[]>;
  /** The ids of the passages of questions out of trackers, whatever the filter and whomever they are for. */
  questionPassages(scope: Pick<SearchScope, "siteId" | "generation">): Promise<Set<number>>;
  /** All vectors of a generation, whomever they are for, in batches between which others run. */
  vectors(scope: Pick<SearchScope, "siteId" | "generation">, of: VectorsOf): AsyncIterable<VectorRow[]>;
  /** What the passages of a scope are called, in the order of pages and within them, in batches between which others run. */
  names(scope: SearchScope): AsyncIterable<NamedPassage[]>;
  /** The cosine of passages' vectors with this one, from -1 to 1; passages without a vector are missing. */
  similarities(of: VectorsOf, vector: Int8Array, passageIds: number[]): Promise<Map<number, number>>;
  load(passageIds: number[]): Promise<Candidate[]>;
  /** The passages of these runs, in the order of their pages and within them. Whether the pages may be read is known before. */
  runs(runs: readonly PassageRun[]): Promise<Candidate[]>;
  /** The passages of a page in order; empty where the scope does not have the page. */
  passagesOf(scope: SearchScope, pageId: number): Promise<Candidate[]>;
}

/** A text that a plain full-text index holds. */
export interface PlainEntry {
  title: string;
  text: string;
  language: string;
}

/**
 * A full-text index as it comes with the engine, in memory: what an evaluation of search is held against. It shares
 * nothing with the index that readers search.
 */
export interface PlainIndex {
  add(entries: readonly PlainEntry[]): void;
  /** The numbers of the entries with any of the words, in the order in which they were added, best first. */
  find(words: readonly string[], options: { titleWeight: number; language: string; limit: number }): number[];
  close(): void;
}
