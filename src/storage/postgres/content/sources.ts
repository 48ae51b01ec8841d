import type { Source, SourceSpec } from "../../../ingest/source.ts";
import type { SourceStore } from "../../../ingest/stores.ts";
import { MINUTE_MS } from "../../../lib/clock.ts";
import type { RunRow } from "../../rows/runs.ts";
import { CLOCKS_DIFFER_MS, type SourceRow, toListedSource } from "../../rows/sources.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import type { Database } from "../database/database.ts";

const IS_PLACE = `
  site_id = $siteId AND kind = $kind AND md5(location) = md5($location) AND location = $location
  AND version = $version AND language = $language`;
/** Looked for first: an insert that conflicts would use up a number, and people type these. */
const FIND = `SELECT id FROM sources WHERE ${IS_PLACE}`;
const ADD = `
  INSERT INTO sources (site_id, kind, location, version, language, created_at)
  VALUES ($siteId, $kind, $location, $version, $language, $at) ON CONFLICT DO NOTHING`;
const REVIVE = "UPDATE sources SET removed_at = NULL WHERE id = $id AND removed_at IS NOT NULL";

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
  SELECT sources.id, site_id, kind, location, version, language, options_json, every_ms, next_run_at,
    source_runs.started_at, source_runs.finished_at, source_runs.outcome, source_runs.message, source_runs.generation,
    source_runs.generator, source_runs.docs_json, source_runs.addresses_json, source_runs.counts_json AS run_counts_json,
    ${AWAITS_CONSENT} AS awaits_consent
  FROM sources
  JOIN sites ON sites.id = sources.site_id
  LEFT JOIN source_runs ON source_runs.id = (SELECT max(id) FROM source_runs WHERE source_id = sources.id)
  WHERE (removed_at IS NULL OR EXISTS (
    SELECT 1 FROM pages ${visibleJoins("pages", "sites.generation")}
    WHERE pages.source_id = sources.id AND ${visibleWhere("pages", "sites.generation")}))`;
const OF_SITE = `${LISTED} AND site_id = $siteId ORDER BY sources.id`;
const IS_FREE = "(claimed_by IS NULL OR claimed_by = $serverId OR claimed_until < now())";
const DUE = `
  ${LISTED} AND every_ms IS NOT NULL AND (next_run_at <= $at OR next_run_at - every_ms > $ahead) AND NOT ${AWAITS_CONSENT} AND ${IS_FREE}
  ORDER BY next_run_at, sources.id`;
/** A server looks every few seconds, and claims again what it is reading: one that is gone keeps nothing for long. */
const CLAIM = `
  UPDATE sources SET claimed_by = $serverId, claimed_until = now() + interval '45 seconds'
  WHERE id IN (SELECT id FROM sources WHERE id = ANY($ids::int[]) AND ${IS_FREE} ORDER BY id FOR UPDATE SKIP LOCKED)
  RETURNING id`;
/** A folder that no server has is reported by whichever looks next, once it waited for so long. */
const NOBODY_HAS_IT_MS = 2 * MINUTE_MS;
const CHANGE = `
  UPDATE sources SET options_json = coalesce($optionsJson::text, options_json),
    every_ms = CASE WHEN $setsEvery THEN $everyMs::bigint ELSE every_ms END,
    next_run_at = CASE WHEN $setsNext THEN $nextRunAt::bigint ELSE next_run_at END
  WHERE id = $id`;
const REMOVE = "UPDATE sources SET removed_at = $at, every_ms = NULL, next_run_at = NULL WHERE id = $id";
const HAS_PAGE = "SELECT 1 FROM pages WHERE source_id = $id LIMIT 1";
const END_BEGUN = "DELETE FROM generations WHERE source_id = $id AND number IS NULL";

export function createSourceStore(database: Database, serverId: string | undefined): SourceStore {
  return {
    open: (spec, at) => open(database, spec, at),

    async list(siteId) {
      return (await database.all<SourceRow & RunRow>(OF_SITE, { siteId })).map(toListedSource);
    },

    async change(id, { options, everyMs, nextRunAt }) {
      await database.run(CHANGE, {
        id,
        optionsJson: options === undefined ? null : JSON.stringify(options),
        setsEvery: everyMs !== undefined,
        everyMs: everyMs ?? null,
        setsNext: nextRunAt !== undefined,
        nextRunAt: nextRunAt ?? null,
      });
    },

    async due(at, isHere = () => true) {
      const rows = await database.all<SourceRow & RunRow>(DUE, {
        at,
        ahead: at + CLOCKS_DIFFER_MS,
        serverId: serverId ?? null,
      });
      const due = rows.map(toListedSource);
      if (serverId === undefined) return due;
      const wanted = due.filter(
        (source) => isHere(source) || (source.nextRunAt ?? at) <= at - NOBODY_HAS_IT_MS,
      );
      const ids = wanted.map(({ id }) => id);
      const claimed = await database.all<{ id: number }>(CLAIM, { serverId, ids });
      const own = new Set(claimed.map(({ id }) => id));
      return wanted.filter(({ id }) => own.has(id));
    },

    async remove(id, at) {
      await database.run(REMOVE, { id, at });
    },

    removeUnread: (id, at) =>
      database.inOneWrite(async (write) => {
        if ((await write.get(HAS_PAGE, { id })) !== undefined) return false;
        await write.run(END_BEGUN, { id });
        await write.run(REMOVE, { id, at });
        return true;
      }),
  };
}

async function open(database: Database, spec: SourceSpec, at: number): Promise<Source> {
  const { siteId, kind, location, version, language } = spec;
  const place = { siteId, kind, location, version, language };
  const find = async () => (await database.get<{ id: number }>(FIND, place))?.id;
  if ((await find()) === undefined) await database.run(ADD, { ...place, at });
  const id = await find();
  if (id === undefined) throw new Error("the source that was just written is not there");
  await database.run(REVIVE, { id });
  return { id, ...place };
}
