import type { Database } from "bun:sqlite";
import type { CountedSearch, SearchLogStore, SearchReportStore } from "../../../analytics/stores.ts";

type Values = Record<string, string | number>;

const IN_PERIOD = "site_id = $siteId AND created_at >= $from AND created_at < $to AND searches.id <= $upTo";

export const SEARCH_LOG_QUERIES = {
  // A site may be removed before what was searched on it is written.
  add: `INSERT INTO searches (site_id, query, results, created_at)
    SELECT id, $query, $results, $at FROM sites WHERE id = $siteId`,
  newest: "SELECT coalesce(max(id), 0) AS id FROM searches WHERE site_id = $siteId",
  count: `SELECT count(*) AS searches FROM searches WHERE ${IN_PERIOD}`,
  // SQLite takes what is not counted from the row that has the greatest time. Read along the index, no sorting is needed
  // to put together what is the same.
  list: `SELECT * FROM (
      SELECT query, count(*) AS hits, results, max(created_at) AS lastAt
      FROM searches INDEXED BY searches_by_query WHERE ${IN_PERIOD} GROUP BY query)
    WHERE hits < $hits OR (hits = $hits AND query > $query)
    ORDER BY hits DESC, query LIMIT $limit`,
};

export function createSearchLogStore(database: Database): SearchLogStore & SearchReportStore {
  const add = database.query<unknown, Values>(SEARCH_LOG_QUERIES.add);
  const newest = database.query<{ id: number }, Values>(SEARCH_LOG_QUERIES.newest);
  const count = database.query<{ searches: number }, Values>(SEARCH_LOG_QUERIES.count);
  const list = database.query<CountedSearch, Values>(SEARCH_LOG_QUERIES.list);
  return {
    async add(searches) {
      database
        .transaction(() => {
          for (const { siteId, query, results, at } of searches) add.run({ siteId, query, results, at });
        })
        .immediate();
    },

    async newest(siteId) {
      return newest.get({ siteId })?.id ?? 0;
    },

    async count(siteId, period, upTo) {
      return count.get({ siteId, ...period, upTo })?.searches ?? 0;
    },

    async list(siteId, period, { upTo, behind, limit }) {
      const place = behind ?? { hits: Number.MAX_SAFE_INTEGER, query: "" };
      return list.all({ siteId, ...period, upTo, ...place, limit });
    },
  };
}
