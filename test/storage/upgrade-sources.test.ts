import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createGenerations } from "../../src/sites/ingest/generations.ts";
import { applyMigrations, MIGRATIONS } from "../../src/storage/sqlite/files/migrate.ts";
import { openDatabase } from "../../src/storage/sqlite/files/open.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { expectWhole } from "../helpers/ingest-site.ts";
import { openIngest } from "../helpers/open-ingest.ts";
import { openSearch } from "../helpers/open-search.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { quietLog } from "../helpers/test-log.ts";
import { openStorageAt } from "../helpers/test-storage.ts";
import { trackedReader } from "../helpers/tracked-reader.ts";
import { wordEmbedder } from "../helpers/word-embedder.ts";

const INITIAL = MIGRATIONS.filter(({ name }) => name === "0001_initial");

/** A database as the first release left it: so many generations, each of which changed the page "changing". */
function makeInitial(directory: string, generations: number): void {
  const database = openDatabase(directory, { synchronous: "normal" });
  applyMigrations(database, INITIAL, TEST_TIME);
  database.run(`INSERT INTO organizations (id, name, created_at) VALUES ('org-1', 'default', ${TEST_TIME})`);
  database.run(`INSERT INTO sites (organization_id, domain, name, settings_json, generation, created_at)
                VALUES ('org-1', 'docs', 'Docs', '{}', ${generations}, ${TEST_TIME})`);
  database.run(
    `INSERT INTO sources (site_id, kind, location, created_at) VALUES (1, 'folder', '/docs', ${TEST_TIME})`,
  );
  for (let number = 1; number <= generations; number++) {
    database
      .query(
        `INSERT INTO generations (site_id, source_id, number, counts_json, started_at, finished_at)
         VALUES (1, 1, ?, '{"added":1,"changed":0,"unchanged":0,"removed":0,"passages":1}', ?, ?)`,
      )
      .run(number, TEST_TIME, TEST_TIME + number);
  }
  for (let number = 1; number <= generations; number++)
    addPage(database, "changing", `zebra number${number}`, number, number < generations ? number + 1 : null);
  addPage(database, "guide/install", "Run the unicorn.", 1, null);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function addPage(database: Database, path: string, text: string, born: number, died: number | null): void {
  const { lastInsertRowid } = database
    .query(
      `INSERT INTO pages (site_id, source_id, path, location, title, markdown, content_hash, born, died)
       VALUES (1, 1, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(path, `${path}.md`, path, text, `1:md:${Bun.hash(text)}`, born, died);
  const passage = database
    .query(
      `INSERT INTO passages (page_id, site_id, position, headings_json, anchor, markdown, text, languages_json, tokens,
                             born, died)
       VALUES (?, 1, 0, '["Größe"]', 'größe', ?, ?, '[]', 4, ?, ?)`,
    )
    .run(lastInsertRowid, text, text, born, died);
  database
    .query("INSERT INTO passage_terms (rowid, site, title, headings, body) VALUES (?, 's1', ?, 'größe', ?)")
    .run(passage.lastInsertRowid, path, text.toLowerCase());
}

async function opened(generations: number) {
  const directory = temporaryDirectory();
  makeInitial(directory.path, generations);
  const storage = await openStorageAt(directory.path, { log: quietLog() });
  const embedder = wordEmbedder();
  const search = openSearch(storage, { embedder, questionVectorSeconds: 60 });
  return {
    directory,
    storage,
    embedder,
    generations: createGenerations({ store: storage.generations }),
    ingest: (pages: Record<string, string>) =>
      openIngest(storage, () => TEST_TIME, { embedder }).run({
        source: sourceSpec(1),
        reader: trackedReader(pages),
        generation: generations,
        signal: new AbortController().signal,
      }),
    async found(text: string, parts = {}) {
      const { hits } = await search.find({ audience: "everything", siteId: 1, text, pageSize: 10, parts });
      return hits.map(({ path }) => path).sort();
    },
    [Symbol.dispose]() {
      expectWhole(storage);
      storage.close();
      directory[Symbol.dispose]();
    },
  };
}

describe("a database of the first release", () => {
  test("is backed up and upgraded, and its pages are found at once, by words alone", async () => {
    using it = await opened(2);
    expect(readdirSync(join(it.directory.path, "backups"))).toHaveLength(1);
    expect([await it.found("unicorn"), await it.found("number2"), await it.found("number1")]).toEqual([
      ["guide/install"],
      ["changing"],
      [],
    ]);
    expect(await it.found("größe")).toEqual(["changing", "guide/install"]);
    expect(await it.found("unicorn", { keyword: false })).toEqual([]);
    expect((await it.storage.search.state(1)).embedder).toBeUndefined();
    expect(await it.storage.sources.list(1)).toMatchObject([
      { kind: "folder", location: "/docs", options: {}, everyMs: undefined, lastRun: undefined },
    ]);
  });

  test("is indexed anew once: opening it again reads nothing", async () => {
    using it = await opened(1);
    const segments = await it.storage.segments.list(1);
    expect(segments).toMatchObject([{ passages: 2 }]);
    const again = await openStorageAt(it.directory.path);
    expect(await again.segments.list(1)).toEqual(segments);
    again.close();
  });

  test("gets its vectors with the next run, those of kept generations too", async () => {
    using it = await opened(2);
    const report = await it.ingest({ changing: "zebra number2", "guide/install": "Run the unicorn." });
    // Every page is read again: this release's parser may see more in it.
    expect(report).toMatchObject({ changed: 2, added: 0, removed: 0, generation: 3 });
    expect(await it.found("unicorn", { keyword: false })).toContain("guide/install");
    const { embedder } = await it.storage.search.state(1);
    expect(await it.storage.passageVectors.missing(1, embedder?.id ?? 0, 0, 10)).toEqual([]);
  });

  test("can go back to the generations that it had kept, not to those whose pages are gone", async () => {
    using it = await opened(5);
    expect((await it.generations.list(1)).map(({ number }) => number)).toEqual([5, 4, 3]);
    await it.generations.rollBack(1);
    expect(await it.found("number4")).toEqual(["changing"]);
    expect(await it.ingest({ changing: "lion", "guide/install": "Run the unicorn." })).toMatchObject({
      generation: 6,
    });
    expect((await it.generations.list(1)).map(({ number }) => number)).toEqual([6, 4, 3]);
  });

  test("with an interrupted run in it takes that up", async () => {
    using directory = temporaryDirectory();
    makeInitial(directory.path, 1);
    const database = openDatabase(directory.path, { synchronous: "normal" });
    database.run(`INSERT INTO generations (site_id, source_id, started_at) VALUES (1, 1, ${TEST_TIME})`);
    addPage(database, "staged", "wolf", 2, null);
    database.close();
    const storage = await openStorageAt(directory.path);
    const report = await openIngest(storage, () => TEST_TIME).run({
      source: sourceSpec(1),
      reader: trackedReader({ changing: "zebra", staged: "wolf" }),
      generation: 1,
      signal: new AbortController().signal,
    });
    expect(report).toMatchObject({ resumed: true, added: 1, changed: 1, removed: 1, generation: 2 });
    expectWhole(storage);
    storage.close();
  });
});
