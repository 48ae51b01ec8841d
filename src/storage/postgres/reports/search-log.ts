import type { CountedSearch, SearchLogStore, SearchReportStore } from "../../../analytics/stores.ts";
import type { Database } from "../database/database.ts";

const IN_PERIOD = "site_id = $siteId AND created_at >= $from AND created_at < $to AND id <= $upTo";

/** A site may be removed before what was searched on it is written. */
const ADD = `
  INSERT INTO searches (site_id, query, results, created_at)
  SELECT sites.id, added.query, added.results, added.at
  FROM unnest($siteIds::int[], $queries::text[], $results::int[], $times::bigint[]) WITH ORDINALITY
    AS added (site_id, query, results, at, position)
  JOIN sites ON sites.id = added.site_id ORDER BY position`;
const NEWEST = "SELECT coalesce(max(id), 0) AS id FROM searches WHERE site_id = $siteId";
const COUNT = `SELECT count(*) AS searches FROM searches WHERE ${IN_PERIOD}`;
/** The results are those of the last time. */
const LIST = `
  SELECT * FROM (
    SELECT query, count(*) AS hits, (array_agg(results ORDER BY created_at DESC, id DESC))[1] AS results,
      max(created_at) AS last_at
    FROM searches WHERE ${IN_PERIOD} GROUP BY query) AS counted
  WHERE hits < $hits OR (hits = $hits AND query > $query)
  ORDER BY hits DESC, query LIMIT $limit`;

export function createSearchLogStore(database: Database): SearchLogStore & SearchReportStore {
  return {
    async add(searches) {
      await database.run(ADD, {
        siteIds: searches.map(({ siteId }) => siteId),
        queries: searches.map(({ query }) => query),
        results: searches.map(({ results }) => results),
        times: searches.map(({ at }) => at),
      });
    },

    async newest(siteId) {
      return (await database.get<{ id: number }>(NEWEST, { siteId }))?.id ?? 0;
    },

    async count(siteId, { from, to }, upTo) {
      const row = await database.get<{ searches: number }>(COUNT, { siteId, from, to, upTo });
      return row?.searches ?? 0;
    },

    async list(siteId, { from, to }, { upTo, behind, limit }) {
      const place = behind ?? { hits: Number.MAX_SAFE_INTEGER, query: "" };
      return database.all<CountedSearch>(LIST, { siteId, from, to, upTo, ...place, limit });
    },
  };
}
