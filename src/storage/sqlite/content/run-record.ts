import { z } from "zod";
import { RUN_OUTCOMES, type RunRecord } from "../../../ingest/stores.ts";

/** A row of source_runs; all NULL where a join found none. */
export interface RunRow {
  startedAt: number | null;
  finishedAt: number | null;
  outcome: string | null;
  message: string | null;
  generation: number | null;
  runCountsJson: string | null;
}

export const LAST_RUN_COLUMNS = `
  source_runs.started_at AS startedAt, source_runs.finished_at AS finishedAt, source_runs.outcome,
  source_runs.message, source_runs.generation, source_runs.counts_json AS runCountsJson`;

const countsSchema = z.record(z.string(), z.number());
const outcomeSchema = z.enum(RUN_OUTCOMES).optional();

/** What a run counted, from its column of JSON. */
export const readCounts = (json: string) => countsSchema.parse(JSON.parse(json));

/** A run as the ledger tells of it. */
export function toRunRecord(row: RunRow): RunRecord {
  return {
    startedAt: row.startedAt ?? 0,
    finishedAt: row.finishedAt ?? undefined,
    outcome: outcomeSchema.parse(row.outcome ?? undefined),
    message: row.message ?? undefined,
    generation: row.generation ?? undefined,
    counts: readCounts(row.runCountsJson ?? "{}"),
  };
}
