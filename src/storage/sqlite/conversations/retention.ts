import type { Database } from "bun:sqlite";
import type { Doomed, Removed, RetentionStore } from "../../../threads/retention.ts";

type Bindings = Record<string, string | number>;

/** The turns that go, by what they are chosen by. The sign keeps SQLite from reading a site for one of its threads. */
export const CHOSEN: Record<Choice, string> = {
  before: "turns.site_id = $siteId AND turns.created_at < $before",
  thread: "+turns.site_id = $siteId AND turns.thread_id = $threadId",
  // The index is of readers who have a name.
  reader: "turns.site_id = $siteId AND turns.fp = $fp AND turns.fp <> 'anonymous'",
};

type Choice = "before" | "thread" | "reader";

function choiceOf(doomed: Doomed): Choice {
  if ("before" in doomed) return "before";
  return "threadId" in doomed ? "thread" : "reader";
}

export function createRetentionStore(database: Database): RetentionStore {
  const hasThread = database.query<{ id: string }, Bindings>(
    "SELECT id FROM threads WHERE id = $threadId AND site_id = $siteId",
  );
  const removeEmptyGaps = database.query<never, Bindings>(
    `DELETE FROM gaps WHERE site_id = $siteId
     AND NOT EXISTS (SELECT 1 FROM gap_questions WHERE gap_questions.gap_id = gaps.id)`,
  );
  const turns = prepareTurns(database);
  const removeTurns = database.transaction((siteId: number, doomed: Doomed, most: number): Removed => {
    const chosen = turns.choose[choiceOf(doomed)].all({ siteId, most, ...doomed });
    if (chosen.length === 0) return { threads: 0, turns: 0 };
    const ids = JSON.stringify(chosen.map(({ id }) => id));
    const threadIds = JSON.stringify([...new Set(chosen.map(({ threadId }) => threadId))]);
    turns.count.run({ ids });
    turns.removeEvents.run({ ids });
    // What grows old was kept on purpose; what is deleted on purpose is gone everywhere.
    if (!("before" in doomed)) for (const remove of turns.removeKept) remove.run({ ids });
    turns.remove.run({ ids });
    return { turns: chosen.length, threads: turns.removeThreads.run({ threadIds }).changes };
  });
  const traces = ["searches", "events"].map((table) =>
    database.query<never, Bindings>(
      `DELETE FROM ${table} WHERE id IN
       (SELECT id FROM ${table} WHERE site_id = $siteId AND created_at < $before LIMIT $most)`,
    ),
  );
  const removeTraces = database.transaction((bindings: Bindings) =>
    traces.reduce((removed, trace) => removed + trace.run(bindings).changes, 0),
  );

  return {
    async hasThread(siteId, threadId) {
      return hasThread.get({ siteId, threadId }) !== null;
    },
    async removeCached(siteId, doomed) {
      const choice = choiceOf(doomed);
      turns.removeCached[choice].run({ siteId, ...doomed });
    },
    async removeTurns(siteId, doomed, most) {
      return removeTurns.immediate(siteId, doomed, most);
    },
    async removeTraces(siteId, doomed, most) {
      // Who searched is not known: of a thread and of a reader there are only the clicks, which go with their turns.
      if (!("before" in doomed)) return 0;
      return removeTraces.immediate({ siteId, most, ...doomed });
    },
    async removeEmptyGaps(siteId) {
      removeEmptyGaps.run({ siteId });
    },
    async forget() {
      emptyLog(database);
    },
  };
}

function prepareTurns(database: Database) {
  const choose = (choice: Choice) =>
    database.query<{ id: string; threadId: string }, Bindings>(
      `SELECT id, thread_id AS threadId FROM turns WHERE ${CHOSEN[choice]} LIMIT $most`,
    );
  const chosen = "(SELECT value FROM json_each($ids))";
  return {
    choose: { before: choose("before"), thread: choose("thread"), reader: choose("reader") },
    count: database.query<never, Bindings>(
      // A turn that was never finished ended with its process.
      `INSERT INTO turn_counts (site_id, day, outcome, caller, count)
       SELECT site_id, date(created_at / 1000, 'unixepoch'), coalesce(outcome, 'failed'), caller, count(*) FROM turns
       WHERE id IN ${chosen} AND replaced_at IS NULL GROUP BY 1, 2, 3, 4
       ON CONFLICT (site_id, day, outcome, caller) DO UPDATE SET count = count + excluded.count`,
    ),
    removeEvents: database.query<never, Bindings>(`DELETE FROM events WHERE turn_id IN ${chosen}`),
    removeKept: ["evaluation_questions", "golden_questions"].map((table) =>
      database.query<never, Bindings>(`DELETE FROM ${table} WHERE turn_id IN ${chosen}`),
    ),
    remove: database.query<never, Bindings>(`DELETE FROM turns WHERE id IN ${chosen}`),
    removeThreads: database.query<never, Bindings>(
      `DELETE FROM threads WHERE id IN (SELECT value FROM json_each($threadIds))
       AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.thread_id = threads.id)`,
    ),
    removeCached: {
      before: database.query<never, Bindings>(
        "DELETE FROM cached_answers WHERE site_id = $siteId AND created_at < $before",
      ),
      thread: database.query<never, Bindings>(cachedOf("thread")),
      reader: database.query<never, Bindings>(cachedOf("reader")),
    },
  };
}

/** An answer that is kept has the question as it was searched for. Where another asked the same, it is written anew. */
const cachedOf = (choice: Choice) =>
  `DELETE FROM cached_answers WHERE site_id = $siteId AND json_valid(answer_json)
   AND json_extract(answer_json, '$.query') IN (SELECT searched FROM turns WHERE ${CHOSEN[choice]})`;

/** Where another process reads, the log is emptied the next time: nobody waits for it. */
function emptyLog(database: Database): void {
  const { timeout = 0 } = database.query<{ timeout: number }, []>("PRAGMA busy_timeout").get() ?? {};
  database.run("PRAGMA busy_timeout = 0");
  try {
    database.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
  } finally {
    database.run(`PRAGMA busy_timeout = ${timeout}`);
  }
}
