import type { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { unseal } from "../../src/finding/search/keyword-index/segment/checksum.ts";
import { readSegment } from "../../src/finding/search/keyword-index/segment/read-segment.ts";
import type { Embedder } from "../../src/kernel/vectors/embedder.ts";
import type { SourceSpec } from "../../src/reading/source.ts";
import type { SourceReader } from "../../src/reading/source-reader.ts";
import { createGenerations } from "../../src/sites/ingest/generations.ts";
import type { IngestRequest } from "../../src/sites/ingest/run/run.ts";
import type { PassageIndexer } from "../../src/sites/ingest/stores.ts";
import type { SqliteStorage } from "../../src/storage/sqlite/sqlite.ts";
import { fakeClock } from "./fake-clock.ts";
import { openIngest } from "./open-ingest.ts";
import { sourceSpec } from "./page-data.ts";
import { addSite } from "./site-data.ts";
import { quietLog } from "./test-log.ts";
import { openTestStorage } from "./test-storage.ts";
import { type TrackedPages, trackedReader } from "./tracked-reader.ts";
import { wordEmbedder } from "./word-embedder.ts";

type Files = TrackedPages | SourceReader;
type Change = Partial<Omit<IngestRequest, "source" | "reader">>;

/** A storage with one site, and runs of its sources. Use it with `using`. */
export async function openIngestSite({
  embedder = wordEmbedder() as Embedder,
  pagesMax = 1000,
  log = quietLog(),
  index = undefined as PassageIndexer | undefined,
} = {}) {
  const storage = await openTestStorage();
  const { clock, advance } = fakeClock();
  const site = await addSite(storage.sites, "docs");
  const generations = createGenerations({ store: storage.generations });
  const generation = async () => (await storage.search.state(site.id)).generation;

  /** Runs one of the site's sources; with another embedder where one is given. */
  async function run(files: Files, spec: Partial<SourceSpec> = {}, change: Change = {}, by = embedder) {
    advance(1000);
    return openIngest(storage, clock, { pagesMax, embedder: by, log, ...(index && { index }) }).run({
      source: sourceSpec(site.id, spec),
      reader: isReader(files) ? files : trackedReader(files),
      generation: await generation(),
      signal: new AbortController().signal,
      ...change,
    });
  }

  const sourceOf = (spec: Partial<SourceSpec> = {}) =>
    storage.sources.open(sourceSpec(site.id, spec), clock());

  return {
    storage,
    site,
    generations,
    generation,
    run,
    sourceOf,
    clock,
    advance,
    page: async (path: string) =>
      (await storage.pages.findPages(site.id, path, "everything")).map(({ markdown }) => markdown.trim()),
    /** What the ledger says of each location, and why: "added", "skipped noindex". */
    async decisions(spec: Partial<SourceSpec> = {}): Promise<Record<string, string>> {
      const entries = await storage.ledger.entries((await sourceOf(spec)).id);
      return Object.fromEntries(
        entries.map(({ location, decision, reason }) => [
          location,
          [decision, reason].filter(Boolean).join(" "),
        ]),
      );
    },
    lastRun: async (spec: Partial<SourceSpec> = {}) =>
      (await storage.ledger.runs((await sourceOf(spec)).id, 1))[0],
    content: () => visibleContent(storage, site.id),
    [Symbol.dispose]() {
      expectWhole(storage);
      storage[Symbol.dispose]();
    },
  };
}

const isReader = (files: Files): files is SourceReader => typeof files["list"] === "function";

/** All that readers of a site see, with whether each passage has the vector that search uses. */
export function visibleContent({ database }: Pick<SqliteStorage, "database">, siteId: number): unknown[] {
  return database
    .query(
      `SELECT sources.location AS source, pages.path, pages.location, pages.version, pages.language, title, description,
              front_matter_json, hidden, pages.markdown, content_hash, position, headings_json, anchor,
              passages.markdown AS passage, text, languages_json,
              identifiers_json, inner_headings_json, tokens,
              EXISTS (SELECT 1 FROM passage_vectors WHERE passage_id = passages.id
                      AND embedder_id = sites.embedder_id) AS embedded
       FROM pages
       JOIN sites ON sites.id = pages.site_id
       JOIN sources ON sources.id = pages.source_id
       JOIN generations AS born ON born.id = pages.born AND born.number <= sites.generation
       LEFT JOIN generations AS died ON died.id = pages.died
       LEFT JOIN passages ON passages.page_id = pages.id
       WHERE sites.id = ? AND (died.number IS NULL OR died.number > sites.generation)
       ORDER BY 1, 2, position`,
    )
    .all(siteId);
}

/** What holds of every database at any time: the keyword index has the passages that were published, each once, and pages and passages live alike. */
export function expectWhole({ database }: Pick<SqliteStorage, "database">): void {
  const none = (sql: string) => expect(database.query(sql).all(), sql).toEqual([]);
  none("PRAGMA foreign_key_check");
  expectIndexed(database);
  none(`SELECT passages.id FROM passages JOIN pages ON pages.id = page_id
        WHERE passages.born <> pages.born OR passages.died IS NOT pages.died`);
}

/** Every passage that was published is in one finished segment, and none is in two. */
function expectIndexed(database: Database): void {
  const indexed = indexedPassages(database);
  const once = new Set(indexed);
  expect(indexed.length, "no passage is in two segments").toBe(once.size);
  const published = idsOf(
    database,
    `SELECT passages.id FROM passages JOIN generations ON generations.id = passages.born
     WHERE generations.number IS NOT NULL`,
  );
  expect(
    published.filter((id) => !once.has(id)),
    "published passages that no segment has",
  ).toEqual([]);
}

/** The passages in finished segments, segment by segment. */
export function indexedPassages(database: Database): number[] {
  const row = database.query<{ bytes: Uint8Array }, [number, number]>(
    "SELECT bytes FROM segment_rows WHERE id = ? * 16777216 + ?",
  );
  const sealed = (id: number, number: number) =>
    unseal(row.get(id, number)?.bytes ?? new Uint8Array(), { segmentId: id, row: number });
  return idsOf(database, "SELECT id FROM segments WHERE finished = 1").flatMap((id) => {
    const [documents, directory] = [sealed(id, 0), sealed(id, 1)];
    if (documents === undefined || directory === undefined) throw new Error(`segment ${id} is damaged`);
    const parts = readSegment(id, documents, directory);
    let part = parts.next();
    while (part.done !== true) part = parts.next();
    return [...part.value.passageIds];
  });
}

const idsOf = (database: Database, sql: string) =>
  database
    .query<{ id: number }, []>(sql)
    .all()
    .map(({ id }) => id);
