import type { Database } from "bun:sqlite";
import { and, asc, desc, eq, getTableColumns, gt, gte, isNotNull, isNull, max } from "drizzle-orm";
import type { DocsOverview } from "../../../ingest/docs-overview.ts";
import type { LedgerEntry, LedgerStore, RunRecord, UnendedRun } from "../../../ingest/stores.ts";
import { type LedgerRow, toLedgerEntry } from "../../rows/ledger.ts";
import { cutOffEnd, endedRunSchema, toRunRecord } from "../../rows/runs.ts";
import { sourceRuns, sources } from "../../sql/tables/content.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";

const RUNS_KEPT = 50;

const COLUMNS = `
  location, path, format, found, decision, reason, detail, passages, content_hash AS contentHash, validator,
  links_json AS linksJson, took_ms AS tookMs, decided_at AS decidedAt`;
const ENTRIES = `SELECT ${COLUMNS} FROM ledger WHERE source_id = ?1`;
/** Whether a place is called by a path: as it is, below something, and with whatever it ends in. */
const IS_CALLED = `(location = ?2 OR instr('/' || location || '/', '/' || ?2 || '/') > 0
  OR instr('/' || location, '/' || ?2 || '.') > 0)`;

/** Of a page that was not read, what was noted of its passages and links stands. */
const PUT = `
  INSERT INTO ledger (source_id, location, run_id, path, format, found, decision, reason, detail, passages,
                      content_hash, validator, links_json, took_ms, decided_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET
    run_id = excluded.run_id, path = excluded.path, format = excluded.format, found = excluded.found,
    decision = excluded.decision, reason = excluded.reason, detail = excluded.detail,
    passages = coalesce(excluded.passages, passages), content_hash = excluded.content_hash,
    validator = excluded.validator, links_json = excluded.links_json, took_ms = excluded.took_ms,
    decided_at = excluded.decided_at`;
const ABOUT = `
  SELECT source_id AS source, ${COLUMNS} FROM ledger
  WHERE source_id IN (SELECT id FROM sources WHERE site_id = ?1)
    AND (path = ?2 OR (decision IN ('skipped', 'removed') AND ?2 <> '' AND ${IS_CALLED}))
  ORDER BY path = ?2 DESC, length(location), location LIMIT ?3`;
const PART = `
  ${ENTRIES} AND (?2 IS NULL OR location > ?2)
    AND (?3 IS NULL OR decision IN (SELECT value FROM json_each(?3)))
  ORDER BY location LIMIT ?4`;

export function createLedgerStore(database: Database): LedgerStore {
  const db = typed(database);
  const put = database.query(PUT);
  const all = database.query<LedgerRow, [number]>(`${ENTRIES} ORDER BY location`);
  const about = database.query<LedgerRow & { source: number }, [number, string, number]>(ABOUT);
  const part = database.query<LedgerRow, [number, string | null, string | null, number]>(PART);

  return {
    beginRun: async (source, at) => beginRun(db, source.id, at),
    noteDocs: async (source, runId, generator, docs) => noteDocs(db, source.id, runId, { generator, docs }),
    noteProgress: async (runId, counts) => noteProgress(db, runId, counts),
    endRun: async (source, runId, end) => endRun(db, source.id, runId, end),
    runs: async (sourceId, limit) => lastRuns(db, sourceId, limit),
    endedRuns: async (since) => endedRuns(db, since),
    unended: async () => unendedRuns(db),
    settle: async (source, end) => settle(db, source.id, end),
    lastEnded: async (sourceId) => lastEnded(db, sourceId),
    runsAfter: async (sourceId, runId) => runsAfter(db, sourceId, runId),

    async record(source, runId, entries) {
      inOneWrite(database, () => {
        for (const entry of entries) put.run(source.id, entry.location, runId, ...valuesOf(entry));
      });
    },

    async entries(sourceId) {
      return all.all(sourceId).map(toLedgerEntry);
    },

    async part(sourceId, { after, decisions, limit }) {
      const names = decisions === undefined ? null : JSON.stringify(decisions);
      return part.all(sourceId, after ?? null, names, limit).map(toLedgerEntry);
    },

    async about(siteId, path, limit) {
      return about.all(siteId, path, limit).map(({ source, ...row }) => ({ ...toLedgerEntry(row), source }));
    },
  };
}

function beginRun(db: TypedDatabase, sourceId: number, startedAt: number): number {
  return inOneWrite(db.$client, () => {
    const { id } = db
      .insert(sourceRuns)
      .values({ sourceId, startedAt })
      .returning({ id: sourceRuns.id })
      .get();
    db.$client
      .query(
        `DELETE FROM source_runs WHERE source_id = ?1 AND id <=
           (SELECT id FROM source_runs WHERE source_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
      )
      .run(sourceId);
    return id;
  });
}

function noteDocs(
  db: TypedDatabase,
  sourceId: number,
  runId: number,
  { generator, docs }: { generator: string; docs: DocsOverview },
): void {
  inOneWrite(db.$client, () => {
    db.update(sourceRuns)
      .set({ docsJson: null })
      .where(and(eq(sourceRuns.sourceId, sourceId), isNotNull(sourceRuns.docsJson)))
      .run();
    db.update(sourceRuns)
      .set({ generator, docsJson: JSON.stringify(docs) })
      .where(eq(sourceRuns.id, runId))
      .run();
  });
}

function noteProgress(db: TypedDatabase, runId: number, counts: RunRecord["counts"]): void {
  db.update(sourceRuns)
    .set({ countsJson: JSON.stringify(counts) })
    .where(and(eq(sourceRuns.id, runId), isNull(sourceRuns.finishedAt)))
    .run();
}

function endRun(db: TypedDatabase, sourceId: number, runId: number, end: RunEnd): void {
  const { outcome, message = null, generation = null, addresses, counts, at } = end;
  const addressesJson = addresses === undefined ? null : JSON.stringify(addresses);
  inOneWrite(db.$client, () => {
    db.update(sourceRuns)
      .set({
        finishedAt: at,
        outcome,
        message,
        generation,
        addressesJson,
        countsJson: JSON.stringify(counts),
      })
      .where(eq(sourceRuns.id, runId))
      .run();
    if (outcome === "published" || outcome === "unchanged") strikeOut(db, sourceId, runId);
  });
}

function lastRuns(db: TypedDatabase, sourceId: number, limit: number): RunRecord[] {
  return db
    .select({ ...getTableColumns(sourceRuns), runCountsJson: sourceRuns.countsJson })
    .from(sourceRuns)
    .where(eq(sourceRuns.sourceId, sourceId))
    .orderBy(desc(sourceRuns.id))
    .limit(limit)
    .all()
    .map(toRunRecord);
}

function endedRuns(db: TypedDatabase, since: number) {
  const { id, outcome, finishedAt } = sourceRuns;
  return db
    .select({ id, outcome, finishedAt })
    .from(sourceRuns)
    .where(and(gte(finishedAt, since), isNotNull(outcome)))
    .orderBy(asc(finishedAt), asc(id))
    .all()
    .map((row) => endedRunSchema.parse(row));
}

function unendedRuns(db: TypedDatabase): UnendedRun[] {
  return db
    .select({ id: sourceRuns.id, siteId: sources.siteId, sourceId: sourceRuns.sourceId })
    .from(sourceRuns)
    .innerJoin(sources, eq(sources.id, sourceRuns.sourceId))
    .where(isNull(sourceRuns.finishedAt))
    .orderBy(asc(sourceRuns.id))
    .all();
}

function settle(db: TypedDatabase, sourceId: number, { message, at }: { message: string; at: number }): void {
  const { id, generation, finishedAt } = sourceRuns;
  const ofSource = eq(sourceRuns.sourceId, sourceId);
  inOneWrite(db.$client, () => {
    const newest = db
      .select({ id: max(id) })
      .from(sourceRuns)
      .where(ofSource)
      .get()?.id;
    const open = db
      .select({ id, generation, message: sourceRuns.message })
      .from(sourceRuns)
      .where(and(ofSource, isNull(finishedAt)))
      .all();
    for (const run of open) {
      const end = cutOffEnd(run, { message });
      db.update(sourceRuns)
        .set({ ...end, finishedAt: at })
        .where(eq(id, run.id))
        .run();
      if (end.outcome === "published" && run.id === newest) strikeOut(db, sourceId, run.id);
    }
  });
}

/** A run that read everything has noted all that there is. */
const strikeOut = (db: TypedDatabase, sourceId: number, runId: number) =>
  db.$client.query("DELETE FROM ledger WHERE source_id = ? AND run_id <> ?").run(sourceId, runId);

function lastEnded(db: TypedDatabase, sourceId: number): number {
  const { id, finishedAt } = sourceRuns;
  const hasEnded = and(eq(sourceRuns.sourceId, sourceId), isNotNull(finishedAt));
  return (
    db
      .select({ id: max(id) })
      .from(sourceRuns)
      .where(hasEnded)
      .get()?.id ?? 0
  );
}

function runsAfter(db: TypedDatabase, sourceId: number, runId: number): RunRecord[] {
  return db
    .select({ ...getTableColumns(sourceRuns), runCountsJson: sourceRuns.countsJson })
    .from(sourceRuns)
    .where(and(eq(sourceRuns.sourceId, sourceId), gt(sourceRuns.id, runId)))
    .orderBy(asc(sourceRuns.id))
    .all()
    .map(toRunRecord);
}

type RunEnd = Parameters<LedgerStore["endRun"]>[2];

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
