import { DAY_MS } from "@docent/kernel/lib/clock";
import type {
  OutcomeCount,
  OverviewStore,
  PageCount,
  SharedQuestion,
} from "@docent/measuring/analytics/stores";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readNumbers } from "../rows/json.ts";
import type { Dialect } from "../sql/dialect.ts";
import type { Sql } from "../sql/sql.ts";
import { listJson, statement } from "../sql/statement.ts";

interface FiguresRow {
  readers: number;
  cached: number;
  stored: number;
  queueJson: string;
  firstTokenJson: string;
  totalJson: string;
}

interface CitedRow {
  path: string | null;
  title: string | null;
  url: string;
  count: number;
}

const IN_PERIOD =
  "turns.site_id = $siteId AND turns.replaced_at IS NULL AND turns.created_at >= $from AND turns.created_at < $to";
/** The newest questions of a period: what is read of each is in its row. */
const newest = (d: Dialect) => `newest AS MATERIALIZED (
    SELECT id FROM turns ${d.along("turns_in_overview")} WHERE ${IN_PERIOD}
    ORDER BY created_at DESC LIMIT $questionsMax)`;
const rangesIn = (d: Dialect) =>
  d.recordsIn("rangesJson", { range: "int", begins: "bigint", ends: "bigint" }, "ranges");
/** Noon of a day that was deleted. */
const noonOf = (d: Dialect) => `(${d.beginningOf("day")} + ${DAY_MS / 2})`;

export const OUTCOMES = statement<RowOf<OutcomeCount>>(
  (d) => `
  SELECT range, outcome, sum(count) AS count FROM (
    SELECT range, outcome, count(*) AS count FROM ${rangesIn(d)}
    ${d.joinNext} turns ${d.along("turns_in_overview")} ON site_id = $siteId AND replaced_at IS NULL
      AND created_at >= begins AND created_at < ends
    GROUP BY 1, 2
    UNION ALL
    SELECT range, outcome, sum(count) FROM ${rangesIn(d)}
    ${d.joinNext} turn_counts ON site_id = $siteId AND day >= ${d.dayOf(`begins - ${DAY_MS}`)} AND day <= ${d.dayOf("ends")}
      AND ${noonOf(d)} >= begins AND ${noonOf(d)} < ends
    GROUP BY 1, 2) AS counted
  GROUP BY 1, 2`,
);
/** Only the numbers that there are, and as JSON: a row for each would cost ten times as much. */
export const FIGURES = statement<FiguresRow>(
  (d) => `
  SELECT count(DISTINCT nullif(fp, 'anonymous')) AS readers, count(*) FILTER (WHERE cached) AS cached,
    count(*) AS stored, ${d.jsonOf("queue_ms")} AS "queueJson", ${d.jsonOf("first_token_ms")} AS "firstTokenJson",
    ${d.jsonOf("total_ms")} AS "totalJson"
  FROM turns ${d.along("turns_in_overview")} WHERE ${IN_PERIOD}`,
);
const RATINGS = statement<{ helpful: number; rated: number }>(`
  SELECT count(*) FILTER (WHERE helpful) AS helpful, count(*) AS rated
  FROM feedback JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
  WHERE feedback.site_id = $siteId AND feedback.created_at >= $from AND feedback.created_at < $to`);
const SEARCHES = statement<{ count: number }>(`
  SELECT count(*) AS count FROM searches WHERE site_id = $siteId AND created_at >= $from AND created_at < $to`);
const CITED = statement<CitedRow>(
  (d) => `
  WITH ${newest(d)}, cited AS MATERIALIZED (
    SELECT turns.id AS turn_id, CAST(value ->> 'passageId' AS bigint) AS passage_id, value ->> 'url' AS url
    FROM newest ${d.joinNext} turns ON turns.id = newest.id CROSS JOIN ${d.itemsIn("turns.cited_json")})
  SELECT pages.path, max(pages.title) AS title, min(${d.bytewise("url")}) AS url, count(DISTINCT turn_id) AS count
  FROM cited LEFT JOIN passages ON passages.id = passage_id AND passages.site_id = $siteId
  LEFT JOIN pages ON pages.id = passages.page_id
  GROUP BY pages.path, CASE WHEN pages.path IS NULL THEN substr(url, 1, ${d.placeOf("'#'", "url || '#'")} - 1) END
  ORDER BY count DESC, pages.path NULLS FIRST LIMIT $groupsMax`,
);
/** The other form of the address of a page that a reader was on. */
const OTHER_ENDING = `(CASE WHEN current_path LIKE '%.html' THEN substr(current_path, 1, length(current_path) - 5)
      ELSE current_path || '.html' END)`;
const ASKED_ON = statement<RowOf<PageCount>>(
  (d) => `
  WITH ${newest(d)}
  SELECT current_path AS path, count(*) AS count,
    (SELECT title FROM pages
     WHERE pages.site_id = $siteId AND pages.kind = 'page'
       AND (${d.isSame("pages.path", "current_path")} OR ${d.isSame("pages.path", OTHER_ENDING)})
     ORDER BY pages.id DESC LIMIT 1) AS title
  FROM newest ${d.joinNext} turns ON turns.id = newest.id WHERE current_path IS NOT NULL
  GROUP BY current_path ORDER BY count DESC, current_path LIMIT $pagesMax`,
);
/** Looked for in the text, which nothing else can have: a quote within a string stands behind a backslash. */
const hasGroups = (d: Dialect) => `coalesce(${d.placeOf(`'"groups":["'`, "filter_json")} > 0, FALSE)`;
/** The question as it was asked last. */
const SHARED = statement<SharedQuestion & { at: number }>(
  (d) => `
  WITH ${newest(d)}
  SELECT ${d.ofLatest("trim(question)", "created_at", "turns.id")} AS question, max(created_at) AS at,
    count(DISTINCT fp) AS readers
  FROM newest ${d.joinNext} turns ON turns.id = newest.id
  WHERE position = 0 AND outcome IN ('answered', 'quoted', 'curated') AND fp <> 'anonymous'
    AND length(question) <= $charactersMax AND NOT ${hasGroups(d)} AND audience_json IS NULL
    AND NOT EXISTS (SELECT 1 FROM feedback WHERE feedback.turn_id = turns.id AND NOT helpful)
    AND question NOT LIKE '%://%' AND question NOT ${d.like} '%www.%' AND question NOT LIKE '%@%'
  GROUP BY lower(trim(question, ' ?!.'))
  HAVING count(DISTINCT fp) >= $readersMin AND count(DISTINCT created_at / ${DAY_MS}) >= $daysMin
  ORDER BY readers DESC, at DESC LIMIT $limit`,
);

export const OVERVIEW_QUERIES = {
  outcomes: OUTCOMES,
  figures: FIGURES,
  ratings: RATINGS,
  searches: SEARCHES,
  cited: CITED,
  askedOn: ASKED_ON,
  shared: SHARED,
};

/** Groups read for each page asked for: a page that is gone by now may stand under several addresses. */
const GROUPS_FOR_EACH = 20;

export function createOverviewStore(sql: Sql): OverviewStore {
  return {
    async outcomes(siteId, ranges) {
      const given = ranges.map(({ from, to }, range) => ({ range, begins: from, ends: to }));
      const rows = await sql.all(OUTCOMES, { siteId, rangesJson: listJson(given) });
      return rows.map(fieldsOf);
    },

    async figures(siteId, { from, to }) {
      const row = await sql.get(FIGURES, { siteId, from, to });
      return {
        readers: row?.readers ?? 0,
        cached: row?.cached ?? 0,
        stored: row?.stored ?? 0,
        queueMs: readNumbers(row?.queueJson ?? "[]"),
        firstTokenMs: readNumbers(row?.firstTokenJson ?? "[]"),
        totalMs: readNumbers(row?.totalJson ?? "[]"),
      };
    },

    async ratings(siteId, { from, to }) {
      return (await sql.get(RATINGS, { siteId, from, to })) ?? { helpful: 0, rated: 0 };
    },

    async searches(siteId, { from, to }) {
      return (await sql.get(SEARCHES, { siteId, from, to }))?.count ?? 0;
    },

    async cited(siteId, { from, to }, { questionsMax, pagesMax }) {
      const bounds = { questionsMax, groupsMax: pagesMax * GROUPS_FOR_EACH };
      const groups = await sql.all(CITED, { siteId, from, to, ...bounds });
      return {
        pages: groups.flatMap(({ path, title, count }) =>
          path === null ? [] : [{ path, title: title ?? undefined, count }],
        ),
        addresses: groups.flatMap(({ path, url, count }) => (path === null ? [{ url, count }] : [])),
      };
    },

    async askedOn(siteId, { from, to }, { questionsMax, pagesMax }) {
      return (await sql.all(ASKED_ON, { siteId, from, to, questionsMax, pagesMax })).map(fieldsOf);
    },

    async shared(siteId, { from, to }, bounds) {
      const rows = await sql.all(SHARED, { siteId, from, to, ...bounds });
      return rows.map(({ question, readers }) => ({ question, readers }));
    },
  };
}
