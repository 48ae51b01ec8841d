import type { EventStore } from "../../../analytics/stores.ts";
import type { Database } from "../database/database.ts";

const ADD = `
  INSERT INTO events (site_id, type, query, path, turn_id, created_at)
  VALUES ($siteId, $type, $query, $path,
    (SELECT id FROM turns WHERE id = $messageId AND thread_id = $threadId AND site_id = $siteId AND EXISTS (
        SELECT 1 FROM threads WHERE threads.id = turns.thread_id AND (threads.reader IS NULL OR threads.reader = $readerId::text))), $at)`;
const ANY_SEARCH_CLICK = "SELECT 1 FROM events WHERE site_id = $siteId AND type = 'search_click' LIMIT 1";
/** Of each search, the page that was clicked most, and how many clicks there were. */
const SEARCH_CLICKS = `
  SELECT DISTINCT ON (query) query, path AS top_path, sum(count(*)) OVER (PARTITION BY query) AS clicks FROM events
  WHERE site_id = $siteId AND type = 'search_click' AND query = ANY($queries::text[])
    AND md5(query) IN (SELECT md5(wanted) FROM unnest($queries::text[]) AS wanted)
    AND created_at >= $from AND created_at < $to
  GROUP BY query, path ORDER BY query, count(*) DESC, path`;

export function createEventStore(database: Database): EventStore {
  return {
    async add(siteId, { query = null, threadId = null, messageId = null, readerId = null, ...event }, at) {
      await database.run(ADD, { siteId, ...event, query, threadId, messageId, readerId, at });
    },

    async hasSearchClicks(siteId) {
      return (await database.get(ANY_SEARCH_CLICK, { siteId })) !== undefined;
    },

    async searchClicks(siteId, { from, to }, queries) {
      const rows = await database.all<{ query: string; topPath: string; clicks: number }>(SEARCH_CLICKS, {
        siteId,
        from,
        to,
        queries,
      });
      return new Map(rows.map(({ query, ...row }) => [query, row]));
    },
  };
}
