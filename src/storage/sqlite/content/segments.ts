import type { Database } from "bun:sqlite";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { letOthersRun } from "../../../lib/event-loop.ts";
import { heldLease } from "../../../lib/lease.ts";
import type { SegmentRow, SegmentStore } from "../../../search/keyword-index/segment-store.ts";
import { indexChanged } from "../../conflicts.ts";
import {
  type IndexableRow,
  type SegmentKind,
  toIndexable,
  toIndexableWritten,
  type WrittenRow,
} from "../../rows/index/indexable.ts";
import { segments } from "../../sql/tables/content.ts";
import { isLocked } from "../failures.ts";
import type { TakeLock } from "../files/files.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";

/** How many rows a segment may have: a row's id is the segment's, times this, and its number. */
const ROWS_MAX = 2 ** 24;
/** What is read or removed before others run: a millisecond or two. */
const IDS_AT_ONCE = 4000;
const ROWS_REMOVED_AT_ONCE = 50;

/** Segments as rows of one table, and what those of one kind are made of. */
export function createSegmentStore(database: Database, lockIndex: TakeLock, kind: SegmentKind): SegmentStore {
  const db = typed(database);
  const rows = prepareRows(database);
  const passages = kind === "passages" ? preparePassages(database) : prepareEnrichments(database);
  const restricted = prepareRestricted(database);
  return {
    async list(siteId) {
      const { id, passages, bytes, revision } = segments;
      return db
        .select({ id, passages, bytes, revision })
        .from(segments)
        .where(isOf(siteId, kind, { finished: true }))
        .orderBy(asc(id))
        .all();
    },
    async rows(segmentId, numbers) {
      const ids = JSON.stringify(numbers.map((number) => rowId(segmentId, number)));
      return rows.read.all(ids).map(({ id, bytes }) => ({ number: id - rowId(segmentId, 0), bytes }));
    },

    async begin(siteId) {
      return db.insert(segments).values({ siteId, kind }).returning({ id: segments.id }).get().id;
    },
    write: async (segmentId, some) => writeRows(db, rows.insert, segmentId, some),
    async finish(written, replaced) {
      inOneWrite(database, () => {
        const changed = hide(db, replaced) + show(db, written);
        if (changed !== written.length + replaced.length) throw indexChanged();
      });
      try {
        await takeAway(db, rows.removeSome, replaced);
      } catch (error) {
        // What is shown is shown by now, and may not be done again. Whoever has the lock next takes away what is left.
        if (!isLocked(error)) throw error;
      }
    },
    async remove(segmentIds) {
      hide(db, segmentIds);
      await takeAway(db, rows.removeSome, segmentIds);
    },
    unfinished: async (siteId) => unfinishedOf(db, siteId, kind),

    passageIds: (siteId, runId) =>
      runId === undefined
        ? readIds((after) => passages.ofSite.values(siteId, after, IDS_AT_ONCE))
        : readIds((after) => passages.ofRun.values(runId, siteId, after, IDS_AT_ONCE)),
    publishedIds: (siteId) => readIds((after) => passages.ofGenerations.values(siteId, after, IDS_AT_ONCE)),
    passages: async (ids) => passages.load(JSON.stringify(ids)),
    restrictedOf: (pageIds) => restrictedAmong(restricted, pageIds),

    sites: async () => passages.sites.all().map(({ id }) => id),
    async lock(siteId) {
      const release = lockIndex(siteId);
      return release && heldLease(release);
    },
  };
}

const rowId = (segmentId: number, number: number) => segmentId * ROWS_MAX + number;

const isOf = (siteId: number, kind: SegmentKind, { finished }: { finished: boolean }) =>
  and(eq(segments.siteId, siteId), eq(segments.finished, finished), eq(segments.kind, kind));

function prepareRows(database: Database) {
  return {
    read: database.query<{ id: number; bytes: Uint8Array }, [string]>(
      "SELECT id, bytes FROM segment_rows WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
    ),
    insert: database.query<null, [number, Uint8Array]>("INSERT INTO segment_rows (id, bytes) VALUES (?, ?)"),
    removeSome: database.query<null, [number, number, number]>(`
      DELETE FROM segment_rows WHERE id IN (SELECT id FROM segment_rows WHERE id >= ? AND id < ? LIMIT ?)`),
  };
}

function preparePassages(database: Database) {
  const load = database.query<IndexableRow, [string]>(`
    SELECT passages.id, passages.page_id AS pageId, pages.title, passages.headings_json AS headingsJson,
           passages.identifiers_json AS identifiersJson, passages.text,
           iif(passages.position = 0, pages.front_matter_json, '{}') AS frontMatterJson,
           pages.path, pages.location, sources.version, sources.language,
           iif(passages.position = 0, pages.markdown, NULL) AS markdown, sites.url AS siteUrl
    FROM passages JOIN pages ON pages.id = passages.page_id JOIN sites ON sites.id = passages.site_id
    JOIN sources ON sources.id = pages.source_id
    WHERE passages.id IN (SELECT value FROM json_each(?)) ORDER BY passages.id`);
  return {
    ofSite: database.query<{ id: number }, [number, number, number]>(`
      SELECT id FROM passages INDEXED BY passages_in_site WHERE site_id = ? AND id > ? ORDER BY id LIMIT ?`),
    ofRun: database.query<{ id: number }, [number, number, number, number]>(`
      SELECT id FROM passages INDEXED BY passages_by_born WHERE born = ? AND site_id = ? AND id > ?
      ORDER BY id LIMIT ?`),
    ofGenerations: database.query<{ id: number }, [number, number, number]>(`
      SELECT passages.id FROM passages INDEXED BY passages_in_site JOIN generations ON generations.id = born
      WHERE passages.site_id = ? AND passages.id > ? AND number IS NOT NULL ORDER BY passages.id LIMIT ?`),
    load: (ids: string) => load.all(ids).map(toIndexable),
    sites: database.query<{ id: number }, []>(`
      SELECT id FROM sites WHERE EXISTS (SELECT 1 FROM passages WHERE site_id = sites.id) ORDER BY id`),
  };
}

function prepareEnrichments(database: Database): ReturnType<typeof preparePassages> {
  const load = database.query<WrittenRow, [string]>(`
    SELECT passages.id, passages.page_id AS pageId, pages.title, passages.headings_json AS headingsJson,
           passages.identifiers_json AS identifiersJson, passages.text,
           iif(passages.position = 0, pages.front_matter_json, '{}') AS frontMatterJson,
           questions_json AS questionsJson, words_json AS wordsJson
    FROM passages JOIN pages ON pages.id = passages.page_id JOIN enriched_passages ON passage_id = passages.id JOIN enrichments ON enrichments.id = enrichment_id
    WHERE passages.id IN (SELECT value FROM json_each(?)) AND refused IS NULL ORDER BY passages.id`);
  return {
    ofSite: database.query<{ id: number }, [number, number, number]>(`
      SELECT passage_id AS id FROM enriched_passages JOIN enrichments ON enrichments.id = enrichment_id
      WHERE enriched_passages.site_id = ? AND passage_id > ? AND refused IS NULL ORDER BY passage_id LIMIT ?`),
    ofRun: database.query<{ id: number }, [number, number, number, number]>(`
      SELECT passage_id AS id FROM enriched_passages JOIN passages ON passages.id = passage_id
      JOIN enrichments ON enrichments.id = enrichment_id
      WHERE born = ? AND enriched_passages.site_id = ? AND passage_id > ? AND refused IS NULL
      ORDER BY passage_id LIMIT ?`),
    ofGenerations: database.query<{ id: number }, [number, number, number]>(`
      SELECT passage_id AS id FROM enriched_passages JOIN passages ON passages.id = passage_id
      JOIN generations ON generations.id = born JOIN enrichments ON enrichments.id = enrichment_id
      WHERE enriched_passages.site_id = ? AND passage_id > ? AND number IS NOT NULL AND refused IS NULL
      ORDER BY passage_id LIMIT ?`),
    load: (ids) => load.all(ids).map(toIndexableWritten),
    sites: database.query<{ id: number }, []>(`
      SELECT id FROM sites WHERE EXISTS (SELECT 1 FROM enriched_passages WHERE site_id = sites.id) ORDER BY id`),
  };
}

type Rows = ReturnType<typeof prepareRows>;

/** With its site, or because another writer took it away. */
const segmentGone = (id: number) => new Error(`segment ${id} is gone`);

function writeRows(
  db: TypedDatabase,
  insert: Rows["insert"],
  segmentId: number,
  some: readonly SegmentRow[],
): void {
  const bytes = some.reduce((sum, row) => sum + row.bytes.length, 0);
  inOneWrite(db.$client, () => {
    const added = { bytes: sql`${segments.bytes} + ${bytes}` };
    const { id } = segments;
    // A segment goes with its site: rows that came later would belong to nobody.
    if (!db.update(segments).set(added).where(eq(id, segmentId)).returning({ id }).get())
      throw segmentGone(segmentId);
    for (const row of some) {
      if (row.number >= ROWS_MAX) throw new RangeError(`a segment has no row ${row.number}`);
      insert.run(rowId(segmentId, row.number), row.bytes);
    }
  });
}

function unfinishedOf(db: TypedDatabase, siteId: number, kind: SegmentKind): number[] {
  const { id } = segments;
  const found = db
    .select({ id })
    .from(segments)
    .where(isOf(siteId, kind, { finished: false }));
  return found
    .orderBy(asc(id))
    .all()
    .map((each) => each.id);
}

/** Shows segments that are begun to everyone; returns how many. */
function show(db: TypedDatabase, written: Parameters<SegmentStore["finish"]>[0]): number {
  let shown = 0;
  for (const { id, passages, revision } of written) {
    const isBegun = and(eq(segments.id, id), eq(segments.finished, false));
    const finished = db.update(segments).set({ finished: true, passages, revision }).where(isBegun);
    shown += finished.returning({ id: segments.id }).all().length;
  }
  return shown;
}

/** Shows segments to nobody any more; returns how many were shown. Who is reading one finds its rows until they go. */
function hide(db: TypedDatabase, segmentIds: readonly number[]): number {
  if (segmentIds.length === 0) return 0;
  const isShown = and(inArray(segments.id, [...segmentIds]), eq(segments.finished, true));
  return db.update(segments).set({ finished: false }).where(isShown).returning({ id: segments.id }).all()
    .length;
}

/** Removes segments that nobody sees, row by row: what is cut short is unfinished, and removed later. */
async function takeAway(
  db: TypedDatabase,
  removeSome: Rows["removeSome"],
  segmentIds: readonly number[],
): Promise<void> {
  for (const id of segmentIds) {
    const [from, until] = [rowId(id, 0), rowId(id + 1, 0)];
    while (removeSome.run(from, until, ROWS_REMOVED_AT_ONCE).changes > 0) await letOthersRun();
    db.delete(segments).where(eq(segments.id, id)).run();
  }
}

const prepareRestricted = (database: Database) =>
  database.query<{ id: number }, [string]>(
    "SELECT id FROM pages WHERE id IN (SELECT value FROM json_each(?)) AND groups_json <> '[]'",
  );

/** Those of many pages that are for some readers only, while others run in between. */
async function restrictedAmong(
  restricted: ReturnType<typeof prepareRestricted>,
  pageIds: readonly number[],
): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < pageIds.length; at += IDS_AT_ONCE) {
    const some = JSON.stringify(pageIds.slice(at, at + IDS_AT_ONCE));
    for (const { id } of restricted.all(some)) found.push(id);
    await letOthersRun();
  }
  return found;
}

/** Reads ids in parts, each from behind the last one, while others run in between. */
async function readIds(read: (after: number) => unknown[][]): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const some = read(ids.at(-1) ?? 0);
    for (const [id] of some) ids.push(Number(id));
    if (some.length < IDS_AT_ONCE) return ids;
    await letOthersRun();
  }
}
