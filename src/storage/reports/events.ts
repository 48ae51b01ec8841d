import type { EventStore } from "@docent/measuring/analytics/stores";
import type { Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

const ADD = statement(`
  INSERT INTO events (site_id, type, query, path, turn_id, created_at)
  VALUES ($siteId, $type, $query, $path,
    (SELECT id FROM turns WHERE id = $messageId AND thread_id = $threadId AND site_id = $siteId AND EXISTS (
      SELECT 1 FROM threads WHERE threads.id = turns.thread_id
        AND (threads.reader IS NULL OR threads.reader = CAST($readerId AS text)))), $at)`);
const ANY_SEARCH_CLICK = statement(
  "SELECT 1 FROM events WHERE site_id = $siteId AND type = 'search_click' LIMIT 1",
);
/** Of each search, the page that was clicked most, and how many clicks there were. */
const SEARCH_CLICKS = statement<{ query: string; topPath: string; clicks: number }>(
  (d) => `
  SELECT query, path AS "topPath", clicks FROM (
    SELECT query, path, sum(count(*)) OVER (PARTITION BY query) AS clicks,
      row_number() OVER (PARTITION BY query ORDER BY count(*) DESC, path) AS place
    FROM events
    WHERE site_id = $siteId AND type = 'search_click' AND ${d.isOneOfLong("query", "queries")}
      AND created_at >= $from AND created_at < $to
    GROUP BY query, path) AS clicked
  WHERE place = 1`,
);

export const EVENT_QUERIES = { add: ADD, anySearchClick: ANY_SEARCH_CLICK, searchClicks: SEARCH_CLICKS };

export function createEventStore(sql: Sql): EventStore {
  return {
    async add(siteId, { query, threadId, messageId, readerId, ...event }, at) {
      await sql.run(ADD, { siteId, ...event, query, threadId, messageId, readerId, at });
    },

    async hasSearchClicks(siteId) {
      return (await sql.get(ANY_SEARCH_CLICK, { siteId })) !== undefined;
    },

    async searchClicks(siteId, { from, to }, queries) {
      const rows = await sql.all(SEARCH_CLICKS, { siteId, from, to, queries });
      return new Map(rows.map(({ query, ...row }) => [query, row]));
    },
  };
}
