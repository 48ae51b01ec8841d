import type { Passage } from "../markdown/page.ts";
import type { Source } from "./stores.ts";

/** A page that a run knows: as readers see it, or as an interrupted run left it. */
export interface KnownPage {
  path: string;
  location: string;
  contentHash: string;
  staged: boolean;
  /** This run has marked it for removal, as it does with what it stages another revision of. */
  dropped: boolean;
}

/** A page as it goes into the index. */
export interface StagedPage {
  path: string;
  /** A curated answer is no page to its readers: it is not counted, searched, or opened. */
  kind: "page" | "answer";
  /** Where it was found. Links in the page are relative to it. */
  location: string;
  title: string;
  description: string | undefined;
  frontMatter: Record<string, unknown>;
  tags: string[];
  groups: string[];
  hidden: boolean;
  markdown: string;
  contentHash: string;
  passages: Passage[];
}

/** What a run did, in pages. */
export interface RunCounts {
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** Passages of what was added or changed. */
  passages: number;
}

/** Keeps what the runs of sources stage. Nothing staged is visible before `publish`. */
export interface IngestStore {
  /** Starts a run, or resumes one that was interrupted. Generations that the site went back from are undone first. */
  openRun(source: Source, at: number): Promise<{ runId: number; resumed: boolean }>;
  knownPages(source: Source, runId: number): Promise<KnownPage[]>;
  /** Stages pages in place of their visible revisions, in one write. */
  stage(source: Source, runId: number, pages: StagedPage[]): Promise<void>;
  /** Takes back what this run staged or marked for these paths: the visible revision is right. */
  keep(source: Source, runId: number, paths: string[]): Promise<void>;
  /** Marks the visible revisions of these paths for removal, and takes back what was staged for them. */
  drop(source: Source, runId: number, paths: string[]): Promise<void>;
  /** The switch: makes what was staged what readers see. Returns the generation's number. */
  publish(source: Source, runId: number, counts: RunCounts, at: number): Promise<number>;
  /** Ends a run that found nothing to change. */
  discard(runId: number): Promise<void>;
  /** Removes what no kept generation shows any more. */
  prune(siteId: number, keepGenerations: number): Promise<void>;
  /** Runs one at a time for each source, across processes. Raises `conflict` when another run holds it. */
  lock(source: Source): Promise<() => void>;
}
