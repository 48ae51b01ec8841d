import type { Database } from "bun:sqlite";
import type { ChangedPage, GenerationReportStore, ToldGeneration } from "../../../golden/stores.ts";
import { letOthersRun } from "../../../lib/event-loop.ts";
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
import { inOneWrite } from "../one-write.ts";

type Values = Record<string, string | number | null>;

/** Read in a millisecond or two. */
const PAGES_AT_ONCE = 500;
const TEXT = `substr(coalesce(searched, question), 1, ${TEXT_CHARACTERS_MAX})`;
const revisions = (side: "born" | "died") => `
  SELECT id, path, title, source_id AS sourceId, octet_length(markdown) AS bytes FROM pages
  WHERE ${side} = $runId AND id > $after AND kind = 'page' AND hidden = 0 ORDER BY id LIMIT $limit`;

const PUT = `
  INSERT INTO generation_reports (site_id, number, report_json, created_at)
  VALUES ($siteId, $number, $reportJson, $at)
  ON CONFLICT DO UPDATE SET report_json = excluded.report_json, created_at = excluded.created_at`;

export const GENERATION_REPORT_QUERIES = {
  prune: `DELETE FROM generation_reports WHERE site_id = $siteId AND number IN (
    SELECT number FROM generation_reports WHERE site_id = $siteId ORDER BY number DESC LIMIT -1 OFFSET ${REPORTS_KEPT})`,
  get: `SELECT report_json AS reportJson, created_at AS at FROM generation_reports
    WHERE site_id = $siteId AND number = $number`,
  latest: `SELECT reports.number, reports.created_at AS at, sites.generation AS visible,
      reports.number > sites.generation OR undone_at IS NOT NULL AS isUndone
    FROM generation_reports AS reports JOIN sites ON sites.id = reports.site_id
      JOIN generations ON generations.site_id = reports.site_id AND generations.number = reports.number
    WHERE reports.site_id = $siteId ORDER BY reports.created_at DESC, reports.number DESC LIMIT $most`,
  before: `SELECT (
      SELECT max(earlier.number) FROM generations AS earlier
      WHERE earlier.site_id = $siteId AND earlier.number < $number AND earlier.undone_at IS NULL) AS before
    FROM generations JOIN sites ON sites.id = generations.site_id
    WHERE generations.site_id = $siteId AND generations.number = $number AND undone_at IS NULL
      AND generations.number >= sites.oldest_generation`,
  run: `SELECT id, redirects_json AS redirectsJson FROM generations
    WHERE site_id = $siteId AND (id = $staged AND number IS NULL)
    UNION ALL
    SELECT id, redirects_json FROM generations WHERE site_id = $siteId AND number = $number`,
  brought: revisions("born"),
  taken: revisions("died"),
  asked: `SELECT turns.id AS turnId, ${TEXT} AS text, filter_json AS filterJson, audience_json AS audienceJson,
      gap_questions.gap_id AS gapId,
      outcome IN ('unanswered', 'touched') OR EXISTS (
        SELECT 1 FROM feedback WHERE feedback.turn_id = turns.id AND helpful = 0) AS isGap
    FROM turns LEFT JOIN gap_questions ON gap_questions.turn_id = turns.id
    WHERE turns.site_id = $siteId AND replaced_at IS NULL AND outcome IN ('answered', 'quoted', 'touched', 'unanswered')
    ORDER BY turns.created_at DESC, turns.id DESC LIMIT $most`,
  words: `SELECT turns.id, ${TEXT} AS text FROM json_each($ids) AS wanted JOIN turns ON turns.id = wanted.value
    WHERE turns.site_id = $siteId`,
};

export function createGenerationReportStore(database: Database): GenerationReportStore {
  const prepare = <Row>(sql: string) => database.query<Row, Values>(sql);
  const put = prepare(PUT);
  const prune = prepare(GENERATION_REPORT_QUERIES.prune);
  const get = prepare<{ reportJson: string; at: number }>(GENERATION_REPORT_QUERIES.get);
  const latest = prepare<RowOf<ToldGeneration>>(GENERATION_REPORT_QUERIES.latest);
  const before = prepare<{ before: number | null }>(GENERATION_REPORT_QUERIES.before);
  const asked = prepare<AskedTurnRow>(GENERATION_REPORT_QUERIES.asked);
  const words = prepare<{ id: string; text: string }>(GENERATION_REPORT_QUERIES.words);

  return {
    async put(siteId, number, report, at) {
      inOneWrite(database, () => {
        put.run({ siteId, number, reportJson: JSON.stringify(report), at });
        prune.run({ siteId });
      });
    },

    async get(siteId, number) {
      const row = get.get({ siteId, number });
      return row === null ? undefined : { report: readReport(row.reportJson), at: row.at };
    },

    async latest(siteId, most) {
      return latest.all({ siteId, most }).map(toToldGeneration);
    },

    async before(siteId, number) {
      const row = before.get({ siteId, number });
      return row === null ? undefined : (row.before ?? 0);
    },

    revisions: readRevisions(database),

    async asked(siteId, most) {
      return asked.all({ siteId, most }).map(toAskedTurn);
    },

    async words(siteId, turnIds) {
      const rows = words.all({ siteId, ids: JSON.stringify(turnIds) });
      return new Map(rows.map(({ id, text }) => [id, text]));
    },
  };
}

type RevisionRow = ChangedPage & { id: number };

function readRevisions(database: Database): GenerationReportStore["revisions"] {
  const run = database.query<{ id: number; redirectsJson: string | null }, Values>(
    GENERATION_REPORT_QUERIES.run,
  );
  const brought = database.query<RevisionRow, Values>(GENERATION_REPORT_QUERIES.brought);
  const taken = database.query<RevisionRow, Values>(GENERATION_REPORT_QUERIES.taken);

  return async (siteId, point, most) => {
    const found = run.get({ siteId, ...pointValues(point) });
    if (found === null) return { brought: [], taken: [], redirects: [] };
    return {
      brought: await readSide(brought, found.id, most),
      taken: await readSide(taken, found.id, most),
      redirects: found.redirectsJson === null ? [] : readRedirects(found.redirectsJson),
    };
  };
}

/** The pages of one side, a part at a time: a large source may bring very many. */
async function readSide(
  side: { all(values: Values): RevisionRow[] },
  runId: number,
  most: number,
): Promise<ChangedPage[]> {
  const found: ChangedPage[] = [];
  for (let after = 0; found.length < most; ) {
    const limit = Math.min(PAGES_AT_ONCE, most - found.length);
    const some = side.all({ runId, after, limit });
    found.push(...some.map(({ id: _, ...page }) => page));
    after = some.at(-1)?.id ?? after;
    if (some.length < limit) break;
    await letOthersRun();
  }
  return found;
}

const pointValues = (point: IndexPoint) => ({
  staged: "staged" in point ? point.staged : null,
  number: "generation" in point ? point.generation : null,
});
