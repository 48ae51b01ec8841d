/** A table as both kinds of storage have it. */
export interface MovedTable {
  name: string;
  columns: readonly string[];
}

export type MovedValue = string | number | null | Uint8Array;
export type MovedRow = readonly MovedValue[];

/** A storage's tables, to be read whole or filled. */
export interface TableStore {
  /** What it is, for people. */
  name: string;
  /** The columns of a table, in any order. */
  columns(table: string): Promise<string[]>;
  /** Whether it has a site, or a member: something that must not be written over. */
  isUsed(): Promise<boolean>;
  /** Rows in parts, as of one moment. 1 stands for true, and 0 for false. */
  read(table: MovedTable): AsyncIterable<MovedRow[]>;
  /** Fills tables: all that `work` writes, or nothing. What is read within it is what was written. */
  fill(
    work: (
      write: (table: MovedTable, rows: readonly MovedRow[]) => Promise<void>,
      read: TableStore["read"],
    ) => Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
}

/**
 * Every table, each behind those that it refers to. Left out is what servers make anew or say of themselves: cached answers,
 * runs that were asked for, the line before the models.
 */
export const TABLES = [
  "meta",
  "organizations",
  "embedders",
  "sites",
  "assistant_keys",
  "assistant_key_sites",
  "admin_keys",
  "members",
  "member_roles",
  "member_links",
  "member_sessions",
  "limit_counts",
  "sources",
  "upload_pieces",
  "source_runs",
  "ledger",
  "generations",
  "pages",
  "passages",
  "passage_vectors",
  "segments",
  "segment_rows",
  "calibrations",
  "images",
  "page_images",
  "enrichments",
  "enriched_passages",
  "enrichment_days",
  "enrichment_measures",
  "curated_answers",
  "threads",
  "turns",
  "turn_counts",
  "feedback",
  "searches",
  "events",
  "gaps",
  "gap_questions",
  "evaluation_questions",
] as const;
