import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { removeWritten } from "../../src/finding/enrich/enrich.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import { testLog } from "../helpers/test-log.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

const WRITTEN = {
  questions: ["What is that?"],
  words: [],
  refused: undefined,
  model: "tiny:latest",
  madeAt: TEST_TIME,
};

/** A storage whose work waits, and a lock on it that another process holds until it is heard that somebody waits. */
async function opened({ secondsMax = 60, letsGo = true } = {}) {
  const { log, lines } = testLog();
  let holder: Database | undefined;
  const warn: typeof log.warn = (...said) => {
    log.warn(...said);
    if (letsGo) holder?.close();
  };
  const waiting = { secondsMax, fromStart: false };
  const storage = await openTestStorage({ waiting, log: { ...log, warn } });
  // Long enough for a test.
  storage.database.run("PRAGMA busy_timeout = 5");
  return {
    storage,
    lines,
    lock() {
      holder = new Database(join(storage.directory, "docent.db"));
      holder.run("BEGIN IMMEDIATE");
      return holder;
    },
    [Symbol.dispose]: () => storage[Symbol.dispose](),
  };
}

test("what a run writes waits while another process writes, and is written once", async () => {
  using it = await opened();
  const { sites, sources, ledger, ingest } = it.storage;
  const site = await addSite(sites, "docs");
  it.lock();
  const source = await sources.open(sourceSpec(site.id), TEST_TIME);
  it.lock();
  const ledgerRun = { id: await ledger.beginRun(source, TEST_TIME), incomplete: undefined };
  it.lock();
  const { runId } = await ingest.openRun(source, TEST_TIME);
  it.lock();
  await ingest.stage(source, runId, [stagedPage("a", "one")]);
  it.lock();
  const counts = { added: 1, changed: 0, unchanged: 0, removed: 0, passages: 1 };
  expect(await ingest.publish(source, runId, { counts, ledgerRun, at: TEST_TIME })).toBe(1);
  expect(await ledger.runs(source.id, 9)).toMatchObject([{ generation: 1, counts: { added: 1 } }]);
  expect(it.lines.filter(({ event }) => event === "the database is back: this goes on")).toHaveLength(5);
});

test("what waits for too long fails, and says what happened and what to do", async () => {
  using it = await opened({ secondsMax: 0, letsGo: false });
  const site = await addSite(it.storage.sites, "docs");
  const holder = it.lock();
  const error = await appErrorOf(() => it.storage.sources.open(sourceSpec(site.id), TEST_TIME));
  expect([error.code, error.message, error.hint]).toEqual([
    "unavailable",
    "The database was away for longer than 0 seconds.",
    expect.stringContaining("Another process is writing for long"),
  ]);
  holder.close();
});

test("what a model wrote is removed while another process writes, and all of it is counted", async () => {
  using it = await opened();
  const { sites, sources, ingest, enrichments } = it.storage;
  const site = await addSite(sites, "docs");
  // More than are removed at once.
  const pages = Array.from({ length: 205 }, (_, page) => stagedPage(`page-${page}`, `text of ${page}`));
  await publishPages(ingest, await sources.open(sourceSpec(site.id), TEST_TIME), pages);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { passages, next } = await enrichments.pending(site.id, { after, charactersMin: 1 });
    for (const each of passages) await enrichments.put(site.id, each, WRITTEN);
    after = next;
  }
  const removing = removeWritten(enrichments, site.id, new AbortController().signal);
  it.lock();
  expect(await removing).toBe(pages.length);
  expect(it.lines.filter(({ event }) => event === "the database is back: this goes on")).toHaveLength(1);
});
