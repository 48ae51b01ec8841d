import type { SegmentRow, SegmentStore } from "@docent/finding/search/keyword-index/segment-store";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Lease } from "@docent/kernel/lib/lease";
import { indexChanged } from "../conflicts.ts";
import {
  type IndexableRow,
  type SegmentKind,
  toIndexable,
  toIndexableWritten,
  type WrittenRow,
} from "../index-rows/indexable.ts";
import { run, runEach, type Sql, type Steps } from "../sql/sql.ts";
import { type Statement, statement, type Values } from "../sql/statement.ts";

/** How many rows a segment may have: on SQLite a row's id is the segment's, times this, and its number. */
const ROWS_MAX = 2 ** 24;
const ROWS_REMOVED_AT_ONCE = 50;

interface Id {
  id: number;
}

const LIST = statement<{ id: number; passages: number; bytes: number; revision: string }>(`
  SELECT id, passages, bytes, revision FROM segments
  WHERE site_id = $siteId AND kind = $kind AND finished ORDER BY id`);
const UNFINISHED = statement<Id>(`
  SELECT id FROM segments WHERE site_id = $siteId AND kind = $kind AND NOT finished ORDER BY id`);
const ROWS = statement<SegmentRow>(({ engine }) =>
  engine === "sqlite"
    ? `SELECT id - $segmentId * ${ROWS_MAX} AS number, bytes FROM segment_rows
       WHERE id IN (SELECT $segmentId * ${ROWS_MAX} + value FROM json_each($numbers)) ORDER BY id`
    : `SELECT number, bytes FROM segment_rows WHERE segment_id = $segmentId AND number = ANY($numbers::int[])
       ORDER BY number`,
);
const BEGIN = statement<Id>("INSERT INTO segments (site_id, kind) VALUES ($siteId, $kind) RETURNING id");
const GROW = statement("UPDATE segments SET bytes = bytes + $bytes WHERE id = $segmentId");
const WRITE = statement(({ engine }) =>
  engine === "sqlite"
    ? `INSERT INTO segment_rows (id, bytes) VALUES ($segmentId * ${ROWS_MAX} + $number, $bytes)`
    : "INSERT INTO segment_rows (segment_id, number, bytes) VALUES ($segmentId, $number, $bytes)",
);
const FINISH = statement(`
  UPDATE segments SET finished = TRUE, passages = $passages, revision = $revision WHERE id = $id AND NOT finished`);
/** Shows segments to nobody any more. Who is reading one finds its rows until they go. */
const HIDE = statement(
  (d) => `UPDATE segments SET finished = FALSE WHERE ${d.isOneOf("id", "segmentIds", "int")} AND finished`,
);
/** PostgreSQL takes the rows away with their segment. */
const REMOVE_SOME_ROWS = statement(({ engine }) =>
  engine === "sqlite"
    ? `DELETE FROM segment_rows WHERE id IN (
         SELECT id FROM segment_rows WHERE id >= $id * ${ROWS_MAX} AND id < ($id + 1) * ${ROWS_MAX}
         LIMIT ${ROWS_REMOVED_AT_ONCE})`
    : "",
);
const REMOVE = statement("DELETE FROM segments WHERE id = $id");
const RESTRICTED = statement<Id>(
  (d) => `SELECT id FROM pages WHERE ${d.isOneOf("id", "pageIds", "int")} AND groups_json <> '[]'`,
);

/** A page itself comes with its first passage alone. */
const PASSAGE = `
  passages.id, passages.page_id AS "pageId", pages.title, passages.headings_json AS "headingsJson",
  passages.identifiers_json AS "identifiersJson", passages.text,
  CASE WHEN passages.position = 0 THEN pages.front_matter_json ELSE '{}' END AS "frontMatterJson"`;
const LOAD_PASSAGES = statement<IndexableRow>(
  (d) => `
  SELECT ${PASSAGE}, pages.path, pages.location, sources.version, sources.language,
    CASE WHEN passages.position = 0 THEN pages.markdown END AS markdown, sites.url AS "siteUrl"
  FROM passages JOIN pages ON pages.id = passages.page_id JOIN sites ON sites.id = passages.site_id
  JOIN sources ON sources.id = pages.source_id
  WHERE ${d.isOneOf("passages.id", "ids", "int")} ORDER BY passages.id`,
);
const LOAD_WRITTEN = statement<WrittenRow>(
  (d) => `
  SELECT ${PASSAGE}, questions_json AS "questionsJson", words_json AS "wordsJson"
  FROM passages JOIN pages ON pages.id = passages.page_id JOIN enriched_passages ON passage_id = passages.id JOIN enrichments ON enrichments.id = enrichment_id
  WHERE ${d.isOneOf("passages.id", "ids", "int")} AND refused IS NULL ORDER BY passages.id`,
);

/** What segments of a kind are made of. */
interface Contents {
  ofSite: Statement<Id>;
  ofRun: Statement<Id>;
  ofGenerations: Statement<Id>;
  sites: Statement<Id>;
  load(sql: Sql, ids: readonly number[]): ReturnType<SegmentStore["passages"]>;
}

const sitesWith = (table: "passages" | "enriched_passages") =>
  statement<Id>(
    ({ onPostgres }) => `
  SELECT id FROM sites WHERE ${onPostgres("NOT removed AND")} EXISTS (
    SELECT 1 FROM ${table} WHERE site_id = sites.id) ORDER BY id`,
  );
const writtenOf = (where: string, joins = "") =>
  statement<Id>(`
  SELECT passage_id AS id FROM enriched_passages ${joins} JOIN enrichments ON enrichments.id = enrichment_id
  WHERE enriched_passages.site_id = $siteId AND passage_id > $after AND refused IS NULL ${where}
  ORDER BY passage_id LIMIT $limit`);
const WITH_PASSAGES = "JOIN passages ON passages.id = passage_id";

const CONTENTS: Readonly<Record<SegmentKind, Contents>> = {
  passages: {
    ofSite: statement(
      (d) => `
      SELECT id FROM passages ${d.along("passages_in_site")}
      WHERE site_id = $siteId AND id > $after ORDER BY id LIMIT $limit`,
    ),
    ofRun: statement(
      (d) => `
      SELECT id FROM passages ${d.along("passages_by_born")}
      WHERE born = $runId AND site_id = $siteId AND id > $after ORDER BY id LIMIT $limit`,
    ),
    ofGenerations: statement(
      (d) => `
      SELECT passages.id FROM passages ${d.along("passages_in_site")} JOIN generations ON generations.id = born
      WHERE passages.site_id = $siteId AND passages.id > $after AND number IS NOT NULL
      ORDER BY passages.id LIMIT $limit`,
    ),
    sites: sitesWith("passages"),
    load: async (sql, ids) => (await sql.all(LOAD_PASSAGES, { ids })).map(toIndexable),
  },
  enrichments: {
    ofSite: writtenOf(""),
    ofRun: writtenOf("AND born = $runId", WITH_PASSAGES),
    ofGenerations: writtenOf(
      "AND number IS NOT NULL",
      `${WITH_PASSAGES} JOIN generations ON generations.id = born`,
    ),
    sites: sitesWith("enriched_passages"),
    load: async (sql, ids) => (await sql.all(LOAD_WRITTEN, { ids })).map(toIndexableWritten),
  },
};

/** Takes the lock of what writes a site's keyword index; undefined where another writer has it. */
export type LockIndex = (siteId: number) => Promise<Lease | undefined>;

/** Segments as rows of one table, and what those of one kind are made of. */
export function createSegmentStore(sql: Sql, lock: LockIndex, kind: SegmentKind): SegmentStore {
  const contents = CONTENTS[kind];
  const idsOf = async (of: Statement<Id>, values: Values = {}) =>
    (await sql.all(of, values)).map(({ id }) => id);
  const allIds = (of: Statement<Id>, values: Values) =>
    readIds(idsAtOnce(sql), (part) => idsOf(of, { ...values, ...part }));
  return {
    list: (siteId) => sql.all(LIST, { siteId, kind }),
    rows: (segmentId, numbers) => sql.all(ROWS, { segmentId, numbers }),

    async begin(siteId) {
      const [id] = await idsOf(BEGIN, { siteId, kind });
      if (id === undefined) throw new Error("the segment that was just begun is not there");
      return id;
    },
    write: (segmentId, rows) => sql.inOneWrite(() => writeRows(segmentId, rows)),
    async finish(written, replaced) {
      await sql.inOneWrite(() => show(written, replaced));
      try {
        await takeAway(sql, replaced);
      } catch (error) {
        // What is shown is shown by now, and may not be done again. Whoever has the lock next takes away what is left.
        if (!sql.isLocked(error)) throw error;
      }
    },
    async remove(segmentIds) {
      await sql.run(HIDE, { segmentIds });
      await takeAway(sql, segmentIds);
    },
    unfinished: (siteId) => idsOf(UNFINISHED, { siteId, kind }),

    passageIds: (siteId, runId) =>
      runId === undefined ? allIds(contents.ofSite, { siteId }) : allIds(contents.ofRun, { siteId, runId }),
    publishedIds: (siteId) => allIds(contents.ofGenerations, { siteId }),
    passages: (ids) => contents.load(sql, ids),
    async restrictedOf(pageIds) {
      const found: number[] = [];
      for (let at = 0; at < pageIds.length; at += idsAtOnce(sql)) {
        found.push(...(await idsOf(RESTRICTED, { pageIds: pageIds.slice(at, at + idsAtOnce(sql)) })));
        await letOthersRun();
      }
      return found;
    },

    sites: () => idsOf(contents.sites),
    lock,
  };
}

/** An id is read sooner than a row. */
const idsAtOnce = ({ rowsAtOnce }: Sql) => rowsAtOnce * 8;

/** With its site, or because whoever has the lock by now took it away. */
const segmentGone = (id: number) => new Error(`segment ${id} is gone`);

function* writeRows(segmentId: number, rows: readonly SegmentRow[]): Steps<void> {
  const bytes = rows.reduce((sum, row) => sum + row.bytes.length, 0);
  // A segment goes with its site: rows that came later would belong to nobody.
  if ((yield* run(GROW, { segmentId, bytes })) === 0) throw segmentGone(segmentId);
  const beyond = rows.find(({ number }) => number >= ROWS_MAX);
  if (beyond !== undefined) throw new RangeError(`a segment has no row ${beyond.number}`);
  yield* runEach(
    WRITE,
    rows.map(({ number, bytes }) => ({ segmentId, number, bytes })),
  );
}

/** Shows segments in the place of others. */
function* show(written: Parameters<SegmentStore["finish"]>[0], replaced: readonly number[]): Steps<void> {
  let changed = yield* run(HIDE, { segmentIds: replaced });
  for (const { id, passages, revision } of written) changed += yield* run(FINISH, { id, passages, revision });
  if (changed !== written.length + replaced.length) throw indexChanged();
}

/** Removes segments that nobody sees: what is cut short is unfinished, and removed later. */
async function takeAway(sql: Sql, segmentIds: readonly number[]): Promise<void> {
  for (const id of segmentIds) {
    while ((await sql.run(REMOVE_SOME_ROWS, { id })) > 0) await letOthersRun();
    await sql.run(REMOVE, { id });
  }
}

/** Reads ids in parts, each from behind the last one, while others run in between. */
async function readIds(
  limit: number,
  read: (part: { after: number; limit: number }) => Promise<number[]>,
): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const some = await read({ after: ids.at(-1) ?? 0, limit });
    for (const id of some) ids.push(id);
    if (some.length < limit) return ids;
    await letOthersRun();
  }
}
