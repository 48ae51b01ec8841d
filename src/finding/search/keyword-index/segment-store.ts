import type { Lease } from "@docent/kernel/lib/lease";
/**
 * A segment of a site's keyword index: some of its passages, with the lists of where each of their terms is. It is
 * written once and never changes; which of its passages readers see, the generation decides. What is for everyone and
 * what is not stands in segments of its own: no question of those who may see the first alone comes near the others.
 */
export interface SegmentEntry {
  id: number;
  passages: number;
  bytes: number;
  /** What cut and encoded it: a segment of another revision is made anew. */
  revision: string;
}

/** A row of a segment: rows are read one by one, so that a question reads no more than its terms. */
export interface SegmentRow {
  number: number;
  bytes: Uint8Array;
}

/** A page with the links that lead from it. */
export interface LinkingPage {
  /** What links to the page are resolved to. */
  address: string;
  links: readonly PageLink[];
}

interface PageLink {
  /** The address of the page that it leads to, if there is one. */
  to: string;
  text: string;
}

/** What was written for a passage, in words that readers may use and it does not have. */
export interface AddedText {
  questions: string[];
  words: string[];
}

/** A passage, as the index reads it. */
export interface IndexablePassage {
  id: number;
  pageId: number;
  title: string;
  /** Words that the page's author chose for search. Its first passage alone has them. */
  keywords: string[];
  headings: string[];
  text: string;
  identifiers: string[];
  /** The page itself. Its first passage alone has it. */
  page?: LinkingPage | undefined;
  /** In segments of what was added to passages: of each, only the terms that the passage does not have are indexed. */
  added?: AddedText | undefined;
}

/** Keeps the segments of sites, and has the passages that they are made of. */
export interface SegmentStore {
  /** The site's segments, by id. */
  list(siteId: number): Promise<SegmentEntry[]>;
  /** Some rows of a segment. Those that are not there are missing: the segment has been replaced meanwhile. */
  rows(segmentId: number, numbers: readonly number[]): Promise<SegmentRow[]>;

  /** Begins a segment. Nobody sees it before it is finished. The site's index is locked. */
  begin(siteId: number): Promise<number>;
  write(segmentId: number, rows: readonly SegmentRow[]): Promise<void>;
  /**
   * Shows segments to everyone in the place of others, in one write: several where they have what one had, so that
   * nobody finds a passage twice or not at all. Raises `conflict`, and changes nothing, where not all of the first are
   * there unfinished, and all of the others finished: somebody else has the site's index by now.
   */
  finish(written: readonly Omit<SegmentEntry, "bytes">[], replaced: readonly number[]): Promise<void>;
  /** Takes segments away, finished or not. */
  remove(segmentIds: readonly number[]): Promise<void>;
  /** The ids of segments that were begun and never finished. While the site's index is locked, nobody works on them. */
  unfinished(siteId: number): Promise<number[]>;

  /** The ids of the site's passages, ascending, whichever generation shows them; of one run where it is named. */
  passageIds(siteId: number, runId?: number): Promise<number[]>;
  /** Those of generations: what is only staged is indexed when its run is. */
  publishedIds(siteId: number): Promise<number[]>;
  passages(ids: readonly number[]): Promise<IndexablePassage[]>;
  /** Which of these pages are for some readers only. A page that is, always was. */
  restrictedOf(pageIds: readonly number[]): Promise<number[]>;

  /** The sites that have passages. */
  sites(): Promise<number[]>;
  /** Locks the site's index against other writers, in this process and others. Undefined while one of them has it. */
  lock(siteId: number): Promise<Lease | undefined>;
}
