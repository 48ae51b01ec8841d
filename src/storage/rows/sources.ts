import { HOUR_MS } from "@docent/kernel/lib/clock";
import { SOURCE_KINDS } from "@docent/reading/source";
import type { ListedSource } from "@docent/sites/ingest/stores";
import { z } from "zod";
import { type RunRow, toRunRecord } from "./runs.ts";

/** Clocks of servers that share a database differ by less. */
export const CLOCKS_DIFFER_MS = HOUR_MS;

export interface SourceRow {
  id: number;
  siteId: number;
  kind: string;
  location: string;
  version: string;
  language: string;
  optionsJson: string;
  everyMs: number | null;
  nextRunAt: number | null;
  /** SQLite has no truth values. */
  awaitsConsent: boolean | number;
}

const kindSchema = z.enum(SOURCE_KINDS);
const optionsSchema = z.lazy(() =>
  z.object({
    authorizationVariable: z.string().optional(),
    confined: z.literal(true).optional(),
    groups: z.array(z.string()).optional(),
    answers: z.record(z.string(), z.string()).optional(),
  }),
);

/** A source, with its last run beside it. */
export function toListedSource(row: SourceRow & RunRow): ListedSource {
  const { id, siteId, kind, location, version, language } = row;
  return {
    id,
    siteId,
    kind: kindSchema.parse(kind),
    location,
    version,
    language,
    options: optionsSchema.parse(JSON.parse(row.optionsJson)),
    everyMs: row.everyMs ?? undefined,
    nextRunAt: row.nextRunAt ?? undefined,
    awaitsConsent: Boolean(row.awaitsConsent),
    lastRun: row.startedAt === null ? undefined : toRunRecord(row),
  };
}
