import type { CountedSearch, SearchLogStore, SearchReportStore } from "@docent/measuring/analytics/stores";
import type { Sql } from "../sql/sql.ts";
import { listJson, statement } from "../sql/statement.ts";

const IN_PERIOD = "site_id = $siteId AND created_at >= $from AND created_at < $to AND searches.id <= $upTo";

/** A site may be removed before what was searched on it is written. */
const ADD = statement(
  (d) => `
  INSERT INTO searches (site_id, query, results, created_at)
  SELECT sites.id, query, results, at
  FROM ${d.recordsIn("searchesJson", { number: "int", siteId: "int", query: "text", results: "int", at: "bigint" }, "added")}
  JOIN sites ON sites.id = added."siteId" ORDER BY added.number`,
);
const NEWEST = statement<{ id: number }>(
  "SELECT coalesce(max(id), 0) AS id FROM searches WHERE site_id = $siteId",
);
const COUNT = statement<{ searches: number }>(`SELECT count(*) AS searches FROM searches WHERE ${IN_PERIOD}`);
/** The results are those of the last time. Read along the index, no sorting is needed to put together what is the same. */
const LIST = statement<CountedSearch>(
  (d) => `
  SELECT query, hits, results, last_at AS "lastAt" FROM (
    SELECT query, count(*) AS hits, ${d.ofLatest("results", "created_at", "id")} AS results, max(created_at) AS last_at
    FROM searches ${d.along("searches_by_query")} WHERE ${IN_PERIOD} GROUP BY query) AS counted
  WHERE hits < $hits OR (hits = $hits AND query > $query)
  ORDER BY hits DESC, query LIMIT $limit`,
);

export const SEARCH_LOG_QUERIES = { add: ADD, newest: NEWEST, count: COUNT, list: LIST };

export function createSearchLogStore(sql: Sql): SearchLogStore & SearchReportStore {
  return {
    async add(searches) {
      const added = searches.map(({ siteId, query, results, at }, number) => ({
        number,
        siteId,
        query,
        results,
        at,
      }));
      await sql.run(ADD, { searchesJson: listJson(added) });
    },

    async newest(siteId) {
      return (await sql.get(NEWEST, { siteId }))?.id ?? 0;
    },

    async count(siteId, { from, to }, upTo) {
      return (await sql.get(COUNT, { siteId, from, to, upTo }))?.searches ?? 0;
    },

    async list(siteId, { from, to }, { upTo, behind, limit }) {
      const place = behind ?? { hits: Number.MAX_SAFE_INTEGER, query: "" };
      return sql.all(LIST, { siteId, from, to, upTo, ...place, limit });
    },
  };
}
