import { addressCheckSchema } from "@docent/sites/ingest/check-addresses";
import { docsOverviewSchema } from "@docent/sites/ingest/docs-overview";
import { type Generation, RUN_OUTCOMES, type RunOutcome, type RunRecord } from "@docent/sites/ingest/stores";
import { z } from "zod";

/** A row of source_runs; all NULL where a join found none. */
export interface RunRow {
  startedAt: number | null;
  finishedAt: number | null;
  outcome: string | null;
  message: string | null;
  generation: number | null;
  generator: string | null;
  docsJson: string | null;
  addressesJson: string | null;
  runCountsJson: string | null;
}

const countsSchema = z.lazy(() => z.record(z.string(), z.number()));
const outcomeSchema = z.enum(RUN_OUTCOMES).optional();

/** What a run counted, from its column of JSON. */
const readCounts = (json: string) => countsSchema.parse(JSON.parse(json));

/** A run as the ledger tells of it. */
export function toRunRecord(row: RunRow): RunRecord {
  return {
    startedAt: row.startedAt ?? 0,
    finishedAt: row.finishedAt ?? undefined,
    outcome: outcomeSchema.parse(row.outcome ?? undefined),
    message: row.message ?? undefined,
    generation: row.generation ?? undefined,
    generator: row.generator ?? undefined,
    docs: row.docsJson === null ? undefined : docsOverviewSchema.parse(JSON.parse(row.docsJson)),
    addresses:
      row.addressesJson === null ? undefined : addressCheckSchema.parse(JSON.parse(row.addressesJson)),
    counts: readCounts(row.runCountsJson ?? "{}"),
  };
}

/** A run that has ended. */
export const endedRunSchema = z.lazy(() =>
  z.object({
    id: z.number(),
    outcome: z.enum(RUN_OUTCOMES),
    finishedAt: z.number(),
  }),
);

/** How a run ended that was cut off: it may have published before, and what it noted with that says how. */
export function cutOffEnd(
  { generation, message }: Pick<RunRow, "generation" | "message">,
  said: { message: string },
): { outcome: RunOutcome; message: string | null } {
  if (generation === null) return { outcome: "failed", message: said.message };
  return { outcome: message === null ? "published" : "incomplete", message };
}

/** A generation that was published, with its source, and the one that readers see now. */
export interface GenerationRow {
  number: number;
  sourceId: number;
  kind: string;
  location: string;
  countsJson: string;
  startedAt: number;
  finishedAt: number | null;
  visible: number;
}

export const toGeneration = ({ sourceId, kind, location, ...row }: GenerationRow): Generation => ({
  number: row.number,
  source: { id: sourceId, kind, location },
  counts: readCounts(row.countsJson),
  finishedAt: row.finishedAt ?? row.startedAt,
  isVisible: row.number === row.visible,
});
