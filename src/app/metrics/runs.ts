import type { LedgerStore } from "../../ingest/stores.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Reading } from "../../lib/metrics.ts";

/** A run that another process ended may become visible this much later. */
const LATE_MS = 60_000;

/**
 * Counts the runs that end while this server is up, whichever process does them. Remembers what was counted,
 * because the ledger keeps only the latest runs of a source.
 */
export function createRunCount(ledger: Pick<LedgerStore, "endedRuns">, clock: Clock) {
  const startedAt = clock();
  const counts = new Map<string, number>();
  /** Counted runs with their end, for as long as the ledger is searched for them. */
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
