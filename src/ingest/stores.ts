/** What kinds of places pages come from. */
export const SOURCE_KINDS = [
  "folder",
  "website",
  "llms-txt",
  "git",
  "archive",
  "upload",
  "openapi",
  "demo",
] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What makes a source: the same place as another version or language is another one. */
export interface SourceSpec {
  siteId: number;
  kind: SourceKind;
  /** A folder, a file, an address; of git also `#branch` and `:subfolder` behind it; of an upload, its given name. */
  location: string;
  version: string;
  language: string;
}

/** What an operator sets of a source besides. Credentials are named here, never held. */
export interface SourceOptions {
  /** The environment variable that holds what is sent as Authorization. */
  authorizationVariable?: string | undefined;
  /**
   * An admin key named it: a place on this machine is read only while it lies below what `source_roots` gives to its
   * organization, and its variable is sent only while `source_variables` allows that.
   */
  confined?: true | undefined;
}

/** Where a site's pages come from. */
export interface Source extends SourceSpec {
  id: number;
}

/** A source as it is listed, with how its last run ended. */
export interface ListedSource extends Source {
  options: SourceOptions;
  everyMs: number | undefined;
  nextRunAt: number | undefined;
  lastRun: RunRecord | undefined;
}

export const RUN_OUTCOMES = ["published", "unchanged", "incomplete", "failed"] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** One time that a source was read. */
export interface RunRecord {
  startedAt: number;
  finishedAt: number | undefined;
  /** Undefined while it runs, and when it was interrupted. */
  outcome: RunOutcome | undefined;
  message: string | undefined;
  generation: number | undefined;
  counts: Record<string, number>;
}

export interface SourceChange {
  options?: SourceOptions;
  /** null: on demand alone. */
  everyMs?: number | null;
  nextRunAt?: number | null;
}

/** Keeps the sources of sites. */
export interface SourceStore {
  /** The source of that place; added where there is none, and back where it was removed. */
  open(spec: SourceSpec, at: number): Promise<Source>;
  /** Those that were not removed, and those whose pages readers see all the same: the site went back to them. */
  list(siteId: number): Promise<ListedSource[]>;
  change(sourceId: number, change: SourceChange): Promise<void>;
  /** Sources of all sites whose next run is due, the longest waiting first. */
  due(at: number): Promise<ListedSource[]>;
  /** Marks a source as removed. Its row goes with the last generation that shows its pages. */
  remove(sourceId: number, at: number): Promise<void>;
}
