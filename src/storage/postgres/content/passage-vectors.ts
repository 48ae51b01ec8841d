import type { VectorStore } from "../../../ingest/stores.ts";
import { toUnembeddedWriting, type WritingRow } from "../../rows/index/writings.ts";
import { readStrings } from "../../rows/json.ts";
import type { Database } from "../database/database.ts";
import { isOfRun } from "../page-paths.ts";

const PAGES_AT_ONCE = 500;
const VECTORS_REMOVED_AT_ONCE = 2000;

const ADD_EMBEDDER = `
  INSERT INTO embedders (identity, dimensions) VALUES ($identity, $dimensions) ON CONFLICT DO NOTHING`;
const EMBEDDER = "SELECT id FROM embedders WHERE identity = $identity";
/** A run of another source may have taken a passage back since it was asked for. */
const PUT = `
  INSERT INTO passage_vectors (passage_id, embedder_id, bits, vector)
  SELECT id, $embedderId::int, $bits::bytea, $vector::bytea FROM passages WHERE id = $passageId
  ON CONFLICT (passage_id, embedder_id) DO UPDATE SET bits = excluded.bits, vector = excluded.vector`;
/**
 * Some pages of a run, each with the one that it takes the place of, if that has the same title. Each looks up its own.
 */
const REPLACED = `
  SELECT pages.id AS page_id, (
    SELECT before.id FROM pages AS before
    WHERE before.source_id = pages.source_id AND md5(before.path) = md5(pages.path) AND before.path = pages.path
      AND before.title = pages.title AND ${isOfRun("before.died", "pages.born")} LIMIT 1) AS before_id
  FROM pages WHERE pages.born = $runId AND pages.id > $after ORDER BY pages.id LIMIT ${PAGES_AT_ONCE}`;
const REUSE = `
  INSERT INTO passage_vectors (passage_id, embedder_id, bits, vector)
  SELECT DISTINCT ON (passages.id) passages.id, known.embedder_id, known.bits, known.vector
  FROM unnest($pageIds::int[], $beforeIds::int[]) AS replaced (page_id, before_id)
  JOIN passages ON passages.page_id = replaced.page_id
  JOIN passages AS same ON same.page_id = replaced.before_id AND same.text = passages.text
    AND same.headings_json = passages.headings_json
  JOIN passage_vectors AS known ON known.passage_id = same.id AND known.embedder_id = $embedderId
  ON CONFLICT DO NOTHING`;
const MISSING = `
  SELECT passages.id AS passage_id, pages.title, passages.headings_json, passages.text
  FROM passages
  JOIN pages ON pages.id = passages.page_id
  LEFT JOIN passage_vectors AS known ON known.passage_id = passages.id AND known.embedder_id = $embedderId
  WHERE passages.id > $after AND passages.site_id = $siteId AND known.passage_id IS NULL
  ORDER BY passages.id LIMIT $limit`;
/** Of each content, one passage. */
const missingWritings = (where: string) => `
  SELECT DISTINCT ON (written.id) written.id, pages.title, passages.headings_json, passages.text, questions_json, words_json
  FROM (SELECT id, questions_json, words_json FROM enrichments
    WHERE site_id = $siteId AND refused IS NULL AND ${where} ORDER BY id LIMIT $limit) AS written
  JOIN enriched_passages ON enrichment_id = written.id
  JOIN passages ON passages.id = passage_id JOIN pages ON pages.id = passages.page_id
  ORDER BY written.id, passages.id`;
const WITHOUT_VECTOR = missingWritings("embedder_id IS NULL");
const WITH_OTHERS = missingWritings("embedder_id <> $embedderId");
const PUT_WRITING = `
  UPDATE enrichments SET embedder_id = $embedderId, bits = $bits::bytea, vector = $vector::bytea WHERE id = $id`;
const CURRENT = "SELECT embedder_id FROM sites WHERE id = $siteId";
const SWAP = `
  UPDATE sites SET embedder_id = $embedderId WHERE id = $siteId AND embedder_id IS DISTINCT FROM $embedderId`;
/** Few sites have ever had another one: looking through all vectors of the others would cost each run of theirs. */
const HAS_OTHERS = "SELECT 1 FROM embedders WHERE id <> $embedderId LIMIT 1";
const REMOVE_SOME_OTHERS = `
  DELETE FROM passage_vectors WHERE (passage_id, embedder_id) IN (
    SELECT passage_id, embedder_id FROM passage_vectors JOIN passages ON passages.id = passage_id
    WHERE embedder_id <> $embedderId AND site_id = $siteId LIMIT ${VECTORS_REMOVED_AT_ONCE})`;

interface ReplacedRow {
  pageId: number;
  beforeId: number | null;
}

interface MissingRow {
  passageId: number;
  title: string;
  headingsJson: string;
  text: string;
}

export function createVectorStore(database: Database): VectorStore {
  return {
    ...createWritingVectors(database),
    async embedder(identity, dimensions) {
      const find = () => database.get<{ id: number }>(EMBEDDER, { identity });
      const known = await find();
      if (known !== undefined) return known.id;
      await database.run(ADD_EMBEDDER, { identity, dimensions });
      const added = await find();
      if (added === undefined) throw new Error("the embedder that was just written is not there");
      return added.id;
    },

    async reuse(runId, embedderId) {
      for (let after = 0; ; ) {
        const pages = await database.all<ReplacedRow>(REPLACED, { runId, after });
        const replaced = pages.filter(({ beforeId }) => beforeId !== null);
        await database.run(REUSE, {
          embedderId,
          pageIds: replaced.map(({ pageId }) => pageId),
          beforeIds: replaced.map(({ beforeId }) => beforeId),
        });
        if (pages.length < PAGES_AT_ONCE) return;
        after = pages.at(-1)?.pageId ?? after;
      }
    },

    async missing(siteId, embedderId, after, limit) {
      const rows = await database.all<MissingRow>(MISSING, { siteId, embedderId, after, limit });
      return rows.map(({ headingsJson, ...row }) => ({ ...row, headings: readStrings(headingsJson) }));
    },

    put: (embedderId, vectors) =>
      database.inOneWrite(async (write) => {
        // Sent one behind the other: PostgreSQL answers them together.
        const written = vectors.map(({ passageId, bits, vector }) =>
          write.run(PUT, {
            embedderId,
            passageId,
            bits: bits ?? null,
            vector: vector ? bytesOf(vector) : null,
          }),
        );
        await Promise.all(written);
      }),

    async current(siteId) {
      const row = await database.get<{ embedderId: number | null }>(CURRENT, { siteId });
      return row?.embedderId ?? undefined;
    },

    async swap(siteId, embedderId) {
      await database.run(SWAP, { siteId, embedderId });
      if ((await database.get(HAS_OTHERS, { embedderId })) === undefined) return;
      // Where nothing was swapped, too: a swap that was cut short has left some.
      while ((await database.run(REMOVE_SOME_OTHERS, { siteId, embedderId })) > 0);
    },
  };
}

/** The vectors of what was written for passages. */
const createWritingVectors = (database: Database): Pick<VectorStore, "missingWritings" | "putWritings"> => ({
  async missingWritings(siteId, embedderId, limit) {
    const found = await database.all<WritingRow>(WITHOUT_VECTOR, { siteId, limit });
    const isDone = found.length > 0 || (await database.get(HAS_OTHERS, { embedderId })) === undefined;
    const rows = isDone ? found : await database.all<WritingRow>(WITH_OTHERS, { siteId, embedderId, limit });
    return rows.map(toUnembeddedWriting);
  },

  putWritings: (embedderId, vectors) =>
    database.inOneWrite(async (write) => {
      const written = vectors.map(({ id, bits, vector }) =>
        write.run(PUT_WRITING, {
          embedderId,
          id,
          bits: bits ?? null,
          vector: vector ? bytesOf(vector) : null,
        }),
      );
      await Promise.all(written);
    }),
});

const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);
