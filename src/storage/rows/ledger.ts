import { PAGE_FORMATS } from "@docent/reading/markdown/page-format";
import { SKIP_REASONS } from "@docent/reading/source-reader";
import { DECISIONS, type LedgerEntry } from "@docent/sites/ingest/stores";
import { z } from "zod";
import { readStrings } from "./json.ts";

/** What was decided of a location. */
export interface LedgerRow {
  location: string;
  path: string | null;
  format: string | null;
  found: string;
  decision: string;
  reason: string | null;
  detail: string | null;
  passages: number | null;
  contentHash: string | null;
  validator: string | null;
  linksJson: string;
  tookMs: number;
  decidedAt: number;
}

const namesSchema = z.lazy(() =>
  z.object({
    format: z.enum(PAGE_FORMATS).nullable(),
    decision: z.enum(DECISIONS),
    reason: z.enum(SKIP_REASONS).nullable(),
  }),
);

export function toLedgerEntry({
  path,
  detail,
  passages,
  contentHash,
  validator,
  linksJson,
  ...row
}: LedgerRow): LedgerEntry {
  const { format, decision, reason } = namesSchema.parse(row);
  return {
    ...row,
    decision,
    path: path ?? undefined,
    format: format ?? undefined,
    reason: reason ?? undefined,
    detail: detail ?? undefined,
    passages: passages ?? undefined,
    contentHash: contentHash ?? undefined,
    validator: validator ?? undefined,
    links: readStrings(linksJson),
  };
}
