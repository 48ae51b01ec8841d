import type { OutcomeCount, OverviewStore, PageCount, SharedQuestion } from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import { readNumbers } from "../../rows/json.ts";
import type { Database } from "../database/database.ts";

interface FiguresRow {
  readers: number;
  cached: number;
  stored: number;
  queueJson: string | null;
  firstTokenJson: string | null;
  totalJson: string | null;
}

interface CitedRow {
  path: string | null;
  title: string | null;
  url: string;
  count: number;
}

const IN_PERIOD =
  "turns.site_id = $siteId AND turns.replaced_at IS NULL AND turns.created_at >= $from AND turns.created_at < $to";
/** The newest questions of a period. */
const NEWEST = `
  newest AS MATERIALIZED (
    SELECT turns.* FROM turns WHERE ${IN_PERIOD} ORDER BY created_at DESC LIMIT $questionsMax)`;
/** Only the numbers that there are, and as JSON: a row for each would cost ten times as much. */
const numbersOf = (column: string) => `(json_agg(${column}) FILTER (WHERE ${column} IS NOT NULL))::text`;

/** Noon of a day that was deleted, in milliseconds since 1970. */
const NOON = "(extract(epoch FROM (day || ' 12:00Z')::timestamptz) * 1000)";
const RANGES = `unnest($froms::bigint[], $tos::bigint[]) WITH ORDINALITY AS ranges (begins, ends, number)`;
export const OUTCOMES = `
  SELECT range, outcome, sum(count) AS count FROM (
    SELECT number - 1 AS range, outcome, count(*) AS count FROM ${RANGES}
    JOIN turns ON site_id = $siteId AND replaced_at IS NULL AND created_at >= begins AND created_at < ends
    GROUP BY 1, 2
    UNION ALL
    SELECT number - 1, outcome, sum(count) FROM ${RANGES}
    JOIN turn_counts ON site_id = $siteId AND ${NOON} >= begins AND ${NOON} < ends
    GROUP BY 1, 2) AS counted
  GROUP BY 1, 2`;
export const FIGURES = `
  SELECT count(DISTINCT nullif(fp, 'anonymous')) AS readers, count(*) FILTER (WHERE cached) AS cached,
    count(*) AS stored, ${numbersOf("queue_ms")} AS queue_json, ${numbersOf("first_token_ms")} AS first_token_json,
    ${numbersOf("total_ms")} AS total_json
  FROM turns WHERE ${IN_PERIOD}`;
const RATINGS = `
  SELECT count(*) FILTER (WHERE helpful) AS helpful, count(*) AS rated
  FROM feedback JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
  WHERE feedback.site_id = $siteId AND feedback.created_at >= $from AND feedback.created_at < $to`;
const SEARCHES = `
  SELECT count(*) AS count FROM searches WHERE site_id = $siteId AND created_at >= $from AND created_at < $to`;
const CITED = `
  WITH ${NEWEST}, cited AS (
    SELECT newest.id AS turn_id, (place ->> 'passageId')::bigint AS passage_id, place ->> 'url' AS url
    FROM newest, json_array_elements(newest.cited_json::json) AS place)
  SELECT pages.path, max(pages.title) AS title, min(url COLLATE "C") AS url, count(DISTINCT turn_id) AS count
  FROM cited LEFT JOIN passages ON passages.id = passage_id AND passages.site_id = $siteId
  LEFT JOIN pages ON pages.id = passages.page_id
  GROUP BY pages.path, CASE WHEN pages.path IS NULL THEN split_part(url, '#', 1) END
  ORDER BY count DESC, pages.path NULLS FIRST LIMIT $groupsMax`;
const ASKED_ON = `
  WITH ${NEWEST}
  SELECT current_path AS path, count(*) AS count,
    (SELECT title FROM pages WHERE pages.site_id = $siteId AND md5(pages.path) = md5(current_path)
       AND pages.path = current_path AND pages.kind = 'page'
     ORDER BY pages.id DESC LIMIT 1) AS title
  FROM newest WHERE current_path IS NOT NULL
  GROUP BY current_path ORDER BY count DESC, current_path LIMIT $pagesMax`;
/** Looked for in the text, which nothing else can have: a quote within a string stands behind a backslash. */
const HAS_GROUPS = `coalesce(strpos(filter_json, '"groups":["') > 0, false)`;
/** The question as it was asked last. */
const SHARED = `
  WITH ${NEWEST}
  SELECT (array_agg(trim(question) ORDER BY created_at DESC, id DESC))[1] AS question, max(created_at) AS at,
    count(DISTINCT fp) AS readers
  FROM newest
  WHERE position = 0 AND outcome IN ('answered', 'quoted', 'curated') AND fp <> 'anonymous'
    AND length(question) <= $charactersMax AND NOT ${HAS_GROUPS} AND audience_json IS NULL
    AND NOT EXISTS (SELECT 1 FROM feedback WHERE feedback.turn_id = newest.id AND NOT helpful)
    AND question NOT LIKE '%://%' AND question NOT ILIKE '%www.%' AND question NOT LIKE '%@%'
  GROUP BY lower(btrim(question, ' ?!.'))
  HAVING count(DISTINCT fp) >= $readersMin AND count(DISTINCT created_at / 86400000) >= $daysMin
  ORDER BY readers DESC, at DESC LIMIT $limit`;

/** Groups read for each page asked for: a page that is gone by now may stand under several addresses. */
const GROUPS_FOR_EACH = 20;

export function createOverviewStore(database: Database): OverviewStore {
  return {
    async outcomes(siteId, ranges) {
      const rows = await database.all<RowOf<OutcomeCount>>(OUTCOMES, {
        siteId,
        froms: ranges.map(({ from }) => from),
        tos: ranges.map(({ to }) => to),
      });
      return rows.map(fieldsOf);
    },

    async figures(siteId, { from, to }) {
      const row = await database.get<FiguresRow>(FIGURES, { siteId, from, to });
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
      const row = await database.get<{ helpful: number; rated: number }>(RATINGS, { siteId, from, to });
      return row ?? { helpful: 0, rated: 0 };
    },

    async searches(siteId, { from, to }) {
      return (await database.get<{ count: number }>(SEARCHES, { siteId, from, to }))?.count ?? 0;
    },

    async cited(siteId, { from, to }, { questionsMax, pagesMax }) {
      const bounds = { questionsMax, groupsMax: pagesMax * GROUPS_FOR_EACH };
      const groups = await database.all<CitedRow>(CITED, { siteId, from, to, ...bounds });
      return {
        pages: groups.flatMap(({ path, title, count }) =>
          path === null ? [] : [{ path, title: title ?? undefined, count }],
        ),
        addresses: groups.flatMap(({ path, url, count }) => (path === null ? [{ url, count }] : [])),
      };
    },

    async askedOn(siteId, { from, to }, { questionsMax, pagesMax }) {
      const rows = await database.all<RowOf<PageCount>>(ASKED_ON, {
        siteId,
        from,
        to,
        questionsMax,
        pagesMax,
      });
      return rows.map(fieldsOf);
    },

    async shared(siteId, { from, to }, bounds) {
      const rows = await database.all<SharedQuestion>(SHARED, { siteId, from, to, ...bounds });
      return rows.map(({ question, readers }) => ({ question, readers }));
    },
  };
}
