/** Keeps the keyword index of every site in step with its passages. */
export interface IndexKeeper {
  /**
   * Indexes the passages that no segment has: of the site, or of one run. Where it is cut short, the next call goes on
   * from the last finished segment.
   */
  catchUp(siteId: number, options: CatchUpOptions): Promise<void>;
  /** Merges small segments, and drops the passages that are gone, within bounds. */
  tidy(siteId: number, signal: AbortSignal): Promise<void>;
  /** Takes away segments that are damaged or of another revision, and indexes their passages anew. */
  repair(siteId: number, signal: AbortSignal): Promise<void>;
}

export interface CatchUpOptions {
  runId?: number;
  signal: AbortSignal;
  /** How many passages of all that were missing are indexed. */
  onProgress?: (done: number, all: number) => void;
}
