import type { Doomed, Removed, RetentionStore } from "@docent/answering/threads/retention";
import type { Dialect } from "../sql/dialect.ts";
import { all, run, type Sql, type Steps } from "../sql/sql.ts";
import { statement, type Values } from "../sql/statement.ts";

type Choice = "before" | "thread" | "reader";

/** The turns that go, by what they are chosen by. The sign keeps SQLite from reading a site for one of its threads. */
const chosenBy: Readonly<Record<Choice, (d: Dialect) => string>> = {
  before: () => "turns.site_id = $siteId AND turns.created_at < $before",
  thread: () => "+turns.site_id = $siteId AND turns.thread_id = $threadId",
  // The index is of readers who have a name.
  reader: (d) => `turns.site_id = $siteId AND ${d.isSame("turns.fp", "$fp")} AND turns.fp <> 'anonymous'`,
};

function choiceOf(doomed: Doomed): Choice {
  if ("before" in doomed) return "before";
  return "threadId" in doomed ? "thread" : "reader";
}

const HAS_THREAD = statement("SELECT id FROM threads WHERE id = $threadId AND site_id = $siteId");
const REMOVE_EMPTY_GAPS = statement(`
  DELETE FROM gaps WHERE site_id = $siteId
  AND NOT EXISTS (SELECT 1 FROM gap_questions WHERE gap_questions.gap_id = gaps.id)`);
/** Locked, so that no other server counts the same ones. */
const choose = (choice: Choice) =>
  statement<{ id: string; threadId: string }>(
    (d) => `
  SELECT id, thread_id AS "threadId" FROM turns WHERE ${chosenBy[choice](d)}
  ${d.onPostgres("ORDER BY id")} LIMIT $most ${d.onPostgres("FOR UPDATE")}`,
  );
export const CHOOSE = { before: choose("before"), thread: choose("thread"), reader: choose("reader") };
/** A turn that was never finished ended with its process. */
const COUNT = statement(
  (d) => `
  INSERT INTO turn_counts (site_id, day, outcome, caller, count)
  SELECT site_id, ${d.dayOf("created_at")}, coalesce(outcome, 'failed'), caller, count(*)
  FROM turns WHERE ${d.isOneOf("id", "ids", "text")} AND replaced_at IS NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (site_id, day, outcome, caller) DO UPDATE SET count = turn_counts.count + excluded.count`,
);
const removeOfTurns = (table: "events" | "evaluation_questions" | "golden_questions") =>
  statement((d) => `DELETE FROM ${table} WHERE ${d.isOneOf("turn_id", "ids", "text")}`);
const REMOVE_EVENTS = removeOfTurns("events");
const REMOVE_KEPT = [removeOfTurns("evaluation_questions"), removeOfTurns("golden_questions")];
const REMOVE = statement((d) => `DELETE FROM turns WHERE ${d.isOneOf("id", "ids", "text")}`);
/** A question that comes to one of them now is waited for, and seen by the next statement. */
const LOCK_THREADS = statement((d) =>
  d.onPostgres(`SELECT id FROM threads WHERE ${d.isOneOf("id", "threadIds", "text")} ORDER BY id FOR UPDATE`),
);
const REMOVE_THREADS = statement(
  (d) => `
  DELETE FROM threads WHERE ${d.isOneOf("id", "threadIds", "text")}
  AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.thread_id = threads.id)`,
);
/** The question as it was searched for, of an answer that is kept. PostgreSQL has it in a column. */
const cachedQuery = ({ engine }: Dialect) =>
  engine === "postgres" ? "query" : "CASE WHEN json_valid(answer_json) THEN answer_json ->> 'query' END";
/** Where another asked the same, the answer is written anew. */
const removeCachedOf = (choice: Choice) =>
  statement(
    (d) => `
  DELETE FROM cached_answers WHERE site_id = $siteId
  AND ${cachedQuery(d)} IN (SELECT searched FROM turns WHERE ${chosenBy[choice](d)})`,
  );
const REMOVE_CACHED = {
  before: statement("DELETE FROM cached_answers WHERE site_id = $siteId AND created_at < $before"),
  thread: removeCachedOf("thread"),
  reader: removeCachedOf("reader"),
};
const removeTraces = (table: "searches" | "events") =>
  statement(
    (d) => `
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE site_id = $siteId AND created_at < $before
    ${d.onPostgres("ORDER BY id")} LIMIT $most ${d.onPostgres("FOR UPDATE SKIP LOCKED")})`,
  );
const REMOVE_SEARCHES = removeTraces("searches");
const REMOVE_CLICKS = removeTraces("events");

/** `forget` takes what was deleted out of the files, where the engine does not do so by itself. */
export function createRetentionStore(sql: Sql, forget: () => Promise<void>): RetentionStore {
  return {
    async hasThread(siteId, threadId) {
      return (await sql.get(HAS_THREAD, { siteId, threadId })) !== undefined;
    },
    async removeCached(siteId, doomed) {
      await sql.run(REMOVE_CACHED[choiceOf(doomed)], { siteId, ...doomed });
    },
    removeTurns: (siteId, doomed, most) =>
      sql.inOneWrite(() => removeTurns(doomed, { siteId, most, ...doomed })),
    async removeTraces(siteId, doomed, most) {
      // Who searched is not known: of a thread and of a reader there are only the clicks, which go with their turns.
      if (!("before" in doomed)) return 0;
      const chosen = { siteId, most, ...doomed };
      return (await sql.run(REMOVE_SEARCHES, chosen)) + (await sql.run(REMOVE_CLICKS, chosen));
    },
    async removeEmptyGaps(siteId) {
      await sql.run(REMOVE_EMPTY_GAPS, { siteId });
    },
    forget,
  };
}

function* removeTurns(doomed: Doomed, chosenBy: Values): Steps<Removed> {
  const chosen = yield* all(CHOOSE[choiceOf(doomed)], chosenBy);
  if (chosen.length === 0) return { threads: 0, turns: 0 };
  const ids = chosen.map(({ id }) => id);
  const threadIds = [...new Set(chosen.map(({ threadId }) => threadId))];
  yield* run(COUNT, { ids });
  yield* run(REMOVE_EVENTS, { ids });
  // What grows old was kept on purpose; what is deleted on purpose is gone everywhere.
  if (!("before" in doomed)) for (const remove of REMOVE_KEPT) yield* run(remove, { ids });
  yield* run(REMOVE, { ids });
  yield* all(LOCK_THREADS, { threadIds });
  return { turns: chosen.length, threads: yield* run(REMOVE_THREADS, { threadIds }) };
}
