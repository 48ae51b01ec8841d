import { HOUR_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import { SOURCE_KINDS, type Source, type SourceSpec } from "@docent/reading/source";
import type { ListedSource, SourceStore } from "@docent/sites/ingest/stores";
import { z } from "zod";
import { type RunRow, toRunRecord } from "../rows/runs.ts";
import { visibleJoins, visibleWhere } from "../rows-of-generation.ts";
import { get, run, type Sql, type Steps } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

/** Looked for first: an insert that conflicts would use up a number, and people type these. */
const FIND = statement<{ id: number }>(
  (d) => `
  SELECT id FROM sources WHERE site_id = $siteId AND kind = $kind AND ${d.isSame("location", "$location")}
    AND version = $version AND language = $language`,
);
const ADD = statement(`
  INSERT INTO sources (site_id, kind, location, version, language, created_at)
  VALUES ($siteId, $kind, $location, $version, $language, $at) ON CONFLICT DO NOTHING`);
const REVIVE = statement("UPDATE sources SET removed_at = NULL WHERE id = $id AND removed_at IS NOT NULL");

/**
 * Whether the source was only shown to somebody, who has not yet said that it is to be read. Neither a schedule nor a
 * run of all sources says so for them.
 */
const AWAITS_CONSENT = `(
  coalesce(source_runs.outcome, '') = 'previewed' AND NOT EXISTS (
    SELECT 1 FROM source_runs AS earlier
    WHERE earlier.source_id = sources.id AND earlier.outcome IN ('published', 'unchanged', 'incomplete')))`;

/**
 * Sources with their last runs. One that was removed is listed as long as readers see its pages: those of a generation
 * that the site went back to.
 */
const LISTED = `
  SELECT sources.id, site_id AS "siteId", kind, location, version, language, options_json AS "optionsJson",
    every_ms AS "everyMs", next_run_at AS "nextRunAt", source_runs.started_at AS "startedAt",
    source_runs.finished_at AS "finishedAt", source_runs.outcome, source_runs.message, source_runs.generation,
    source_runs.generator, source_runs.docs_json AS "docsJson", source_runs.addresses_json AS "addressesJson",
    source_runs.counts_json AS "runCountsJson", ${AWAITS_CONSENT} AS "awaitsConsent"
  FROM sources
  JOIN sites ON sites.id = sources.site_id
  LEFT JOIN source_runs ON source_runs.id = (SELECT max(id) FROM source_runs WHERE source_id = sources.id)
  WHERE (removed_at IS NULL OR EXISTS (
    SELECT 1 FROM pages ${visibleJoins("pages", "sites.generation")}
    WHERE pages.source_id = sources.id AND ${visibleWhere("pages", "sites.generation")}))`;
const OF_SITE = statement<SourceRow & RunRow>(`${LISTED} AND site_id = $siteId ORDER BY sources.id`);
const IS_FREE = "(claimed_by IS NULL OR claimed_by = $serverId OR claimed_until < now())";
const DUE = statement<SourceRow & RunRow>(
  ({ onPostgres }) => `
  ${LISTED} AND every_ms IS NOT NULL AND (next_run_at <= $at OR next_run_at - every_ms > $ahead)
    AND NOT ${AWAITS_CONSENT} ${onPostgres(`AND ${IS_FREE}`)}
  ORDER BY next_run_at, sources.id`,
);
/** A server looks every few seconds, and claims again what it is reading: one that is gone keeps nothing for long. */
const CLAIM = statement<{ id: number }>((d) =>
  d.onPostgres(`
  UPDATE sources SET claimed_by = $serverId, claimed_until = now() + interval '45 seconds'
  WHERE id IN (SELECT id FROM sources WHERE ${d.isOneOf("id", "ids", "int")} AND ${IS_FREE} ORDER BY id FOR UPDATE SKIP LOCKED)
  RETURNING id`),
);
/** A folder that no server has is reported by whichever looks next, once it waited for so long. */
const NOBODY_HAS_IT_MS = 2 * MINUTE_MS;
const CHANGE = statement(`
  UPDATE sources SET options_json = coalesce(CAST($optionsJson AS text), options_json),
    every_ms = CASE WHEN $setsEvery THEN CAST($everyMs AS bigint) ELSE every_ms END,
    next_run_at = CASE WHEN $setsNext THEN CAST($nextRunAt AS bigint) ELSE next_run_at END
  WHERE id = $id`);
const REMOVE = statement(
  "UPDATE sources SET removed_at = $at, every_ms = NULL, next_run_at = NULL WHERE id = $id",
);
const HAS_PAGE = statement("SELECT 1 FROM pages WHERE source_id = $id LIMIT 1");
const END_BEGUN = statement("DELETE FROM generations WHERE source_id = $id AND number IS NULL");

/** `serverId` is the server that reads sources when they are due, where several may. */
export function createSourceStore(sql: Sql, serverId?: string): SourceStore {
  return {
    open: (spec, at) => sql.inTurn(() => open(spec, at)),

    async list(siteId) {
      return (await sql.all(OF_SITE, { siteId })).map(toListedSource);
    },

    async change(id, { options, everyMs, nextRunAt }) {
      await sql.run(CHANGE, {
        id,
        optionsJson: options && JSON.stringify(options),
        setsEvery: everyMs !== undefined,
        everyMs,
        setsNext: nextRunAt !== undefined,
        nextRunAt,
      });
    },

    async due(at, isHere = () => true) {
      const rows = await sql.all(DUE, { at, ahead: at + CLOCKS_DIFFER_MS, serverId });
      const due = rows.map(toListedSource);
      if (serverId === undefined) return due;
      const wanted = due.filter(
        (source) => isHere(source) || (source.nextRunAt ?? at) <= at - NOBODY_HAS_IT_MS,
      );
      const claimed = await sql.all(CLAIM, { serverId, ids: wanted.map(({ id }) => id) });
      const own = new Set(claimed.map(({ id }) => id));
      return wanted.filter(({ id }) => own.has(id));
    },

    async remove(id, at) {
      await sql.run(REMOVE, { id, at });
    },

    removeUnread: (id, at) =>
      sql.inOneWrite(function* () {
        if ((yield* get(HAS_PAGE, { id })) !== undefined) return false;
        yield* run(END_BEGUN, { id });
        yield* run(REMOVE, { id, at });
        return true;
      }),
  };
}

function* open({ siteId, kind, location, version, language }: SourceSpec, at: number): Steps<Source> {
  const place = { siteId, kind, location, version, language };
  if ((yield* get(FIND, place)) === undefined) yield* run(ADD, { ...place, at });
  const found = yield* get(FIND, place);
  if (found === undefined) throw new Error("the source that was just written is not there");
  yield* run(REVIVE, found);
  return { id: found.id, ...place };
}

/** Clocks of servers that share a database differ by less. */
const CLOCKS_DIFFER_MS = HOUR_MS;

interface SourceRow {
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
    published: z.string().optional(),
  }),
);

/** A source, with its last run beside it. */
function toListedSource(row: SourceRow & RunRow): ListedSource {
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
