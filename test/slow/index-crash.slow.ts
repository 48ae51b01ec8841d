import type { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  createIndexKeeper,
  createKeywordIndex,
} from "../../src/finding/search/keyword-index/keyword-index.ts";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { applyMigrations, MIGRATIONS } from "../../src/storage/sqlite/files/migrate.ts";
import { DATABASE_FILE, openDatabase } from "../../src/storage/sqlite/files/open.ts";
import { bundledProgram } from "../helpers/bundled-program.ts";
import { ended } from "../helpers/ended.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { INDEX_WORKS, type IndexWork } from "../helpers/index-works.ts";
import { expectWhole } from "../helpers/ingest-site.ts";
import { memoryReader } from "../helpers/memory-reader.ts";
import { openIngest } from "../helpers/open-ingest.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { quietLog } from "../helpers/test-log.ts";
import { openStorageAt } from "../helpers/test-storage.ts";

setDefaultTimeout(600_000);

const STATES_MIN = 10;
const PAGES = 16;
const SECTIONS = 3;
const WORDS = Array.from({ length: 120 }, (_, index) => `word${index}`);
const random = seededRandom(20_261_122);
const anyWord = () => WORDS[Math.floor(WORDS.length * random() ** 2)] ?? "word0";

type Pages = Record<string, string>;

/** Pages of random words. A text begins with the revision that wrote it. */
function writePages(revision: number, before: Pages = {}, share = 1): Pages {
  const pages = { ...before };
  for (let index = 0; index < PAGES; index++) {
    if (random() >= share) continue;
    const sections = Array.from(
      { length: SECTIONS },
      (_, part) => `## Part ${part}\n\n${Array.from({ length: 150 }, anyWord).join(" ")}`,
    );
    const links = [1, 7].map((step) => `[${anyWord()} ${anyWord()}](page-${(index + step) % PAGES}.md)`);
    pages[`page-${index}`] =
      `# ${anyWord()} ${index}\n\nrevision${revision} ${links.join(" ")}\n\n${sections.join("\n\n")}`;
  }
  return pages;
}

const signal = new AbortController().signal;

/** A site in a new data directory, after a run for each of some states. Its index is left as the runs wrote it, or tidied. */
async function makeSite(directory: string, states: readonly Pages[], isTidied: boolean): Promise<void> {
  const storage = await openStorageAt(directory);
  const site = await addSite(storage.sites);
  const keeper = createIndexKeeper({ store: storage.segments, log: quietLog() });
  const index = isTidied ? keeper : { ...keeper, tidy: async () => {} };
  for (const [generation, pages] of states.entries())
    await openIngest(storage, () => TEST_TIME, { index }).run({
      source: sourceSpec(site.id),
      reader: memoryReader(pages),
      generation,
      signal,
    });
  storage.close();
}

/** Sites in a data directory as the version before segments left it. */
function makeOlder(directory: string, sites: number): void {
  const database = openDatabase(directory, { synchronous: "normal" });
  applyMigrations(
    database,
    MIGRATIONS.filter(({ name }) => name < "0011"),
    TEST_TIME,
  );
  database.run("INSERT INTO organizations (id, name, created_at) VALUES ('org', 'default', 0)");
  for (let site = 1; site <= sites; site++) {
    database.run(`INSERT INTO sites (organization_id, domain, name, settings_json, generation, created_at)
      VALUES ('org', 'docs${site}', 'Docs', '{}', 1, 0)`);
    database.run(
      `INSERT INTO sources (site_id, kind, location, created_at) VALUES (${site}, 'folder', '/docs', 0)`,
    );
    database.run(
      `INSERT INTO generations (site_id, source_id, number, started_at) VALUES (${site}, ${site}, 1, 0)`,
    );
    for (const [path, text] of Object.entries(writePages(1))) addOlderPage(database, site, path, text);
  }
  database.close();
}

function addOlderPage(database: Database, site: number, path: string, text: string): void {
  const page = database
    .query(
      `INSERT INTO pages (site_id, source_id, path, location, title, markdown, content_hash, born)
       VALUES (?1, ?1, ?2, ?2, ?2, ?3, ?2, ?1)`,
    )
    .run(site, path, text);
  for (const [position, part] of text.split("\n\n").entries())
    database
      .query(
        `INSERT INTO passages (page_id, site_id, position, headings_json, anchor, markdown, text, languages_json, tokens,
                               born)
         VALUES (?, ?2, ?, '[]', '', ?4, ?4, '[]', 1, ?2)`,
      )
      .run(page.lastInsertRowid, site, position, part);
}

/** What the questions find, with their scores, in the index as it is. */
async function hitsOf(directory: string): Promise<unknown[]> {
  // A backup before an upgrade is called by its time.
  const storage = await openStorageAt(directory, { now: Date.now() });
  try {
    expectWhole(storage);
    const { search, segments } = storage;
    const index = createKeywordIndex({ segments, pageIds: (scope) => search.pageIds(scope), bytesMax: 1e6 });
    const all: unknown[] = [];
    for (const siteId of await segments.sites()) {
      const { generation, segments: ids } = await search.state(siteId);
      const view = await index.open({ audience: "everything", siteId, generation, filter: {} }, ids);
      const found = QUESTIONS.map((question) => view.match(question, 50));
      all.push(generation, view.passages, ...(await Promise.all(found)));
      const pageIds = await search.pageIds({ audience: "everything", siteId, generation, filter: {} });
      const said = QUESTIONS.map(({ terms }) =>
        view.saidByLinks([...pageIds], new Map(terms.map((term) => [term, 1]))),
      );
      expect(said.some(({ size }) => size > 0)).toBe(true);
      all.push(...said);
    }
    return all;
  } finally {
    storage.close();
  }
}

const QUESTIONS = Array.from({ length: 25 }, (_, index) => ({
  terms: [...new Set([anyWord(), anyWord(), anyWord(), `revision${index % 5}`])],
  phrases: index % 3 === 0 ? [[anyWord(), anyWord()]] : [],
  prefix: index % 4 === 0 ? "word1" : undefined,
}));

/** The same, of an index that is made of the texts alone. */
async function hitsAnew(directory: string): Promise<unknown[]> {
  using copy = temporaryDirectory();
  cpSync(directory, copy.path, { recursive: true });
  const database = openDatabase(copy.path, { synchronous: "normal" });
  database.run("DELETE FROM segments; DELETE FROM meta WHERE name = 'keyword_index'");
  database.close();
  return hitsOf(copy.path);
}

const PROGRAM = await bundledProgram("index-killed.ts");

/** Does something in a process of its own, which copies what it would leave, or dies before its statement of that number. */
async function doWork(directory: string, work: IndexWork, pages: Pages, copies: string, statement = 0) {
  const words = [directory, work, JSON.stringify(pages), copies, String(statement)];
  const child = Bun.spawn([...PROGRAM, ...words], { stdout: "pipe", stderr: "pipe" });
  return { ...(await ended(child)), isKilled: child.signalCode === "SIGKILL" };
}

/** Does the same here, to its end. */
async function doAgain(directory: string, work: IndexWork, pages: Pages): Promise<void> {
  // A backup before an upgrade is called by its time, which is another one.
  const storage = await openStorageAt(directory, { now: Date.now() });
  await INDEX_WORKS[work](storage, pages);
  storage.close();
}

/** Looks at each state in which the work can leave the index, and at what comes of it. */
async function lookAtAll(base: string, work: IndexWork, pages: Pages): Promise<void> {
  using copies = temporaryDirectory();
  using whole = temporaryDirectory();
  cpSync(base, whole.path, { recursive: true });
  expect(await doWork(whole.path, work, pages, copies.path)).toMatchObject({ code: 0, err: "" });
  const statements = readdirSync(copies.path)
    .map(Number)
    .sort((a, b) => a - b);
  expect(statements.length).toBeGreaterThan(STATES_MIN);
  await expectCopied(base, work, pages, copies.path, statements[Math.floor(statements.length / 2)]);
  for (const statement of statements) {
    const place = join(copies.path, String(statement));
    // What the next one finds, whether it is a reader or goes on.
    expect(await hitsOf(place), `statement ${statement}`).toEqual(await hitsAnew(place));
    await doAgain(place, work === "rollback" ? "run" : work, pages);
    expect(await hitsOf(place), `after statement ${statement}`).toEqual(await hitsAnew(place));
    expect(leftovers(place), `statement ${statement}`).toEqual([]);
  }
}

/** A process that really dies leaves what was copied. */
async function expectCopied(base: string, work: IndexWork, pages: Pages, copies: string, statement = 0) {
  using place = temporaryDirectory();
  using copy = temporaryDirectory();
  cpSync(base, place.path, { recursive: true });
  cpSync(join(copies, String(statement)), copy.path, { recursive: true });
  expect(await doWork(place.path, work, pages, copies, statement)).toMatchObject({ isKilled: true });
  expect(whatIsLeft(place.path)).toBe(whatIsLeft(copy.path));
}

/** All bytes of the database, once what the killed process has committed is taken in, and which files lie beside it. */
function whatIsLeft(directory: string): string {
  openDatabase(directory, { synchronous: "normal" }).close(true);
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  const files = names.map((name) => [name, statSync(join(directory, name)).size]);
  return `${Bun.hash(readFileSync(join(directory, DATABASE_FILE)))} ${JSON.stringify(files)}`;
}

/** Segments that were never finished, and rows of none. */
function leftovers(directory: string): unknown[] {
  const database = openDatabase(directory, { synchronous: "normal" });
  try {
    return database
      .query(
        `SELECT id FROM segments WHERE finished = 0
         UNION SELECT id FROM segment_rows WHERE id / 16777216 NOT IN (SELECT id FROM segments)`,
      )
      .all();
  } finally {
    database.close();
  }
}

describe("killed in any state that it goes through, the keyword index is as one built anew, hit for hit", () => {
  const first = writePages(1);
  const second = writePages(2, first, 0.3);
  const third = writePages(3, second, 0.3);

  test("in a run", async () => {
    using base = temporaryDirectory();
    await makeSite(base.path, [first], true);
    await lookAtAll(base.path, "run", second);
  });

  test("in a merge", async () => {
    using base = temporaryDirectory();
    await makeSite(base.path, [first, second, third, writePages(4, third, 0.2), first], false);
    await lookAtAll(base.path, "merge", {});
  });

  test("in an upgrade", async () => {
    using base = temporaryDirectory();
    makeOlder(base.path, 2);
    await lookAtAll(base.path, "upgrade", {});
  });

  test("in a rollback, and in the run after it", async () => {
    using base = temporaryDirectory();
    await makeSite(base.path, [first, second], true);
    await lookAtAll(base.path, "rollback", third);
  });
});
