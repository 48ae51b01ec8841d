import type { Database } from "bun:sqlite";
import { z } from "zod";
import {
  type ListedSource,
  SOURCE_KINDS,
  type Source,
  type SourceSpec,
  type SourceStore,
} from "../../../ingest/stores.ts";
import { type RunRow, toRunRecord } from "../../rows.ts";
import { visibleJoins, visibleWhere } from "../visible-rows.ts";
import { LAST_RUN_COLUMNS } from "./ledger.ts";

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
}

const kindSchema = z.enum(SOURCE_KINDS);
const optionsSchema = z.object({
  authorizationVariable: z.string().optional(),
  confined: z.literal(true).optional(),
});

/** One that was removed is listed while readers see its pages: after the site went back to where it was there. */
const LISTED = `
  SELECT sources.id, site_id AS siteId, kind, location, version, language, options_json AS optionsJson,
         every_ms AS everyMs, next_run_at AS nextRunAt, ${LAST_RUN_COLUMNS}
  FROM sources
  JOIN sites ON sites.id = sources.site_id
  LEFT JOIN source_runs ON source_runs.id = (SELECT max(id) FROM source_runs WHERE source_id = sources.id)
  WHERE (removed_at IS NULL OR EXISTS (
    SELECT 1 FROM pages ${visibleJoins("pages", "sites.generation")}
    WHERE pages.source_id = sources.id AND ${visibleWhere("pages", "sites.generation")}))`;

export function createSourceStore(database: Database): SourceStore {
  const add = database.query(`
    INSERT INTO sources (site_id, kind, location, version, language, created_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const revive = database.query(
    "UPDATE sources SET removed_at = NULL WHERE id = ? AND removed_at IS NOT NULL",
  );
  const find = database.query<{ id: number }, [number, string, string, string, string]>(
    "SELECT id FROM sources WHERE site_id = ? AND kind = ? AND location = ? AND version = ? AND language = ?",
  );

  return {
    async open(spec, at) {
      const { siteId, kind, location, version, language } = spec;
      const place = [siteId, kind, location, version, language] as const;
      // Looked for first: an insert that conflicts would use up a number, and people type these.
      if (!find.get(...place)) add.run(...place, at);
      const row = find.get(...place);
      if (!row) throw new Error("the source that was just written is not there");
      revive.run(row.id);
      return { id: row.id, siteId, kind, location, version, language } satisfies Source & SourceSpec;
    },

    async list(siteId) {
      return database
        .query<SourceRow & RunRow, [number]>(`${LISTED} AND site_id = ? ORDER BY sources.id`)
        .all(siteId)
        .map(toListed);
    },

    async change(sourceId, { options, everyMs, nextRunAt }) {
      const set = (column: string, value: string | number | null | undefined) => {
        if (value !== undefined)
          database.query(`UPDATE sources SET ${column} = ? WHERE id = ?`).run(value, sourceId);
      };
      database
        .transaction(() => {
          set("options_json", options === undefined ? undefined : JSON.stringify(options));
          set("every_ms", everyMs);
          set("next_run_at", nextRunAt);
        })
        .immediate();
    },

    async due(at) {
      return database
        .query<SourceRow & RunRow, [number]>(
          `${LISTED} AND every_ms IS NOT NULL AND next_run_at <= ? ORDER BY next_run_at, sources.id`,
        )
        .all(at)
        .map(toListed);
    },

    async remove(sourceId, at) {
      database
        .query("UPDATE sources SET removed_at = ?, every_ms = NULL, next_run_at = NULL WHERE id = ?")
        .run(at, sourceId);
    },
  };
}

function toListed(row: SourceRow & RunRow): ListedSource {
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
    lastRun: row.startedAt === null ? undefined : toRunRecord(row),
  };
}
