import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { UnembeddedWriting, VectorStore } from "@docent/sites/ingest/stores";
import { readStrings } from "../rows/json.ts";
import { get, run, runEach, type Sql, type Steps } from "../sql/sql.ts";
import { listJson, select, statement } from "../sql/statement.ts";
import { sites } from "../tables/people.ts";

const PAGES_AT_ONCE = 500;
/** Passages whose vectors are looked at, or removed, before others run: a few milliseconds' work. */
const PASSAGES_AT_ONCE = 2000;

const ADD_EMBEDDER = statement(
  "INSERT INTO embedders (identity, dimensions) VALUES ($identity, $dimensions) ON CONFLICT DO NOTHING",
);
const FIND = "SELECT id FROM embedders WHERE identity = $identity";
const EMBEDDER = statement<{ id: number }>(FIND);
/**
 * PostgreSQL looks first: an insert that conflicts would use up a number. SQLite is written to each time, so that one that
 * takes nothing is noticed before anything is embedded for it.
 */
const KNOWN = statement<{ id: number }>(({ onPostgres }) => onPostgres(FIND));
/** A run of another source may have taken a passage back since it was asked for. */
const PUT = statement(
  (d) => `
  INSERT INTO passage_vectors (passage_id, embedder_id, bits, vector)
  SELECT id, CAST($embedderId AS integer), ${d.bytes("$bits")}, ${d.bytes("$vector")} FROM passages WHERE id = $passageId
  ON CONFLICT (passage_id, embedder_id) DO UPDATE SET bits = excluded.bits, vector = excluded.vector`,
);
/** Some pages of a run, each with the one that it takes the place of, if that has the same title. Each looks up its own. */
const REPLACED = statement<{ pageId: number; beforeId: number | null }>(
  (d) => `
  SELECT pages.id AS "pageId", (
    SELECT before.id FROM pages AS before
    WHERE before.source_id = pages.source_id AND ${d.isSame("before.path", "pages.path")} AND before.title = pages.title
      AND ${d.unindexed("before.died")} = pages.born LIMIT 1) AS "beforeId"
  FROM pages WHERE pages.born = $runId AND pages.id > $after ORDER BY pages.id LIMIT ${PAGES_AT_ONCE}`,
);
const REUSE = statement(
  (d) => `
  INSERT INTO passage_vectors (passage_id, embedder_id, bits, vector)
  SELECT passages.id, known.embedder_id, known.bits, known.vector
  FROM ${d.recordsIn("replacedJson", { pageId: "int", beforeId: "int" }, "replaced")}
  ${d.joinNext} passages ON passages.page_id = replaced."pageId"
  JOIN passages AS same ON same.page_id = replaced."beforeId" AND same.text = passages.text
    AND same.headings_json = passages.headings_json
  JOIN passage_vectors AS known ON known.passage_id = same.id AND known.embedder_id = $embedderId
  WHERE TRUE ON CONFLICT DO NOTHING`,
);
const MISSING = statement<{ passageId: number; title: string; headingsJson: string; text: string }>(`
  SELECT passages.id AS "passageId", pages.title, passages.headings_json AS "headingsJson", passages.text
  FROM passages
  JOIN pages ON pages.id = passages.page_id
  LEFT JOIN passage_vectors AS known ON known.passage_id = passages.id AND known.embedder_id = $embedderId
  WHERE passages.id > $after AND passages.site_id = $siteId AND known.passage_id IS NULL
  ORDER BY passages.id LIMIT $limit`);
/** Of each content, one passage. */
const missingWritings = (where: string) =>
  statement<WritingRow>(`
  SELECT id, title, headings_json AS "headingsJson", text, questions_json AS "questionsJson", words_json AS "wordsJson"
  FROM (
    SELECT written.id, pages.title, passages.headings_json, passages.text, questions_json, words_json,
      row_number() OVER (PARTITION BY written.id ORDER BY passages.id) AS place
    FROM (SELECT id, questions_json, words_json FROM enrichments
      WHERE site_id = $siteId AND refused IS NULL AND ${where} ORDER BY id LIMIT $limit) AS written
    JOIN enriched_passages ON enrichment_id = written.id
    JOIN passages ON passages.id = passage_id JOIN pages ON pages.id = passages.page_id) AS missing
  WHERE place = 1 ORDER BY id`);
const WITHOUT_VECTOR = missingWritings("embedder_id IS NULL");
const WITH_OTHERS = missingWritings("embedder_id <> $embedderId");
const PUT_WRITING = statement(
  (d) => `
  UPDATE enrichments SET embedder_id = $embedderId, bits = ${d.bytes("$bits")}, vector = ${d.bytes("$vector")}
  WHERE id = $id`,
);
const CURRENT = select(sites, ["embedderId"], "FROM sites WHERE id = $siteId");
const SWAP = statement(`
  UPDATE sites SET embedder_id = $embedderId
  WHERE id = $siteId AND embedder_id IS DISTINCT FROM CAST($embedderId AS integer)`);
/** Few sites have ever had another one: looking through all vectors of the others would cost each run of theirs. */
const HAS_OTHERS = statement("SELECT 1 FROM embedders WHERE id <> $embedderId LIMIT 1");
/** The last of some passages of a site, from behind another one. */
const LAST_OF_SOME = statement<{ id: number | null }>(
  (d) => `
  SELECT max(id) AS id FROM (
    SELECT id FROM passages ${d.along("passages_in_site")} WHERE site_id = $siteId AND id > $after
    ORDER BY id LIMIT ${PASSAGES_AT_ONCE}) AS next`,
);
const REMOVE_OTHERS = statement(
  (d) => `
  DELETE FROM passage_vectors WHERE embedder_id <> $embedderId AND passage_id IN (
    SELECT id FROM passages ${d.along("passages_in_site")} WHERE site_id = $siteId AND id > $after AND id <= $last)`,
);

export function createVectorStore(sql: Sql): VectorStore {
  return {
    ...createWritingVectors(sql),
    embedder: (identity, dimensions) => sql.inTurn(() => embedder(identity, dimensions)),

    async reuse(runId, embedderId) {
      for (let after = 0; ; ) {
        const pages = await sql.all(REPLACED, { runId, after });
        const replaced = pages.filter(({ beforeId }) => beforeId !== null);
        await sql.run(REUSE, { embedderId, replacedJson: listJson(replaced) });
        if (pages.length < PAGES_AT_ONCE) return;
        after = pages.at(-1)?.pageId ?? after;
        await letOthersRun();
      }
    },

    async missing(siteId, embedderId, after, limit) {
      const rows = await sql.all(MISSING, { siteId, embedderId, after, limit });
      return rows.map(({ headingsJson, ...row }) => ({ ...row, headings: readStrings(headingsJson) }));
    },

    put: (embedderId, vectors) =>
      sql.inOneWrite(() =>
        runEach(
          PUT,
          vectors.map(({ passageId, bits, vector }) => ({
            embedderId,
            passageId,
            bits,
            vector: vector && bytesOf(vector),
          })),
        ),
      ),

    async current(siteId) {
      return (await sql.get(CURRENT, { siteId }))?.embedderId ?? undefined;
    },

    async swap(siteId, embedderId) {
      await sql.run(SWAP, { siteId, embedderId });
      if ((await sql.get(HAS_OTHERS, { embedderId })) === undefined) return;
      // Where nothing was swapped, too: a swap that was cut short has left some.
      for (let after = 0; ; ) {
        const last = (await sql.get(LAST_OF_SOME, { siteId, after }))?.id ?? undefined;
        if (last === undefined) return;
        await sql.run(REMOVE_OTHERS, { siteId, embedderId, after, last });
        after = last;
        await letOthersRun();
      }
    },
  };
}

/** The vectors of what was written for passages. */
const createWritingVectors = (sql: Sql): Pick<VectorStore, "missingWritings" | "putWritings"> => ({
  async missingWritings(siteId, embedderId, limit) {
    const found = await sql.all(WITHOUT_VECTOR, { siteId, limit });
    const isDone = found.length > 0 || (await sql.get(HAS_OTHERS, { embedderId })) === undefined;
    const rows = isDone ? found : await sql.all(WITH_OTHERS, { siteId, embedderId, limit });
    return rows.map(toUnembeddedWriting);
  },

  putWritings: (embedderId, vectors) =>
    sql.inOneWrite(() =>
      runEach(
        PUT_WRITING,
        vectors.map(({ id, bits, vector }) => ({ embedderId, id, bits, vector: vector && bytesOf(vector) })),
      ),
    ),
});

function* embedder(identity: string, dimensions: number): Steps<number> {
  const known = yield* get(KNOWN, { identity });
  if (known !== undefined) return known.id;
  yield* run(ADD_EMBEDDER, { identity, dimensions });
  const added = yield* get(EMBEDDER, { identity });
  if (added === undefined) throw new Error("the embedder that was just written is not there");
  return added.id;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A passage with what was written for it. */
interface WritingRow {
  id: number;
  title: string;
  headingsJson: string;
  text: string;
  questionsJson: string;
  wordsJson: string;
}

const toUnembeddedWriting = ({
  headingsJson,
  questionsJson,
  wordsJson,
  ...row
}: WritingRow): UnembeddedWriting => ({
  ...row,
  headings: readStrings(headingsJson),
  questions: readStrings(questionsJson),
  words: readStrings(wordsJson),
});
