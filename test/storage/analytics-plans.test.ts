import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FEEDBACK_QUERIES } from "../../src/storage/conversations/feedback.ts";
import { CHOOSE } from "../../src/storage/conversations/retention.ts";
import { TURN_QUERIES } from "../../src/storage/conversations/turn-detail.ts";
import { CONVERSATION_LIST_QUERIES } from "../../src/storage/reports/conversation-list.ts";
import { CONVERSATION_QUERIES } from "../../src/storage/reports/conversations.ts";
import { EVALUATION_QUERIES } from "../../src/storage/reports/evaluation.ts";
import { EVENT_QUERIES } from "../../src/storage/reports/events.ts";
import { unhelped } from "../../src/storage/reports/gaps.ts";
import { GENERATION_REPORT_QUERIES } from "../../src/storage/reports/generation-reports.ts";
import { GOLDEN_QUERIES } from "../../src/storage/reports/golden.ts";
import { OVERVIEW_QUERIES } from "../../src/storage/reports/overview.ts";
import { SEARCH_LOG_QUERIES } from "../../src/storage/reports/search-log.ts";
import { sqliteDialect } from "../../src/storage/sql/dialect.ts";
import { type Statement, statement } from "../../src/storage/sql/statement.ts";
import { openTestStorage, type TestStorage } from "../helpers/test-storage.ts";

/** Lists that are made for the query itself, and what a query of SQL brings along. */
const OWN_LISTS =
  /^SCAN (?:json_each|\(subquery-\d+\)|\w+ VIRTUAL TABLE INDEX 1:|newest$|next$|cited$|counted$|clicked$|last$)/;

let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage[Symbol.dispose]());

function planOf(query: Statement<unknown>): string[] {
  const sql = query.textFor(sqliteDialect);
  const places = [...new Set(sql.match(/\$\w+/g))].map((name): [string, null] => [name.slice(1), null]);
  return storage.database
    .query<{ detail: string }, Record<string, null>>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Object.fromEntries(places))
    .map(({ detail }) => detail);
}

const QUERIES = Object.entries({
  conversations: CONVERSATION_QUERIES,
  feedback: FEEDBACK_QUERIES,
  searches: SEARCH_LOG_QUERIES,
  events: EVENT_QUERIES,
  overview: OVERVIEW_QUERIES,
  list: CONVERSATION_LIST_QUERIES,
  turn: TURN_QUERIES,
  evaluation: EVALUATION_QUERIES,
  golden: GOLDEN_QUERIES,
  reports: GENERATION_REPORT_QUERIES,
}).flatMap(([name, queries]) =>
  Object.entries<Statement<unknown>>(queries).map(([query, sql]) => [`${name} ${query}`, sql] as const),
);

describe("queries of analytics", () => {
  test.each(QUERIES)("%s reads no table from end to end", (_, sql) => {
    const plan = planOf(sql);
    expect(plan.length).toBeGreaterThan(0);
    expect(plan.filter((step) => step.startsWith("SCAN") && !OWN_LISTS.test(step))).toEqual([]);
  });

  test.each(["newest", "oldest"] as const)("conversations %s first need no sorting", (order) => {
    const plan = planOf(CONVERSATION_QUERIES[order]);
    expect(plan.join("\n")).toContain("INDEX turns_in_conversations (site_id=? AND replaced_at=? AND");
    expect(plan.join("\n")).toContain("(created_at,id)");
    expect(plan.join("\n")).not.toContain("TEMP B-TREE");
  });

  test.each([OVERVIEW_QUERIES.outcomes, OVERVIEW_QUERIES.figures])(
    "what an overview counts is in an index alone: %#",
    (sql) => {
      expect(planOf(sql).join("\n")).toContain(
        "SEARCH turns USING COVERING INDEX turns_in_overview (site_id=? AND replaced_at=? AND created_at>? AND created_at<?)",
      );
    },
  );

  test("feedback needs no sorting", () => {
    const plan = planOf(FEEDBACK_QUERIES.list).join("\n");
    expect(plan).toContain(
      "INDEX feedback_by_time (site_id=? AND created_at>? AND (created_at,turn_id)<(?,?))",
    );
    expect(plan).not.toContain("TEMP B-TREE");
  });

  test.each([CONVERSATION_QUERIES.callers, SEARCH_LOG_QUERIES.list, SEARCH_LOG_QUERIES.count])(
    "what counts is counted in an index alone: %#",
    (sql) => {
      const plan = planOf(sql).join("\n");
      expect(plan).toMatch(/SEARCH (?:turns|searches) USING COVERING INDEX/);
      expect(plan).not.toContain("FOR GROUP BY");
    },
  );

  test("questions without an answer are found without reading those that have one", () => {
    const plan = planOf(statement((d) => `${unhelped(d)} SELECT turn_id FROM unhelped`)).join("\n");
    expect(plan).toContain("INDEX turns_unanswered (site_id=?");
    expect(plan).toContain("INDEX feedback_disliked (site_id=?");
  });

  test.each([
    [CHOOSE.before, "turns_by_time (site_id=? AND created_at<?)"],
    [CHOOSE.thread, "turns_by_thread (thread_id=?)"],
    [CHOOSE.reader, "turns_by_reader (site_id=? AND fp=?)"],
  ])("what is to be deleted is found without reading what stays: %s", (chosen, index) => {
    expect(planOf(chosen).join("\n")).toContain(`INDEX ${index}`);
  });
});
