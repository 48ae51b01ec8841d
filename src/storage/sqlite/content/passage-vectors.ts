import type { Database } from "bun:sqlite";
import { and, eq, isNull, ne, or } from "drizzle-orm";
import type { VectorStore } from "../../../ingest/stores.ts";
import { readStrings } from "../../rows/json.ts";
import { embedders, inOneWrite, sites, type TypedDatabase, typed } from "../tables.ts";

const VECTORS_REMOVED_AT_ONCE = 2000;

// A run of another source may have taken a passage back since it was asked for.
const PUT = `
  INSERT OR REPLACE INTO passage_vectors (passage_id, embedder_id, bits, vector)
  SELECT id, ?, ?, ? FROM passages WHERE id = ?`;
const REUSE = `
  INSERT OR IGNORE INTO passage_vectors (passage_id, embedder_id, bits, vector)
  SELECT passages.id, known.embedder_id, known.bits, known.vector
  FROM pages
  JOIN passages ON passages.page_id = pages.id
  JOIN pages AS before ON before.source_id = pages.source_id AND before.path = pages.path
    AND before.title = pages.title AND before.died = pages.born
  JOIN passages AS same ON same.page_id = before.id AND same.text = passages.text
    AND same.headings_json = passages.headings_json
  JOIN passage_vectors AS known ON known.passage_id = same.id AND known.embedder_id = ?
  WHERE pages.born = ?`;
const MISSING = `
  SELECT passages.id AS passageId, pages.title, passages.headings_json AS headingsJson, passages.text
  FROM passages
  JOIN pages ON pages.id = passages.page_id
  LEFT JOIN passage_vectors AS known ON known.passage_id = passages.id AND known.embedder_id = $embedderId
  WHERE passages.id > $after AND passages.site_id = $siteId AND known.passage_id IS NULL
  ORDER BY passages.id LIMIT $limit`;
const REMOVE_SOME_OTHERS = `
  DELETE FROM passage_vectors WHERE (passage_id, embedder_id) IN (
    SELECT passage_id, embedder_id FROM passage_vectors JOIN passages ON passages.id = passage_id
    WHERE embedder_id <> ? AND site_id = ? LIMIT ${VECTORS_REMOVED_AT_ONCE})`;

interface MissingRow {
  passageId: number;
  title: string;
  headingsJson: string;
  text: string;
}

export function createVectorStore(database: Database): VectorStore {
  const db = typed(database);
  const put = database.query(PUT);
  const missing = database.query<MissingRow, Record<string, number>>(MISSING);

  return {
    embedder: async (identity, dimensions) => embedderId(db, identity, dimensions),

    async reuse(runId, embedderId) {
      database.query(REUSE).run(embedderId, runId);
    },

    async missing(siteId, embedderId, after, limit) {
      return missing
        .all({ siteId, embedderId, after, limit })
        .map(({ headingsJson, ...row }) => ({ ...row, headings: readStrings(headingsJson) }));
    },

    async put(embedderId, vectors) {
      inOneWrite(database, () => {
        for (const { passageId, bits, vector } of vectors)
          put.run(embedderId, bits ?? null, vector ?? null, passageId);
      });
    },

    async current(siteId) {
      const { embedderId } = sites;
      const row = db.select({ embedderId }).from(sites).where(eq(sites.id, siteId)).get();
      return row?.embedderId ?? undefined;
    },

    async swap(siteId, embedderId) {
      const isOther = or(isNull(sites.embedderId), ne(sites.embedderId, embedderId));
      const swapped = db
        .update(sites)
        .set({ embedderId })
        .where(and(eq(sites.id, siteId), isOther))
        .returning({ id: sites.id })
        .get();
      if (swapped === undefined) return;
      const removeSome = database.query(REMOVE_SOME_OTHERS);
      while (removeSome.run(embedderId, siteId).changes > 0) await Bun.sleep(0);
    },
  };
}

function embedderId(db: TypedDatabase, identity: string, dimensions: number): number {
  db.insert(embedders).values({ identity, dimensions }).onConflictDoNothing().run();
  const row = db.select().from(embedders).where(eq(embedders.identity, identity)).get();
  if (!row) throw new Error("the embedder that was just written is not there");
  return row.id;
}
