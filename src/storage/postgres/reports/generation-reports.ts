import type { ChangedPage, GenerationReportStore, ToldGeneration } from "../../../golden/stores.ts";
import type { IndexPoint } from "../../../search/search-store.ts";
import type { RowOf } from "../../rows/fields.ts";
import {
  type AskedTurnRow,
  REPORTS_KEPT,
  readReport,
  TEXT_CHARACTERS_MAX,
  toAskedTurn,
  toToldGeneration,
} from "../../rows/golden.ts";
import { readRedirects } from "../../rows/json.ts";
import type { Database } from "../database/database.ts";

const PAGES_AT_ONCE = 5000;
const TEXT = `substr(coalesce(searched, question), 1, ${TEXT_CHARACTERS_MAX})`;
const PUT = `
  INSERT INTO generation_reports (site_id, number, report_json, created_at) VALUES ($siteId, $number, $reportJson, $at)
  ON CONFLICT (site_id, number) DO UPDATE SET report_json = excluded.report_json, created_at = excluded.created_at`;
const PRUNE = `
  DELETE FROM generation_reports WHERE site_id = $siteId AND number IN (
    SELECT number FROM generation_reports WHERE site_id = $siteId ORDER BY number DESC OFFSET ${REPORTS_KEPT})`;
const GET = `
  SELECT report_json, created_at AS at FROM generation_reports WHERE site_id = $siteId AND number = $number`;
const LATEST = `
  SELECT reports.number, reports.created_at AS at, sites.generation AS visible,
    reports.number > sites.generation OR undone_at IS NOT NULL AS is_undone
  FROM generation_reports AS reports JOIN sites ON sites.id = reports.site_id
    JOIN generations ON generations.site_id = reports.site_id AND generations.number = reports.number
  WHERE reports.site_id = $siteId ORDER BY reports.created_at DESC, reports.number DESC LIMIT $most`;
const BEFORE = `
  SELECT coalesce((
      SELECT max(earlier.number) FROM generations AS earlier
      WHERE earlier.site_id = $siteId AND earlier.number < $number AND earlier.undone_at IS NULL), 0) AS before
  FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND generations.number = $number AND undone_at IS NULL
    AND generations.number >= sites.oldest_generation`;
const RUN = `
  SELECT id, redirects_json FROM generations
  WHERE site_id = $siteId AND ((id = $staged::int AND number IS NULL) OR number = $number::int)`;
const revisions = (side: "born" | "died") => `
  SELECT id, path, title, source_id, octet_length(markdown) AS bytes FROM pages
  WHERE ${side} = $runId AND id > $after AND kind = 'page' AND NOT hidden ORDER BY id LIMIT $limit`;
const REVISIONS = { brought: revisions("born"), taken: revisions("died") };
const ASKED = `
  SELECT turns.id AS turn_id, ${TEXT} AS text, filter_json, audience_json, gap_questions.gap_id,
    outcome IN ('unanswered', 'touched') OR EXISTS (
      SELECT 1 FROM feedback WHERE feedback.turn_id = turns.id AND NOT helpful) AS is_gap
  FROM turns LEFT JOIN gap_questions ON gap_questions.turn_id = turns.id
  WHERE turns.site_id = $siteId AND replaced_at IS NULL AND outcome IN ('answered', 'quoted', 'touched', 'unanswered')
  ORDER BY turns.created_at DESC, turns.id DESC LIMIT $most`;
const WORDS = `SELECT id, ${TEXT} AS text FROM turns WHERE site_id = $siteId AND id = ANY($ids::text[])`;

export function createGenerationReportStore(database: Database): GenerationReportStore {
  /** The pages of one side, a part at a time: a large source may bring very many. */
  async function read(side: keyof typeof REVISIONS, runId: number, most: number): Promise<ChangedPage[]> {
    const found: ChangedPage[] = [];
    for (let after = 0; found.length < most; ) {
      const limit = Math.min(PAGES_AT_ONCE, most - found.length);
      const asked = { runId, after, limit };
      const some = await database.all<ChangedPage & { id: number }>(REVISIONS[side], asked);
      found.push(...some.map(({ id: _, ...page }) => page));
      after = some.at(-1)?.id ?? after;
      if (some.length < limit) break;
    }
    return found;
  }

  return {
    async put(siteId, number, report, at) {
      await database.inOneWrite(async (write) => {
        await write.run(PUT, { siteId, number, reportJson: JSON.stringify(report), at });
        await write.run(PRUNE, { siteId });
      });
    },

    async get(siteId, number) {
      const row = await database.get<{ reportJson: string; at: number }>(GET, { siteId, number });
      return row && { report: readReport(row.reportJson), at: row.at };
    },

    async latest(siteId, most) {
      return (await database.all<RowOf<ToldGeneration>>(LATEST, { siteId, most })).map(toToldGeneration);
    },

    async before(siteId, number) {
      return (await database.get<{ before: number }>(BEFORE, { siteId, number }))?.before;
    },

    async revisions(siteId, point, most) {
      const asked = { siteId, ...pointValues(point) };
      const found = await database.get<{ id: number; redirectsJson: string | null }>(RUN, asked);
      if (found === undefined) return { brought: [], taken: [], redirects: [] };
      return {
        brought: await read("brought", found.id, most),
        taken: await read("taken", found.id, most),
        redirects: found.redirectsJson === null ? [] : readRedirects(found.redirectsJson),
      };
    },

    async asked(siteId, most) {
      return (await database.all<AskedTurnRow>(ASKED, { siteId, most })).map(toAskedTurn);
    },

    async words(siteId, turnIds) {
      const ids = [...turnIds];
      const rows = await database.all<{ id: string; text: string }>(WORDS, { siteId, ids });
      return new Map(rows.map(({ id, text }) => [id, text]));
    },
  };
}

const pointValues = (point: IndexPoint) => ({
  staged: "staged" in point ? point.staged : null,
  number: "generation" in point ? point.generation : null,
});
