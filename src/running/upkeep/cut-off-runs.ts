import { AppError } from "@docent/kernel/errors";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { UnendedRun } from "@docent/sites/ingest/stores";
import type { Parts } from "../app/parts.ts";
import { repeat } from "./repeat.ts";

interface CutOffRuns {
  sources: {
    ledger: Pick<Parts["sources"]["ledger"], "unended">;
    ofSites: Pick<Parts["sources"]["ofSites"], "get" | "settle">;
  };
  log: Log;
  lookMs?: number;
}

/**
 * Notes how runs ended whose process could not: it was killed, or its database was away for too long. One that nobody
 * takes up would be under way for good otherwise. A run that waits for its database has lost its lock for a moment, and
 * has it back by the next look.
 */
export function settleCutOffRuns({ sources: { ledger, ofSites }, log, lookMs = MINUTE_MS }: CutOffRuns) {
  let seen = new Set<number>();

  async function settle({ siteId, sourceId }: UnendedRun): Promise<void> {
    try {
      const source = await ofSites.get(siteId, sourceId);
      await ofSites.settle(source);
      log.warn("a run was cut off before its end, and is noted so", { source: source.location });
    } catch (error) {
      // The run still goes on, or its source is gone.
      if (!(error instanceof AppError && ["conflict", "not_found"].includes(error.code))) throw error;
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    const before = seen;
    const open = await ledger.unended();
    seen = new Set(open.map(({ id }) => id));
    for (const run of open.filter(({ id }) => before.has(id))) {
      signal.throwIfAborted();
      await settle(run);
    }
  }

  return repeat({
    work,
    everyMs: lookMs,
    onFailure: (error) => log.warn("runs that were cut off could not be noted", reasonFields(error)),
  });
}
