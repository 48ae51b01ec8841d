import type { z } from "zod";
import type {
  explanationShape,
  generationShape,
  indexedPageShape,
  jobShape,
  ledgerEntryShape,
  ledgerShape,
  pageEntryShape,
  pageListShape,
  rollbackShape,
  runShape,
  sourceRulesShape,
  sourceShape,
  underWayShape,
} from "../../http/admin/shapes.ts";

// What the server tells of a site's content.

export type Source = z.output<typeof sourceShape>;
export type SourceRules = z.output<typeof sourceRulesShape>;
export type SourceRun = z.output<typeof runShape>;
export type RunJob = z.output<typeof jobShape>;
export type UnderWay = z.output<typeof underWayShape>;
export type Ledger = z.output<typeof ledgerShape>;
export type LedgerEntry = z.output<typeof ledgerEntryShape>;
export type Generation = z.output<typeof generationShape>;
export type Rollback = z.output<typeof rollbackShape>;
export type PageEntry = z.output<typeof pageEntryShape>;
export type PageList = z.output<typeof pageListShape>;
export type IndexedPage = z.output<typeof indexedPageShape>;
export type Explanation = z.output<typeof explanationShape>;
export type ExplainedPassage = Explanation["passages"][number];
export type ExplainedPage = NonNullable<Explanation["page"]>["pages"][number];

/** The path of the operations of a site. */
/** Where it is told what may be named as a source of a site. */
export const sourceRulesPath = (domain: string) =>
  `/v1/admin/source-rules?site=${encodeURIComponent(domain)}`;

export const siteOperations = (domain: string) => `/v1/admin/sites/${encodeURIComponent(domain)}`;
