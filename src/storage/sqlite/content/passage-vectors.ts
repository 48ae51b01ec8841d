import type { Database } from "bun:sqlite";
import type { VectorStore } from "../../../ingest/stores.ts";
import { readStrings } from "../../rows.ts";

const VECTORS_REMOVED_AT_ONCE = 2000;

export function createVectorStore(database: Database): VectorStore {
  // A run of another source may have taken a passage back since it was asked for.
  const put = database.query(
    `INSERT OR REPLACE INTO passage_vectors (passage_id, embedder_id, bits, vector)
     SELECT id, ?, ?, ? FROM passages WHERE id = ?`,
  );
  const missing = database.query<
    { passageId: number; title: string; headingsJson: string; text: string },
    { siteId: number; embedderId: number; after: number; limit: number }
  >(`
    SELECT passages.id AS passageId, pages.title, passages.headings_json AS headingsJson, passages.text
    FROM passages
    JOIN pages ON pages.id = passages.page_id
    LEFT JOIN passage_vectors AS known ON known.passage_id = passages.id AND known.embedder_id = $embedderId
    WHERE passages.id > $after AND passages.site_id = $siteId AND known.passage_id IS NULL
    ORDER BY passages.id LIMIT $limit`);

  return {
    async embedder(identity, dimensions) {
      database
        .query("INSERT INTO embedders (identity, dimensions) VALUES (?, ?) ON CONFLICT DO NOTHING")
        .run(identity, dimensions);
      const row = database
        .query<{ id: number }, [string]>("SELECT id FROM embedders WHERE identity = ?")
        .get(identity);
      if (!row) throw new Error("the embedder that was just written is not there");
      return row.id;
    },

    async reuse(runId, embedderId) {
      database
        .query(
          `INSERT OR IGNORE INTO passage_vectors (passage_id, embedder_id, bits, vector)
           SELECT passages.id, known.embedder_id, known.bits, known.vector
           FROM pages
           JOIN passages ON passages.page_id = pages.id
           JOIN pages AS before ON before.source_id = pages.source_id AND before.path = pages.path
             AND before.version = pages.version AND before.language = pages.language
             AND before.title = pages.title AND before.died = pages.born
           JOIN passages AS same ON same.page_id = before.id AND same.text = passages.text
             AND same.headings_json = passages.headings_json
           JOIN passage_vectors AS known ON known.passage_id = same.id AND known.embedder_id = ?
           WHERE pages.born = ?`,
        )
        .run(embedderId, runId);
    },

    async missing(siteId, embedderId, after, limit) {
      return missing
        .all({ siteId, embedderId, after, limit })
        .map(({ headingsJson, ...row }) => ({ ...row, headings: readStrings(headingsJson) }));
    },

    async put(embedderId, vectors) {
      database
        .transaction(() => {
          for (const { passageId, bits, vector } of vectors)
            put.run(embedderId, bits ?? null, vector ?? null, passageId);
        })
        .immediate();
    },

    async current(siteId) {
      const row = database
        .query<{ embedderId: number | null }, [number]>(
          "SELECT embedder_id AS embedderId FROM sites WHERE id = ?",
        )
        .get(siteId);
      return row?.embedderId ?? undefined;
    },

    async swap(siteId, embedderId) {
      const { changes } = database
        .query("UPDATE sites SET embedder_id = ?1 WHERE id = ?2 AND embedder_id IS NOT ?1")
        .run(embedderId, siteId);
      if (changes === 0) return;
      const remove = database.query(
        `DELETE FROM passage_vectors WHERE (passage_id, embedder_id) IN (
           SELECT passage_id, embedder_id FROM passage_vectors JOIN passages ON passages.id = passage_id
           WHERE embedder_id <> ? AND site_id = ? LIMIT ${VECTORS_REMOVED_AT_ONCE})`,
      );
      while (remove.run(embedderId, siteId).changes > 0) await Bun.sleep(0);
    },
  };
}
