import { AppError } from "@docent/kernel/errors";
import { type Clock, DAY_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { ANONYMOUS, storedName } from "./names.ts";

/** Which turns of a site are deleted: those asked before then, of a thread, or of a reader. */
export type Doomed = { before: number } | { threadId: string } | { fp: string };

/** How much was deleted. */
export interface Removed {
  threads: number;
  turns: number;
}

/** Deletes what readers said. What it deletes can be found nowhere in the database any more; counts of it stay. */
export interface RetentionStore {
  hasThread(siteId: number, threadId: string): Promise<boolean>;
  /** Removes the cached answers to questions that will be deleted. Called before the turns are gone. */
  removeCached(siteId: number, doomed: Doomed): Promise<void>;
  /**
   * Removes at most so many turns in one short write, with all that belongs to them and with threads that are left
   * empty.
   */
  removeTurns(siteId: number, doomed: Doomed, most: number): Promise<Removed>;
  /** Removes searches and clicks of readers, at most so many. Returns how many. */
  removeTraces(siteId: number, doomed: Doomed, most: number): Promise<number>;
  /** Removes gaps that are left without a question. */
  removeEmptyGaps(siteId: number): Promise<void>;
  /** Empties the write-ahead log, where older states of the database are. */
  forget(): Promise<void>;
}

/** How many are removed in one write transaction, which then takes a few milliseconds. */
const REMOVED_AT_ONCE = 200;

const nothing = (): Removed => ({ threads: 0, turns: 0 });

/** What removes turns with all that hangs on them, and what makes up for a removal that failed in its middle. */
function createRemoval(store: RetentionStore) {
  /** Sites of which turns or traces were removed, and not yet what is left of them. */
  const unfinished = new Set<number>();

  async function finish(siteId: number): Promise<void> {
    // Taken away first: what somebody else removes meanwhile is theirs to finish.
    if (!unfinished.delete(siteId)) return;
    try {
      await store.removeEmptyGaps(siteId);
      await store.forget();
    } catch (error) {
      unfinished.add(siteId);
      throw error;
    }
  }

  /** Adds to `removed` what is gone, which is as much as was done where it fails in its middle. */
  async function remove(
    siteId: number,
    doomed: Doomed,
    { removed, signal }: { removed: Removed; signal?: AbortSignal | undefined },
  ): Promise<Removed> {
    await store.removeCached(siteId, doomed);
    for (let turns = -1; turns !== 0; ) {
      signal?.throwIfAborted();
      const now = await store.removeTurns(siteId, doomed, REMOVED_AT_ONCE);
      turns = now.turns;
      removed.turns += now.turns;
      removed.threads += now.threads;
      if (turns > 0) unfinished.add(siteId);
      await letOthersRun();
    }
    for (let traces = -1; traces !== 0; ) {
      signal?.throwIfAborted();
      traces = await store.removeTraces(siteId, doomed, REMOVED_AT_ONCE);
      if (traces > 0) unfinished.add(siteId);
      await letOthersRun();
    }
    await finish(siteId);
    return removed;
  }

  return { remove, finish };
}

/** Deletes what readers said: by age, by thread or by reader. */
export function createRetention({ store, clock }: { store: RetentionStore; clock: Clock }) {
  const { remove, finish } = createRemoval(store);
  /** By site, what was removed for its age by work that then failed, so that nobody was told of it. */
  const untold = new Map<number, Removed>();
  return {
    /** Deletes what is older than so many days. 0 keeps everything. Tells what was deleted since it last succeeded. */
    async removeOlder(siteId: number, days: number, signal?: AbortSignal): Promise<Removed> {
      const removed = untold.get(siteId) ?? nothing();
      untold.set(siteId, removed);
      if (days === 0) await finish(siteId);
      else await remove(siteId, { before: clock() - days * DAY_MS }, { removed, signal });
      untold.delete(siteId);
      return removed;
    },

    /** Deletes a conversation. Raises `not_found` where the site has none of that id. */
    async removeThread(siteId: number, threadId: string): Promise<Removed> {
      if (!(await store.hasThread(siteId, threadId))) throw new AppError("not_found", "Not found");
      return remove(siteId, { threadId }, { removed: nothing() });
    },

    /** Deletes all that one reader said. Raises `invalid_request` for `anonymous`. */
    async removeReader(siteId: number, fp: string): Promise<Removed> {
      if (fp === ANONYMOUS)
        throw new AppError(
          "invalid_request",
          "anonymous is every reader who has no name: nobody's words in particular can be deleted by it.",
          { hint: "Delete the threads one by one, or set how many days the site keeps them." },
        );
      return remove(siteId, { fp: storedName(fp) }, { removed: nothing() });
    },
  };
}

export type Retention = ReturnType<typeof createRetention>;
