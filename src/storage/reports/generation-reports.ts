import type { IndexPoint } from "@docent/finding/search/search-store";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { ChangedPage, GenerationReportStore, ToldGeneration } from "@docent/measuring/golden/stores";
import type { RowOf } from "../rows/fields.ts";
import {
  type AskedTurnRow,
  REPORTS_KEPT,
  readReport,
  TEXT_CHARACTERS_MAX,
  toAskedTurn,
  toToldGeneration,
} from "../rows/golden.ts";
import { readRedirects } from "../rows/json.ts";
import { run, type Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

const TEXT = `substr(coalesce(searched, question), 1, ${TEXT_CHARACTERS_MAX})`;
const PUT = statement(`
  INSERT INTO generation_reports (site_id, number, report_json, created_at) VALUES ($siteId, $number, $reportJson, $at)
  ON CONFLICT (site_id, number) DO UPDATE SET report_json = excluded.report_json, created_at = excluded.created_at`);
const PRUNE = statement(
  ({ offset }) => `
  DELETE FROM generation_reports WHERE site_id = $siteId AND number IN (
    SELECT number FROM generation_reports WHERE site_id = $siteId ORDER BY number DESC ${offset(String(REPORTS_KEPT))})`,
);
const GET = statement<{ reportJson: string; at: number }>(`
  SELECT report_json AS "reportJson", created_at AS at FROM generation_reports
  WHERE site_id = $siteId AND number = $number`);
const LATEST = statement<RowOf<ToldGeneration>>(`
  SELECT reports.number, reports.created_at AS at, sites.generation AS visible,
    reports.number > sites.generation OR undone_at IS NOT NULL AS "isUndone"
  FROM generation_reports AS reports JOIN sites ON sites.id = reports.site_id
    JOIN generations ON generations.site_id = reports.site_id AND generations.number = reports.number
  WHERE reports.site_id = $siteId ORDER BY reports.created_at DESC, reports.number DESC LIMIT $most`);
const BEFORE = statement<{ before: number }>(`
  SELECT coalesce((
      SELECT max(earlier.number) FROM generations AS earlier
      WHERE earlier.site_id = $siteId AND earlier.number < $number AND earlier.undone_at IS NULL), 0) AS before
  FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND generations.number = $number AND undone_at IS NULL
    AND generations.number >= sites.oldest_generation`);
const RUN = statement<{ id: number; redirectsJson: string | null }>(`
  SELECT id, redirects_json AS "redirectsJson" FROM generations
  WHERE site_id = $siteId AND id = CAST($staged AS integer) AND number IS NULL
  UNION ALL
  SELECT id, redirects_json FROM generations WHERE site_id = $siteId AND number = CAST($number AS integer)`);
const revisions = (side: "born" | "died") =>
  statement<ChangedPage & { id: number }>(`
  SELECT id, path, title, source_id AS "sourceId", octet_length(markdown) AS bytes FROM pages
  WHERE ${side} = $runId AND id > $after AND kind = 'page' AND NOT hidden ORDER BY id LIMIT $limit`);
const REVISIONS = { brought: revisions("born"), taken: revisions("died") };
const ASKED = statement<AskedTurnRow>(`
  SELECT turns.id AS "turnId", ${TEXT} AS text, filter_json AS "filterJson", audience_json AS "audienceJson",
    gap_questions.gap_id AS "gapId", outcome IN ('unanswered', 'touched') OR EXISTS (
      SELECT 1 FROM feedback WHERE feedback.turn_id = turns.id AND NOT helpful) AS "isGap"
  FROM turns LEFT JOIN gap_questions ON gap_questions.turn_id = turns.id
  WHERE turns.site_id = $siteId AND replaced_at IS NULL AND outcome IN ('answered', 'quoted', 'touched', 'unanswered')
  ORDER BY turns.created_at DESC, turns.id DESC LIMIT $most`);
const WORDS = statement<{ id: string; text: string }>(
  (d) =>
    `SELECT id, ${TEXT} AS text FROM turns WHERE site_id = $siteId AND ${d.isOneOf("id", "ids", "text")}`,
);

export const GENERATION_REPORT_QUERIES = {
  prune: PRUNE,
  get: GET,
  latest: LATEST,
  before: BEFORE,
  run: RUN,
  ...REVISIONS,
  asked: ASKED,
  words: WORDS,
};

export function createGenerationReportStore(sql: Sql): GenerationReportStore {
  /** The pages of one side, a part at a time: a large source may bring very many. */
  async function read(side: keyof typeof REVISIONS, runId: number, most: number): Promise<ChangedPage[]> {
    const found: ChangedPage[] = [];
    for (let after = 0; found.length < most; ) {
      const limit = Math.min(sql.rowsAtOnce, most - found.length);
      const some = await sql.all(REVISIONS[side], { runId, after, limit });
      found.push(...some.map(({ id: _, ...page }) => page));
      after = some.at(-1)?.id ?? after;
      if (some.length < limit) break;
      await letOthersRun();
    }
    return found;
  }

  return {
    put: (siteId, number, report, at) =>
      sql.inOneWrite(function* () {
        yield* run(PUT, { siteId, number, reportJson: JSON.stringify(report), at });
        yield* run(PRUNE, { siteId });
      }),

    async get(siteId, number) {
      const row = await sql.get(GET, { siteId, number });
      return row && { report: readReport(row.reportJson), at: row.at };
    },

    async latest(siteId, most) {
      return (await sql.all(LATEST, { siteId, most })).map(toToldGeneration);
    },

    async before(siteId, number) {
      return (await sql.get(BEFORE, { siteId, number }))?.before;
    },

    async revisions(siteId, point, most) {
      const found = await sql.get(RUN, { siteId, ...pointValues(point) });
      if (found === undefined) return { brought: [], taken: [], redirects: [] };
      return {
        brought: await read("brought", found.id, most),
        taken: await read("taken", found.id, most),
        redirects: found.redirectsJson === null ? [] : readRedirects(found.redirectsJson),
      };
    },

    async asked(siteId, most) {
      return (await sql.all(ASKED, { siteId, most })).map(toAskedTurn);
    },

    async words(siteId, turnIds) {
      const rows = await sql.all(WORDS, { siteId, ids: [...turnIds] });
      return new Map(rows.map(({ id, text }) => [id, text]));
    },
  };
}

const pointValues = (point: IndexPoint) => ({
  staged: "staged" in point ? point.staged : undefined,
  number: "generation" in point ? point.generation : undefined,
});
