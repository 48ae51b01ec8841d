import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createIndexKeeper,
  createKeywordIndex,
  SegmentDamaged,
} from "../../src/finding/search/keyword-index/keyword-index.ts";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { openSiteIndex } from "../../src/running/app/site-index.ts";
import { flipBit, segmentRows } from "../helpers/damage-segments.ts";
import { openIngestSite } from "../helpers/ingest-site.ts";
import { createWorkplace } from "../helpers/program.ts";
import { quietLog, testLog } from "../helpers/test-log.ts";

setDefaultTimeout(600_000);

const PAGES = 60;
const BITS_OF_EACH_ROW = 24;
const random = seededRandom(20_261_122);
const word = () => `word${Math.floor(3000 * random() ** 2)}`;
const text = (words: number) => Array.from({ length: words }, word).join(" ");
const QUESTIONS = Array.from({ length: 12 }, (_, index) => ({
  terms: [...new Set([word(), word(), word()])],
  phrases: index % 2 === 0 ? [[word(), word()]] : [],
  prefix: index % 3 === 0 ? "word12" : undefined,
}));
const signal = new AbortController().signal;

test("any bit of any row that is another is found and said, nothing wrong is served, and the row is made anew", async () => {
  using it = await openIngestSite();
  const pages = Array.from({ length: PAGES }, (_, index) => [
    `page-${index}`,
    `# ${text(3)}\n\n${text(200)}`,
  ]);
  await it.run(Object.fromEntries(pages));
  const { database, segments, search } = it.storage;
  const keeper = createIndexKeeper({ store: segments, log: quietLog() });
  const { log, lines } = testLog();
  const site = openSiteIndex({
    keeper,
    domainOf: async () => "docs",
    waitMs: Number.POSITIVE_INFINITY,
    isReadOnly: false,
    log,
  });
  /** What the questions find, each read from the disk. */
  async function ask(): Promise<unknown[]> {
    const index = createKeywordIndex({ segments, pageIds: (scope) => search.pageIds(scope), bytesMax: 0 });
    const { generation, segments: ids } = await search.state(it.site.id);
    const view = await index.open(
      { audience: "everything", siteId: it.site.id, generation, filter: {} },
      ids,
    );
    const found: unknown[] = [];
    for (const question of QUESTIONS) found.push(await view.match(question, 50));
    return found;
  }
  const right = await ask();
  const rows = segmentRows(database);
  // The documents, the directory, the blocks of terms, and the positions.
  const numbers = rows.map(({ id }) => id % 2 ** 24);
  for (const first of [0, 1, 2, 2 ** 23]) expect(numbers).toContain(first);
  let refused = 0;
  for (const row of rows)
    for (let flip = 0; flip < BITS_OF_EACH_ROW; flip++) {
      const bit = Math.floor(random() * row.bytes.length * 8);
      flipBit(database, row, bit);
      expect(await keeper.findDamaged(it.site.id, signal), `row ${row.id}, bit ${bit}`).toEqual([1]);
      const found = await ask().catch((error: unknown) => error);
      if (found instanceof SegmentDamaged) refused++;
      else expect(found, `row ${row.id}, bit ${bit}`).toEqual(right);
      database.query("UPDATE segment_rows SET bytes = ? WHERE id = ?").run(row.bytes, row.id);
    }
  expect(refused).toBeGreaterThan(rows.length);

  // A segment made anew has the same rows, and another id.
  for (const [index] of rows.entries()) {
    const row = segmentRows(database)[index];
    if (row) flipBit(database, row, Math.floor(random() * row.bytes.length * 8));
    expect(await site.reading(it.site.id, ask)).toEqual(right);
    if ((await keeper.findDamaged(it.site.id, signal)).length > 0) await site.repair(it.site.id, signal);
    expect(await keeper.findDamaged(it.site.id, signal)).toEqual([]);
  }
  const said = lines.filter(({ level }) => level === "error");
  expect(said.length).toBe(site.damages());
  expect(said.length).toBeGreaterThan(3);
});

test("a server makes a damaged index anew by itself, and serves nothing wrong meanwhile", async () => {
  const place = createWorkplace();
  try {
    mkdirSync(join(place.folder, "docs"));
    for (let index = 0; index < PAGES; index++)
      writeFileSync(join(place.folder, `docs/page-${index}.md`), `# Zebra ${index}\n\n${text(100)}`);
    await place.run("sites", "add", "acme");
    expect((await place.run("ingest", "acme", "docs")).code).toBe(0);
    const key = (await place.run("keys", "create")).out.trim();
    const database = new Database(join(place.folder, "docent-data/docent.db"));
    for (const row of segmentRows(database)) flipBit(database, row, 99);
    database.close();

    const server = await place.serve();
    const found: number[] = [];
    for (let status = 0; status !== 200; ) {
      const reply = await fetch(`${server.url}/v1/search/acme`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ query: "zebra", pageSize: 20 }),
      });
      status = reply.status;
      if (status === 200) found.push((await reply.json()).length);
      else expect([status, reply.headers.get("retry-after")]).toEqual([503, "5"]);
    }
    expect(found).toEqual([20]);
    await server.until(/(keyword index is damaged)/);
    // By the question, or by the server's own look after the index, whichever met it first.
    await server.until(/(was made anew|keyword index is whole)/);
    server.child.kill("SIGTERM");
    await server.child.exited;
    expect((await place.run("index", "repair", "acme")).out).toContain("is sound");
  } finally {
    await place.dispose();
  }
});
