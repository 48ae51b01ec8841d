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
  /** Whether it has a site, a member or a key: something that must not be written over. */
  isUsed(): Promise<boolean>;
  /** Raises `conflict` where a server works on it. */
  checkAlone(): Promise<void>;
  /** Rows in parts, those of all tables as of one moment. 1 stands for true, and 0 for false. */
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

/** What a server that was started once has written by itself, where there is nothing else: it is made of what comes. */
export const MADE_BY_START = ["meta", "member_links", "limit_counts", "organizations"] as const;

/** Finds something that somebody has made: the first organization is made by a start. */
export const IS_USED = `
  SELECT 1 FROM sites UNION ALL SELECT 1 FROM members UNION ALL SELECT 1 FROM admin_keys UNION ALL
  SELECT 1 FROM assistant_keys UNION ALL SELECT 1 FROM organizations GROUP BY 1 HAVING count(*) > 1 LIMIT 1`;

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
  "used_once",
  "reader_secrets",
  "reader_sessions",
  "limit_counts",
  "audit_entries",
  "sources",
  "upload_pieces",
  "source_runs",
  "ledger",
  "published_pages",
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
  "golden_questions",
  "golden_checks",
  "generation_reports",
  "notice_destinations",
  "notice_subjects",
  "notices",
] as const;
