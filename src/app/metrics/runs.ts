import type { LedgerStore } from "../../ingest/stores.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Reading } from "../../lib/metrics.ts";

/** A run that another process ended at that time may be seen only a moment later. */
const LATE_MS = 60_000;

/**
 * Counts the runs of sources that end while this server is there, whichever process does them. The ledger keeps only
 * the latest runs of a source, so what was counted is remembered here.
 */
export function createRunCount(ledger: Pick<LedgerStore, "endedRuns">, clock: Clock) {
  const startedAt = clock();
  const counts = new Map<string, number>();
  /** Runs that were counted, with when they ended, as long as they are looked at again. */
  let counted = new Map<number, number>();
  let lookFrom = startedAt;

  return async (): Promise<Reading<"outcome">[]> => {
    for (const { id, outcome, finishedAt } of await ledger.endedRuns(lookFrom)) {
      if (counted.has(id)) continue;
      counted.set(id, finishedAt);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    lookFrom = Math.max(startedAt, clock() - LATE_MS);
    counted = new Map([...counted].filter(([, finishedAt]) => finishedAt >= lookFrom));
    return [...counts].map(([outcome, value]) => ({ labels: { outcome }, value }));
  };
}
