import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRetention } from "../../../src/answering/threads/retention.ts";
import type { Outcome } from "../../../src/answering/threads/threads.ts";
import { DATABASE_FILE, openDatabase } from "../../../src/storage/sqlite/files/open.ts";
import { describeRetentionStore } from "../../contract/retention-store.ts";
import { question, turnEnd } from "../../contract/thread-store.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestPostgres } from "../../helpers/test-postgres.ts";
import { openTestStorage, type TestStorage } from "../../helpers/test-storage.ts";

describeRetentionStore("SQLite", openTestStorage);
if (hasPostgres) describeRetentionStore("PostgreSQL", openTestPostgres);

const DAY_MS = 24 * 3600 * 1000;
/** Long, so that it fills pages of the database and of the log. */
const SECRET = "my-insulin-pump-serial-4711 ".repeat(200);

async function say(
  storage: TestStorage,
  siteId: number,
  at: number,
  outcome: Outcome = "answered",
  text = "q",
) {
  const turnId = `turn ${at} ${outcome}`;
  await storage.threads.begin({
    turnId,
    siteId,
    at,
    pastTurns: 0,
    threadId: undefined,
    newThreadId: `thread ${turnId}`,
    question: question(turnId, { text, fp: "ann", currentPath: `/${text}` }),
  });
  const end = turnEnd(text, { outcome, searched: text });
  await storage.threads.finish(turnId, end, at);
  return turnId;
}

test("counts by day, outcome and caller stay, and add up over several runs", async () => {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites);
  const { database } = storage;
  await say(storage, site.id, TEST_TIME);
  await say(storage, site.id, TEST_TIME + 1);
  await say(storage, site.id, TEST_TIME + 2, "unanswered");
  await say(storage, site.id, TEST_TIME + DAY_MS);
  const removeAt = (now: number) =>
    createRetention({ store: storage.retention, clock: () => now }).removeOlder(site.id, 1);
  await removeAt(TEST_TIME + DAY_MS + 1);
  const counts = () =>
    database.query("SELECT day, outcome, caller, count FROM turn_counts ORDER BY day, outcome").all();
  expect(counts()).toEqual([{ day: "2026-01-02", outcome: "answered", caller: "api", count: 1 }]);
  await removeAt(TEST_TIME + 3 * DAY_MS);
  expect(counts()).toEqual([
    { day: "2026-01-02", outcome: "answered", caller: "api", count: 2 },
    { day: "2026-01-02", outcome: "unanswered", caller: "api", count: 1 },
    { day: "2026-01-03", outcome: "answered", caller: "api", count: 1 },
  ]);
});

test("comments, clicks, searches and gaps go with what they hang on", async () => {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites);
  const { database } = storage;
  const turnId = await say(storage, site.id, TEST_TIME, "unanswered");
  database.run("INSERT INTO feedback VALUES (?, ?, 0, 'I am ann', ?, ?)", [
    turnId,
    site.id,
    TEST_TIME,
    TEST_TIME,
  ]);
  for (const [query, at] of [
    ["old", TEST_TIME],
    ["new", TEST_TIME + DAY_MS],
  ] as const) {
    database.run("INSERT INTO searches (site_id, query, results, created_at) VALUES (?, ?, 1, ?)", [
      site.id,
      query,
      at,
    ]);
    database.run(
      "INSERT INTO events (site_id, type, query, path, turn_id, created_at) VALUES (?, 'search_click', ?, '/', ?, ?)",
      [site.id, query, query === "old" ? turnId : null, at],
    );
  }
  const gap = { turnId, gapId: "gap", reason: "below_gate", nearest: undefined } as const;
  expect(await storage.gaps.place(site.id, 0, [gap], TEST_TIME)).toBe(true);
  const retention = createRetention({ store: storage.retention, clock: () => TEST_TIME + DAY_MS + 1 });
  await retention.removeOlder(site.id, 1);
  for (const table of ["threads", "turns", "feedback", "gaps", "gap_questions"])
    expect([table, database.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
  for (const table of ["searches", "events"])
    expect(database.query(`SELECT query FROM ${table}`).all()).toEqual([{ query: "new" }]);
});

test("the clicks of a thread go with it, though they are new", async () => {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites);
  const turnId = await say(storage, site.id, TEST_TIME);
  storage.database.run(
    "INSERT INTO events (site_id, type, path, turn_id, created_at) VALUES (?, 'source_click', '/', ?, 1)",
    [site.id, turnId],
  );
  const retention = createRetention({ store: storage.retention, clock: () => TEST_TIME });
  await retention.removeReader(site.id, "ann");
  expect(storage.database.query("SELECT * FROM events").all()).toEqual([]);
});

test("what was deleted is in no file of the database any more", async () => {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites);
  const holders = () =>
    [DATABASE_FILE, `${DATABASE_FILE}-wal`].filter((file) =>
      readFileSync(join(storage.directory, file)).includes("my-insulin-pump"),
    );
  await say(storage, site.id, TEST_TIME, "answered", SECRET);
  storage.database.run("PRAGMA wal_checkpoint");
  await say(storage, site.id, TEST_TIME + 1, "unanswered", SECRET);
  expect(holders()).toEqual([DATABASE_FILE, `${DATABASE_FILE}-wal`]);
  await createRetention({ store: storage.retention, clock: () => TEST_TIME }).removeReader(site.id, "ann");
  expect(holders()).toEqual([]);
});

test.each([1, 0])(
  "what a failure leaves of it goes with the next round, of a site that keeps %d days",
  async (days) => {
    using storage = await openTestStorage();
    const site = await addSite(storage.sites);
    const { database } = storage;
    const turnId = await say(storage, site.id, TEST_TIME, "unanswered");
    const gap = { turnId, gapId: "gap", reason: "below_gate", nearest: undefined } as const;
    await storage.gaps.place(site.id, 0, [gap], TEST_TIME);
    database.run("CREATE TRIGGER refused BEFORE DELETE ON gaps BEGIN SELECT RAISE(ABORT, 'refused'); END");
    const retention = createRetention({ store: storage.retention, clock: () => TEST_TIME + 2 * DAY_MS });
    await expect(retention.removeReader(site.id, "ann")).rejects.toThrow("refused");
    database.run("DROP TRIGGER refused");
    await retention.removeOlder(site.id, days);
    for (const table of ["turns", "gaps"])
      expect([table, database.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
  },
);

test("another process that reads meanwhile holds nothing up", async () => {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites);
  await say(storage, site.id, TEST_TIME);
  const other = openDatabase(storage.directory, { synchronous: "normal" });
  other.run("BEGIN");
  other.query("SELECT * FROM turns").all();
  const retention = createRetention({ store: storage.retention, clock: () => TEST_TIME });
  expect(await retention.removeReader(site.id, "ann")).toEqual({ threads: 1, turns: 1 });
  expect(storage.database.query("PRAGMA busy_timeout").get()).toEqual({ timeout: 5000 });
  other.run("COMMIT");
  other.close();
});
