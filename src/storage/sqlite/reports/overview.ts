import type { Database } from "bun:sqlite";
import { z } from "zod";
import type { OutcomeCount, OverviewStore, PageCount, SharedQuestion } from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";

type Values = Record<string, string | number>;

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

const numbersSchema = z.array(z.number());

const IN_PERIOD =
  "turns.site_id = $siteId AND turns.replaced_at IS NULL AND turns.created_at >= $from AND turns.created_at < $to";
/** The newest questions of a period: what is read of each is in its row. */
const NEWEST = `newest AS MATERIALIZED (
    SELECT id FROM turns INDEXED BY turns_in_overview WHERE ${IN_PERIOD}
    ORDER BY created_at DESC LIMIT $questionsMax)`;
/** Only the numbers that there are, and as JSON: a row for each would cost ten times as much. */
const numbersOf = (column: string) => `json_group_array(${column}) FILTER (WHERE ${column} IS NOT NULL)`;

export const OVERVIEW_QUERIES = {
  outcomes: `SELECT range, outcome, sum(count) AS count FROM (
      SELECT ranges.key AS range, outcome, count(*) AS count
      FROM json_each($ranges) AS ranges
      CROSS JOIN turns INDEXED BY turns_in_overview ON site_id = $siteId AND replaced_at IS NULL
        AND created_at >= ranges.value ->> 0 AND created_at < ranges.value ->> 1
      GROUP BY 1, 2
      UNION ALL
      SELECT ranges.key, outcome, sum(count)
      FROM json_each($ranges) AS ranges
      CROSS JOIN turn_counts ON site_id = $siteId
        AND day >= date((ranges.value ->> 0) / 1000 - 86400, 'unixepoch')
        AND day <= date((ranges.value ->> 1) / 1000, 'unixepoch')
        AND (unixepoch(day) + 43200) * 1000 >= ranges.value ->> 0
        AND (unixepoch(day) + 43200) * 1000 < ranges.value ->> 1
      GROUP BY 1, 2)
    GROUP BY 1, 2`,
  figures: `SELECT count(DISTINCT nullif(fp, 'anonymous')) AS readers, coalesce(sum(cached), 0) AS cached,
      count(*) AS stored, ${numbersOf("queue_ms")} AS queueJson, ${numbersOf("first_token_ms")} AS firstTokenJson,
      ${numbersOf("total_ms")} AS totalJson
    FROM turns INDEXED BY turns_in_overview WHERE ${IN_PERIOD}`,
  ratings: `SELECT coalesce(sum(helpful), 0) AS helpful, count(*) AS rated
    FROM feedback JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
    WHERE feedback.site_id = $siteId AND feedback.created_at >= $from AND feedback.created_at < $to`,
  searches: `SELECT count(*) AS count FROM searches
    WHERE site_id = $siteId AND created_at >= $from AND created_at < $to`,
  cited: `WITH ${NEWEST}, cited AS MATERIALIZED (
      SELECT turns.id AS turnId, places.value ->> 'passageId' AS passageId, places.value ->> 'url' AS url
      FROM newest CROSS JOIN turns ON turns.id = newest.id, json_each(turns.cited_json) AS places)
    SELECT pages.path, max(pages.title) AS title, min(url) AS url, count(DISTINCT turnId) AS count
    FROM cited LEFT JOIN passages ON passages.id = passageId AND passages.site_id = $siteId
    LEFT JOIN pages ON pages.id = passages.page_id
    GROUP BY coalesce(pages.path, substr(url, 1, instr(url || '#', '#') - 1))
    ORDER BY count DESC, 1 LIMIT $groupsMax`,
  askedOn: `WITH ${NEWEST}
    SELECT current_path AS path, count(*) AS count,
      (SELECT title FROM pages WHERE pages.site_id = $siteId AND pages.path = current_path AND pages.kind = 'page'
       ORDER BY pages.id DESC LIMIT 1) AS title
    FROM newest CROSS JOIN turns ON turns.id = newest.id WHERE current_path IS NOT NULL
    GROUP BY current_path ORDER BY count DESC, 1 LIMIT $pagesMax`,
  // SQLite takes the question from the row that has the latest time.
  shared: `WITH ${NEWEST}
    SELECT trim(question) AS question, max(created_at) AS at, count(DISTINCT fp) AS readers
    FROM newest CROSS JOIN turns ON turns.id = newest.id
    WHERE position = 0 AND outcome IN ('answered', 'quoted', 'curated') AND fp <> 'anonymous'
      AND length(question) <= $charactersMax AND coalesce(json_array_length(filter_json, '$.groups'), 0) = 0
      AND audience_json IS NULL
      AND NOT EXISTS (SELECT 1 FROM feedback WHERE feedback.turn_id = turns.id AND helpful = 0)
      AND question NOT LIKE '%://%' AND question NOT LIKE '%www.%' AND question NOT LIKE '%@%'
    GROUP BY lower(trim(question, ' ?!.'))
    HAVING readers >= $readersMin AND count(DISTINCT created_at / 86400000) >= $daysMin
    ORDER BY readers DESC, at DESC LIMIT $limit`,
};

/** Groups read for each page asked for: a page that is gone by now may stand under several addresses. */
const GROUPS_FOR_EACH = 20;

export function createOverviewStore(database: Database): OverviewStore {
  const outcomes = database.query<RowOf<OutcomeCount>, Values>(OVERVIEW_QUERIES.outcomes);
  const figures = database.query<FiguresRow, Values>(OVERVIEW_QUERIES.figures);
  const ratings = database.query<{ helpful: number; rated: number }, Values>(OVERVIEW_QUERIES.ratings);
  const searches = database.query<{ count: number }, Values>(OVERVIEW_QUERIES.searches);
  const cited = database.query<CitedRow, Values>(OVERVIEW_QUERIES.cited);
  const askedOn = database.query<RowOf<PageCount>, Values>(OVERVIEW_QUERIES.askedOn);
  const shared = database.query<SharedQuestion & { at: number }, Values>(OVERVIEW_QUERIES.shared);

  return {
    async outcomes(siteId, ranges) {
      const given = JSON.stringify(ranges.map(({ from, to }) => [from, to]));
      return outcomes.all({ siteId, ranges: given }).map(fieldsOf);
    },

    async figures(siteId, period) {
      const row = figures.get({ siteId, ...period });
      const numbers = (json: string | undefined) => numbersSchema.parse(JSON.parse(json ?? "[]"));
      return {
        readers: row?.readers ?? 0,
        cached: row?.cached ?? 0,
        stored: row?.stored ?? 0,
        queueMs: numbers(row?.queueJson),
        firstTokenMs: numbers(row?.firstTokenJson),
        totalMs: numbers(row?.totalJson),
      };
    },

    async ratings(siteId, period) {
      return ratings.get({ siteId, ...period }) ?? { helpful: 0, rated: 0 };
    },

    async searches(siteId, period) {
      return searches.get({ siteId, ...period })?.count ?? 0;
    },

    async cited(siteId, period, { questionsMax, pagesMax }) {
      const groups = cited.all({ siteId, ...period, questionsMax, groupsMax: pagesMax * GROUPS_FOR_EACH });
      return {
        pages: groups.flatMap(({ path, title, count }) =>
          path === null ? [] : [{ path, title: title ?? undefined, count }],
        ),
        addresses: groups.flatMap(({ path, url, count }) => (path === null ? [{ url, count }] : [])),
      };
    },

    async askedOn(siteId, period, bounds) {
      return askedOn.all({ siteId, ...period, ...bounds }).map(fieldsOf);
    },

    async shared(siteId, period, bounds) {
      return shared
        .all({ siteId, ...period, ...bounds })
        .map(({ question, readers }) => ({ question, readers }));
    },
  };
}
