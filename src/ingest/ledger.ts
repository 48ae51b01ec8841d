import type { PageFormat } from "../markdown/page.ts";
import type { SkipReason } from "./source-reader.ts";
import type { RunOutcome, RunRecord, Source } from "./stores.ts";

/** What a run can decide of a page: `kept` is one of which nothing was learned, so that it stays as it was. */
export const DECISIONS = ["added", "changed", "unchanged", "removed", "kept", "skipped"] as const;
export type Decision = (typeof DECISIONS)[number];

/** What a run noted about one page or address. */
export interface LedgerEntry {
  location: string;
  path: string | undefined;
  format: PageFormat | undefined;
  /** How it was found. */
  found: string;
  decision: Decision;
  /** Why it was skipped or kept, or why a page that was taken is not found: it is hidden, or has no words. */
  reason: SkipReason | undefined;
  detail: string | undefined;
  /** Undefined where the page was not read: what was noted before stands. */
  passages: number | undefined;
  contentHash: string | undefined;
  validator: string | undefined;
  links: string[];
  tookMs: number;
  decidedAt: number;
}

/** Which entries are asked for. */
export interface LedgerPart {
  /** Those behind this location. */
  after?: string | undefined;
  /** Those of one of these decisions alone. */
  decisions?: readonly Decision[] | undefined;
  limit: number;
}

/** A run that has come to its end. */
export interface EndedRun {
  id: number;
  outcome: RunOutcome;
  finishedAt: number;
}

/** Keeps what each run decided. */
export interface LedgerStore {
  beginRun(source: Source, at: number): Promise<number>;
  record(source: Source, runId: number, entries: LedgerEntry[]): Promise<void>;
  /** Notes how far a run is that has not ended. */
  noteProgress(runId: number, counts: Record<string, number>): Promise<void>;
  /** Ends a run. What a whole one did not meet is struck out; after any other it stands. */
  endRun(
    source: Source,
    runId: number,
    end: {
      outcome: RunOutcome;
      message?: string | undefined;
      generation?: number | undefined;
      counts: Record<string, number>;
      at: number;
    },
  ): Promise<void>;
  /** By location, in order. */
  entries(sourceId: number): Promise<LedgerEntry[]>;
  /** A part of them, in the same order. */
  part(sourceId: number, part: LedgerPart): Promise<LedgerEntry[]>;
  /** What was noted of a path by the sources of a site, or of places that end in it where they gave no page. */
  about(siteId: number, path: string, limit: number): Promise<(LedgerEntry & { source: number })[]>;
  /** The latest runs, the newest first. */
  runs(sourceId: number, limit: number): Promise<RunRecord[]>;
  /** The runs of all sources that have ended since then. */
  endedRuns(since: number): Promise<EndedRun[]>;
}
