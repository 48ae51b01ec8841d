import type { Database } from "bun:sqlite";
import { z } from "zod";
import { SKIP_REASONS } from "../../../ingest/source-reader.ts";
import { DECISIONS, type LedgerEntry, type LedgerStore, RUN_OUTCOMES } from "../../../ingest/stores.ts";
import { PAGE_FORMATS } from "../../../markdown/page.ts";
import { type RunRow, readStrings, toRunRecord } from "../../rows.ts";

/** The columns of a `RunRow`. */
export const LAST_RUN_COLUMNS = `
  source_runs.started_at AS startedAt, source_runs.finished_at AS finishedAt, source_runs.outcome,
  source_runs.message, source_runs.generation, source_runs.counts_json AS runCountsJson`;

const RUNS_KEPT = 50;

interface Row {
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

const namesSchema = z.object({
  format: z.enum(PAGE_FORMATS).nullable(),
  decision: z.enum(DECISIONS),
  reason: z.enum(SKIP_REASONS).nullable(),
});

const outcomeSchema = z.enum(RUN_OUTCOMES);

const COLUMNS = `
  location, path, format, found, decision, reason, detail, passages, content_hash AS contentHash, validator,
  links_json AS linksJson, took_ms AS tookMs, decided_at AS decidedAt`;
const ENTRIES = `SELECT ${COLUMNS} FROM ledger WHERE source_id = ?1`;
/** Whether a place is called by a path: as it is, below something, and with whatever it ends in. */
const IS_CALLED = `(location = ?2 OR instr('/' || location || '/', '/' || ?2 || '/') > 0
  OR instr('/' || location, '/' || ?2 || '.') > 0)`;

export function createLedgerStore(database: Database): LedgerStore {
  // Of a page that was not read, what was noted of its passages and links stands.
  const write = database.query(`
    INSERT INTO ledger (source_id, location, run_id, path, format, found, decision, reason, detail, passages,
                        content_hash, validator, links_json, took_ms, decided_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
      run_id = excluded.run_id, path = excluded.path, format = excluded.format, found = excluded.found,
      decision = excluded.decision, reason = excluded.reason, detail = excluded.detail,
      passages = coalesce(excluded.passages, passages), content_hash = excluded.content_hash,
      validator = excluded.validator, links_json = excluded.links_json, took_ms = excluded.took_ms,
      decided_at = excluded.decided_at`);
  const read = database.query<Row, [number]>(`${ENTRIES} ORDER BY location`);
  const readAbout = database.query<Row & { source: number }, [number, string, number]>(`
    SELECT source_id AS source, ${COLUMNS} FROM ledger
    WHERE source_id IN (SELECT id FROM sources WHERE site_id = ?1)
      AND (path = ?2 OR (decision IN ('skipped', 'removed') AND ?2 <> '' AND ${IS_CALLED}))
    ORDER BY path = ?2 DESC, length(location), location LIMIT ?3`);
  const readPart = database.query<Row, [number, string | null, string | null, number]>(`
    ${ENTRIES} AND (?2 IS NULL OR location > ?2)
      AND (?3 IS NULL OR decision IN (SELECT value FROM json_each(?3)))
    ORDER BY location LIMIT ?4`);

  return {
    async beginRun(source, at) {
      const added = database
        .query("INSERT INTO source_runs (source_id, started_at) VALUES (?, ?)")
        .run(source.id, at);
      database
        .query(
          `DELETE FROM source_runs WHERE source_id = ?1 AND id <=
             (SELECT id FROM source_runs WHERE source_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
        )
        .run(source.id);
      return Number(added.lastInsertRowid);
    },

    async record(source, runId, entries) {
      database
        .transaction(() => {
          for (const entry of entries) write.run(source.id, entry.location, runId, ...valuesOf(entry));
        })
        .immediate();
    },

    async noteProgress(runId, counts) {
      database
        .query("UPDATE source_runs SET counts_json = ? WHERE id = ? AND finished_at IS NULL")
        .run(JSON.stringify(counts), runId);
    },

    async endRun(source, runId, { outcome, message, generation, counts, at }) {
      database
        .transaction(() => {
          database
            .query(
              "UPDATE source_runs SET finished_at = ?, outcome = ?, message = ?, generation = ?, counts_json = ? WHERE id = ?",
            )
            .run(at, outcome, message ?? null, generation ?? null, JSON.stringify(counts), runId);
          if (outcome === "published" || outcome === "unchanged")
            database.query("DELETE FROM ledger WHERE source_id = ? AND run_id <> ?").run(source.id, runId);
        })
        .immediate();
    },

    async entries(sourceId) {
      return read.all(sourceId).map(toEntry);
    },

    async part(sourceId, { after, decisions, limit }) {
      const names = decisions === undefined ? null : JSON.stringify(decisions);
      return readPart.all(sourceId, after ?? null, names, limit).map(toEntry);
    },

    async about(siteId, path, limit) {
      return readAbout.all(siteId, path, limit).map(({ source, ...row }) => ({ ...toEntry(row), source }));
    },

    async runs(sourceId, limit) {
      return database
        .query<RunRow, [number, number]>(
          `SELECT ${LAST_RUN_COLUMNS} FROM source_runs WHERE source_id = ? ORDER BY id DESC LIMIT ?`,
        )
        .all(sourceId, limit)
        .map(toRunRecord);
    },

    async endedRuns(since) {
      return database
        .query<{ id: number; outcome: string; finishedAt: number }, [number]>(
          `SELECT id, outcome, finished_at AS finishedAt FROM source_runs
           WHERE finished_at >= ? AND outcome IS NOT NULL ORDER BY finished_at, id`,
        )
        .all(since)
        .map(({ outcome, ...row }) => ({ ...row, outcome: outcomeSchema.parse(outcome) }));
    },
  };
}

function valuesOf(entry: LedgerEntry): (string | number | null)[] {
  const { path, format, found, decision, reason, detail, passages, contentHash, validator, links } = entry;
  return [
    path ?? null,
    format ?? null,
    found,
    decision,
    reason ?? null,
    detail ?? null,
    passages ?? null,
    contentHash ?? null,
    validator ?? null,
    JSON.stringify(links),
    entry.tookMs,
    entry.decidedAt,
  ];
}

function toEntry({ path, detail, passages, contentHash, validator, linksJson, ...row }: Row): LedgerEntry {
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
