import type { Doomed, Removed, RetentionStore } from "../../../threads/retention.ts";
import type { Database, Queries, Values } from "../database/database.ts";

/** The turns that go, by what they are chosen by. */
const CHOSEN = {
  before: "turns.site_id = $siteId AND turns.created_at < $before",
  thread: "turns.site_id = $siteId AND turns.thread_id = $threadId",
  // The index is of readers who have a name.
  reader:
    "turns.site_id = $siteId AND md5(turns.fp) = md5($fp) AND turns.fp = $fp AND turns.fp <> 'anonymous'",
} as const;

type Choice = keyof typeof CHOSEN;

function choiceOf(doomed: Doomed): Choice {
  if ("before" in doomed) return "before";
  return "threadId" in doomed ? "thread" : "reader";
}

const HAS_THREAD = "SELECT id FROM threads WHERE id = $threadId AND site_id = $siteId";
const REMOVE_EMPTY_GAPS = `
  DELETE FROM gaps WHERE site_id = $siteId
  AND NOT EXISTS (SELECT 1 FROM gap_questions WHERE gap_questions.gap_id = gaps.id)`;
/** Locked, so that no other server counts the same ones. */
const choose = (choice: Choice) =>
  `SELECT id, thread_id FROM turns WHERE ${CHOSEN[choice]} ORDER BY id LIMIT $most FOR UPDATE`;
/** A turn that was never finished ended with its process. */
const COUNT = `
  INSERT INTO turn_counts (site_id, day, outcome, caller, count)
  SELECT site_id, to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
    coalesce(outcome, 'failed'), caller, count(*)
  FROM turns WHERE id = ANY($ids::text[]) AND replaced_at IS NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (site_id, day, outcome, caller) DO UPDATE SET count = turn_counts.count + excluded.count`;
const REMOVE_EVENTS = "DELETE FROM events WHERE turn_id = ANY($ids::text[])";
const REMOVE_KEPT = ["evaluation_questions", "golden_questions"].map(
  (table) => `DELETE FROM ${table} WHERE turn_id = ANY($ids::text[])`,
);
const REMOVE = "DELETE FROM turns WHERE id = ANY($ids::text[])";
/** A question that comes to one of them now is waited for, and seen by the next statement. */
const LOCK_THREADS = "SELECT id FROM threads WHERE id = ANY($threadIds::text[]) ORDER BY id FOR UPDATE";
const REMOVE_THREADS = `
  DELETE FROM threads WHERE id = ANY($threadIds::text[])
  AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.thread_id = threads.id)`;
/** An answer that is kept has the question as it was searched for. Where another asked the same, it is written anew. */
const removeCached = (choice: Choice) =>
  choice === "before"
    ? "DELETE FROM cached_answers WHERE site_id = $siteId AND created_at < $before"
    : `DELETE FROM cached_answers WHERE site_id = $siteId
       AND query IN (SELECT searched FROM turns WHERE ${CHOSEN[choice]})`;
const removeTrace = (table: "searches" | "events") => `
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE site_id = $siteId AND created_at < $before ORDER BY id LIMIT $most
    FOR UPDATE SKIP LOCKED)`;

export function createRetentionStore(database: Database): RetentionStore {
  return {
    async hasThread(siteId, threadId) {
      return (await database.get(HAS_THREAD, { siteId, threadId })) !== undefined;
    },
    async removeCached(siteId, doomed) {
      await database.run(removeCached(choiceOf(doomed)), { siteId, ...doomed });
    },
    removeTurns: (siteId, doomed, most) =>
      database.inOneWrite((write) => removeTurns(write, doomed, { siteId, most, ...doomed })),
    async removeTraces(siteId, doomed, most) {
      // Who searched is not known: of a thread and of a reader there are only the clicks, which go with their turns.
      if (!("before" in doomed)) return 0;
      const chosen = { siteId, most, ...doomed };
      const searches = await database.run(removeTrace("searches"), chosen);
      return searches + (await database.run(removeTrace("events"), chosen));
    },
    async removeEmptyGaps(siteId) {
      await database.run(REMOVE_EMPTY_GAPS, { siteId });
    },
    /** What is deleted lies in the files until PostgreSQL vacuums, which it does by itself. */
    async forget() {},
  };
}

async function removeTurns(write: Queries, doomed: Doomed, chosenBy: Values): Promise<Removed> {
  const chosen = await write.all<{ id: string; threadId: string }>(choose(choiceOf(doomed)), chosenBy);
  if (chosen.length === 0) return { threads: 0, turns: 0 };
  const ids = chosen.map(({ id }) => id);
  const threadIds = [...new Set(chosen.map(({ threadId }) => threadId))];
  await write.run(COUNT, { ids });
  await write.run(REMOVE_EVENTS, { ids });
  // What grows old was kept on purpose; what is deleted on purpose is gone everywhere.
  if (!("before" in doomed)) for (const remove of REMOVE_KEPT) await write.run(remove, { ids });
  await write.run(REMOVE, { ids });
  await write.all(LOCK_THREADS, { threadIds });
  return { turns: chosen.length, threads: await write.run(REMOVE_THREADS, { threadIds }) };
}
