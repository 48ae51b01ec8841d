import type { Database } from "bun:sqlite";
import type { EventStore } from "../../../analytics/stores.ts";

type Values = Record<string, string | number | null>;

export const EVENT_QUERIES = {
  add: `INSERT INTO events (site_id, type, query, path, turn_id, created_at) VALUES ($siteId, $type, $query, $path,
      (SELECT id FROM turns WHERE id = $messageId AND thread_id = $threadId AND site_id = $siteId AND EXISTS (
        SELECT 1 FROM threads WHERE threads.id = turns.thread_id AND (threads.reader IS NULL OR threads.reader = $readerId))), $at)`,
  anySearchClick: "SELECT 1 FROM events WHERE site_id = $siteId AND type = 'search_click' LIMIT 1",
  searchClicks: `SELECT path AS topPath, sum(count(*)) OVER () AS clicks FROM events
    WHERE site_id = $siteId AND type = 'search_click' AND query = $query AND created_at >= $from AND created_at < $to
    GROUP BY path ORDER BY count(*) DESC, path LIMIT 1`,
};

export function createEventStore(database: Database): EventStore {
  const add = database.query<unknown, Values>(EVENT_QUERIES.add);
  const anySearchClick = database.query<unknown, Values>(EVENT_QUERIES.anySearchClick);
  const searchClicks = database.query<{ topPath: string; clicks: number }, Values>(
    EVENT_QUERIES.searchClicks,
  );
  return {
    async add(siteId, { query = null, threadId = null, messageId = null, readerId = null, ...event }, at) {
      add.run({ siteId, ...event, query, threadId, messageId, readerId, at });
    },

    async hasSearchClicks(siteId) {
      return anySearchClick.get({ siteId }) !== null;
    },

    async searchClicks(siteId, { from, to }, queries) {
      return new Map(
        queries.flatMap((query) => {
          const row = searchClicks.get({ siteId, from, to, query });
          return row === null ? [] : [[query, row]];
        }),
      );
    },
  };
}
