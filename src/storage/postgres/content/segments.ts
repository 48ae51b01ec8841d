import type { SegmentRow, SegmentStore } from "../../../search/keyword-index/segment-store.ts";
import { indexChanged } from "../../conflicts.ts";
import {
  type IndexableRow,
  type SegmentKind,
  toIndexable,
  toIndexableWritten,
  type WrittenRow,
} from "../../rows/index/indexable.ts";
import type { Database, Queries, Values } from "../database/database.ts";
import type { Leases } from "../leases.ts";

const IDS_AT_ONCE = 20_000;

const LIST = `
  SELECT id, passages, bytes, revision FROM segments
  WHERE site_id = $siteId AND kind = $kind AND finished ORDER BY id`;
const UNFINISHED = `
  SELECT id FROM segments WHERE site_id = $siteId AND kind = $kind AND NOT finished ORDER BY id`;
const ROWS = `
  SELECT number, bytes FROM segment_rows WHERE segment_id = $segmentId AND number = ANY($numbers::int[])
  ORDER BY number`;
const BEGIN = "INSERT INTO segments (site_id, kind) VALUES ($siteId, $kind) RETURNING id";
const GROW = "UPDATE segments SET bytes = bytes + $bytes WHERE id = $segmentId";
const WRITE = "INSERT INTO segment_rows (segment_id, number, bytes) VALUES ($segmentId, $number, $bytes)";
const FINISH = `
  UPDATE segments SET finished = true, passages = $passages, revision = $revision WHERE id = $id AND NOT finished`;
/** Shows segments to nobody any more. Who is reading one finds its rows until they go. */
const HIDE = "UPDATE segments SET finished = false WHERE id = ANY($segmentIds::int[]) AND finished";
const REMOVE = "DELETE FROM segments WHERE id = ANY($segmentIds::int[])";
const RESTRICTED = "SELECT id FROM pages WHERE id = ANY($pageIds::int[]) AND groups_json <> '[]'";

/** What segments of a kind are made of. */
interface Contents {
  ofSite: string;
  ofRun: string;
  ofGenerations: string;
  sites: string;
  load(queries: Queries, ids: readonly number[]): ReturnType<SegmentStore["passages"]>;
}

/** A page itself comes with its first passage alone. */
const LOAD_PASSAGES = `
  SELECT passages.id, passages.page_id, pages.title, passages.headings_json, passages.identifiers_json, passages.text,
    CASE WHEN passages.position = 0 THEN pages.front_matter_json ELSE '{}' END AS front_matter_json,
    pages.path, pages.location, sources.version, sources.language,
    CASE WHEN passages.position = 0 THEN pages.markdown END AS markdown, sites.url AS site_url
  FROM passages JOIN pages ON pages.id = passages.page_id JOIN sites ON sites.id = passages.site_id
  JOIN sources ON sources.id = pages.source_id
  WHERE passages.id = ANY($ids::int[]) ORDER BY passages.id`;
const LOAD_WRITTEN = `
  SELECT passages.id, passages.page_id, pages.title, passages.headings_json, passages.identifiers_json, passages.text,
    CASE WHEN passages.position = 0 THEN pages.front_matter_json ELSE '{}' END AS front_matter_json,
    questions_json, words_json
  FROM passages JOIN pages ON pages.id = passages.page_id JOIN enriched_passages ON passage_id = passages.id JOIN enrichments ON enrichments.id = enrichment_id
  WHERE passages.id = ANY($ids::int[]) AND refused IS NULL ORDER BY passages.id`;

const CONTENTS: Record<SegmentKind, Contents> = {
  passages: {
    ofSite: "SELECT id FROM passages WHERE site_id = $siteId AND id > $after ORDER BY id LIMIT $limit",
    ofRun: `
      SELECT id FROM passages WHERE born = $runId AND site_id = $siteId AND id > $after ORDER BY id LIMIT $limit`,
    ofGenerations: `
      SELECT passages.id FROM passages JOIN generations ON generations.id = born
      WHERE passages.site_id = $siteId AND passages.id > $after AND number IS NOT NULL
      ORDER BY passages.id LIMIT $limit`,
    sites: `
      SELECT id FROM sites WHERE NOT removed AND EXISTS (SELECT 1 FROM passages WHERE site_id = sites.id) ORDER BY id`,
    load: async (queries, ids) => (await queries.all<IndexableRow>(LOAD_PASSAGES, { ids })).map(toIndexable),
  },
  enrichments: {
    ofSite: `
      SELECT passage_id AS id FROM enriched_passages JOIN enrichments ON enrichments.id = enrichment_id
      WHERE enriched_passages.site_id = $siteId AND passage_id > $after AND refused IS NULL
      ORDER BY passage_id LIMIT $limit`,
    ofRun: `
      SELECT passage_id AS id FROM enriched_passages JOIN passages ON passages.id = passage_id
      JOIN enrichments ON enrichments.id = enrichment_id
      WHERE born = $runId AND enriched_passages.site_id = $siteId AND passage_id > $after AND refused IS NULL
      ORDER BY passage_id LIMIT $limit`,
    ofGenerations: `
      SELECT passage_id AS id FROM enriched_passages JOIN passages ON passages.id = passage_id
      JOIN generations ON generations.id = born JOIN enrichments ON enrichments.id = enrichment_id
      WHERE enriched_passages.site_id = $siteId AND passage_id > $after AND number IS NOT NULL AND refused IS NULL
      ORDER BY passage_id LIMIT $limit`,
    sites: `
      SELECT id FROM sites WHERE NOT removed AND EXISTS (SELECT 1 FROM enriched_passages WHERE site_id = sites.id) ORDER BY id`,
    load: async (queries, ids) =>
      (await queries.all<WrittenRow>(LOAD_WRITTEN, { ids })).map(toIndexableWritten),
  },
};

/** Segments as rows of one table, and what those of one kind are made of. */
export function createSegmentStore(database: Database, leases: Leases, kind: SegmentKind): SegmentStore {
  const contents = CONTENTS[kind];
  const idsOf = async (text: string, values: Values = {}) =>
    (await database.all<{ id: number }>(text, values)).map(({ id }) => id);
  return {
    list: (siteId) => database.all(LIST, { siteId, kind }),
    rows: (segmentId, numbers) => database.all<SegmentRow>(ROWS, { segmentId, numbers }),

    async begin(siteId) {
      const [id] = await idsOf(BEGIN, { siteId, kind });
      if (id === undefined) throw new Error("the segment that was just begun is not there");
      return id;
    },
    write: (segmentId, rows) => database.inOneWrite((write) => writeRows(write, segmentId, rows)),
    async finish(written, replaced) {
      await database.inOneWrite(async (write) => {
        let changed = await write.run(HIDE, { segmentIds: replaced });
        for (const { id, passages, revision } of written)
          changed += await write.run(FINISH, { id, passages, revision });
        if (changed !== written.length + replaced.length) throw indexChanged();
      });
      await database.run(REMOVE, { segmentIds: replaced });
    },
    async remove(segmentIds) {
      await database.run(REMOVE, { segmentIds });
    },
    unfinished: (siteId) => idsOf(UNFINISHED, { siteId, kind }),

    passageIds: (siteId, runId) =>
      readIds((part) =>
        runId === undefined
          ? idsOf(contents.ofSite, { siteId, ...part })
          : idsOf(contents.ofRun, { siteId, runId, ...part }),
      ),
    publishedIds: (siteId) => readIds((part) => idsOf(contents.ofGenerations, { siteId, ...part })),
    passages: (ids) => contents.load(database, ids),
    async restrictedOf(pageIds) {
      const found: number[] = [];
      for (let at = 0; at < pageIds.length; at += IDS_AT_ONCE)
        found.push(...(await idsOf(RESTRICTED, { pageIds: pageIds.slice(at, at + IDS_AT_ONCE) })));
      return found;
    },

    sites: () => idsOf(contents.sites),
    async lock(siteId) {
      const lease = await leases.take("index", [siteId]);
      return "heldBy" in lease ? undefined : lease;
    },
  };
}

/** With its site, or because whoever has the lock by now took it away. */
const segmentGone = (id: number) => new Error(`segment ${id} is gone`);

async function writeRows(write: Queries, segmentId: number, rows: readonly SegmentRow[]): Promise<void> {
  const bytes = rows.reduce((sum, row) => sum + row.bytes.length, 0);
  // A segment goes with its site: rows that came later would belong to nobody.
  if ((await write.run(GROW, { segmentId, bytes })) === 0) throw segmentGone(segmentId);
  // Sent one behind the other: PostgreSQL answers them together.
  await Promise.all(rows.map(({ number, bytes }) => write.run(WRITE, { segmentId, number, bytes })));
}

/** Reads ids in parts, each from behind the last one. */
async function readIds(
  read: (part: { after: number; limit: number }) => Promise<number[]>,
): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const some = await read({ after: ids.at(-1) ?? 0, limit: IDS_AT_ONCE });
    for (const id of some) ids.push(id);
    if (some.length < IDS_AT_ONCE) return ids;
  }
}
