import { z } from "zod";
import { SKIP_REASONS } from "../../ingest/source-reader.ts";
import { DECISIONS, type LedgerEntry } from "../../ingest/stores.ts";
import { PAGE_FORMATS } from "../../markdown/page-format.ts";
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
