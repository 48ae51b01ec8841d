import type { Database } from "bun:sqlite";
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Source, SourceSpec, SourceStore } from "../../../ingest/stores.ts";
import type { RunRow } from "../../rows/runs.ts";
import { CLOCKS_DIFFER_MS, type SourceRow, toListedSource } from "../../rows/sources.ts";
import { generations, pages, sources } from "../../sql/tables/content.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";

/** It was shown to somebody who has not yet said that it is to be read: neither a schedule nor a run of all sources says so for them. */
const AWAITS_CONSENT = `(
  coalesce(source_runs.outcome, '') = 'previewed' AND NOT EXISTS (
    SELECT 1 FROM source_runs AS earlier
    WHERE earlier.source_id = sources.id AND earlier.outcome IN ('published', 'unchanged', 'incomplete')))`;

/**
 * Sources with their last runs. One that was removed is listed as long as readers see its pages: those of a generation
 * that the site went back to.
 */
const LISTED = `
  SELECT sources.id, site_id AS siteId, kind, location, version, language, options_json AS optionsJson,
         every_ms AS everyMs, next_run_at AS nextRunAt, source_runs.started_at AS startedAt,
         source_runs.finished_at AS finishedAt, source_runs.outcome, source_runs.message, source_runs.generation, source_runs.generator,
         source_runs.docs_json AS docsJson, source_runs.addresses_json AS addressesJson,
         source_runs.counts_json AS runCountsJson, ${AWAITS_CONSENT} AS awaitsConsent
  FROM sources
  JOIN sites ON sites.id = sources.site_id
  LEFT JOIN source_runs ON source_runs.id = (SELECT max(id) FROM source_runs WHERE source_id = sources.id)
  WHERE (removed_at IS NULL OR EXISTS (
    SELECT 1 FROM pages ${visibleJoins("pages", "sites.generation")}
    WHERE pages.source_id = sources.id AND ${visibleWhere("pages", "sites.generation")}))`;

export function createSourceStore(database: Database): SourceStore {
  const db = typed(database);
  return {
    open: async (spec, at) => open(db, spec, at),

    async list(siteId) {
      return database
        .query<SourceRow & RunRow, [number]>(`${LISTED} AND site_id = ? ORDER BY sources.id`)
        .all(siteId)
        .map(toListedSource);
    },

    async change(sourceId, { options, everyMs, nextRunAt }) {
      const values = { optionsJson: options && JSON.stringify(options), everyMs, nextRunAt };
      if (Object.values(values).every((value) => value === undefined)) return;
      db.update(sources).set(values).where(eq(sources.id, sourceId)).run();
    },

    async due(at) {
      return database
        .query<SourceRow & RunRow, [number, number]>(
          `${LISTED} AND every_ms IS NOT NULL AND (next_run_at <= ? OR next_run_at - every_ms > ?)
           AND NOT ${AWAITS_CONSENT} ORDER BY next_run_at, sources.id`,
        )
        .all(at, at + CLOCKS_DIFFER_MS)
        .map(toListedSource);
    },

    remove: async (sourceId, at) => remove(db, sourceId, at),

    async removeUnread(sourceId, at) {
      return inOneWrite(database, () => {
        const page = db.select({ id: pages.id }).from(pages).where(eq(pages.sourceId, sourceId)).get();
        if (page !== undefined) return false;
        const isBegun = and(eq(generations.sourceId, sourceId), isNull(generations.number));
        db.delete(generations).where(isBegun).run();
        remove(db, sourceId, at);
        return true;
      });
    },
  };
}

function remove(db: TypedDatabase, sourceId: number, at: number): void {
  const removed = { removedAt: at, everyMs: null, nextRunAt: null };
  db.update(sources).set(removed).where(eq(sources.id, sourceId)).run();
}

function open(db: TypedDatabase, spec: SourceSpec, at: number): Source {
  const { siteId, kind, location, version, language } = spec;
  const place = { siteId, kind, location, version, language };
  // Looked for first: an insert that conflicts would use up a number, and people type these.
  if (findId(db, place) === undefined)
    db.insert(sources)
      .values({ ...place, createdAt: at })
      .onConflictDoNothing()
      .run();
  const id = findId(db, place);
  if (id === undefined) throw new Error("the source that was just written is not there");
  db.update(sources)
    .set({ removedAt: null })
    .where(and(eq(sources.id, id), isNotNull(sources.removedAt)))
    .run();
  return { id, ...place };
}

function findId(db: TypedDatabase, place: SourceSpec): number | undefined {
  const isThere = and(
    eq(sources.siteId, place.siteId),
    eq(sources.kind, place.kind),
    eq(sources.location, place.location),
    eq(sources.version, place.version),
    eq(sources.language, place.language),
  );
  return db.select({ id: sources.id }).from(sources).where(isThere).get()?.id;
}
