import type { Database } from "bun:sqlite";
import { and, eq, isNull, ne, or } from "drizzle-orm";
import type { VectorStore } from "../../../ingest/stores.ts";
import { letOthersRun } from "../../../lib/event-loop.ts";
import { toUnembeddedWriting, type WritingRow } from "../../rows/index/writings.ts";
import { readStrings } from "../../rows/json.ts";
import { embedders } from "../../sql/tables/content.ts";
import { sites } from "../../sql/tables/people.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";

/** Passages whose vectors are looked at, or removed, before others run: a few milliseconds' work. */
const PASSAGES_AT_ONCE = 2000;

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
const missingWritings = (where: string) => `
  SELECT written.id, pages.title, passages.headings_json AS headingsJson, passages.text, questions_json AS questionsJson,
         words_json AS wordsJson
  FROM (SELECT id, questions_json, words_json FROM enrichments
    WHERE site_id = $siteId AND refused IS NULL AND ${where} ORDER BY id LIMIT $limit) AS written
  JOIN enriched_passages ON enrichment_id = written.id
  JOIN passages ON passages.id = passage_id JOIN pages ON pages.id = passages.page_id
  GROUP BY written.id ORDER BY written.id`;
const WITHOUT_VECTOR = missingWritings("embedder_id IS NULL");
const WITH_OTHERS = missingWritings("embedder_id <> $embedderId");
const PUT_WRITING = "UPDATE enrichments SET embedder_id = ?, bits = ?, vector = ? WHERE id = ?";
/** The last of some passages of a site, from behind another one. */
const LAST_OF_SOME = `
  SELECT max(id) AS id FROM (
    SELECT id FROM passages INDEXED BY passages_in_site WHERE site_id = $siteId AND id > $after
    ORDER BY id LIMIT ${PASSAGES_AT_ONCE})`;
const REMOVE_OTHERS = `
  DELETE FROM passage_vectors WHERE embedder_id <> $embedderId AND passage_id IN (
    SELECT id FROM passages INDEXED BY passages_in_site WHERE site_id = $siteId AND id > $after AND id <= $last)`;

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
    ...createWritingVectors(database),

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
      db.update(sites)
        .set({ embedderId })
        .where(and(eq(sites.id, siteId), isOther))
        .run();
      // Where nothing was swapped, too: a swap that was cut short has left some.
      await removeOthers(database, siteId, embedderId);
    },
  };
}

/** The vectors of what was written for passages. */
function createWritingVectors(database: Database): Pick<VectorStore, "missingWritings" | "putWritings"> {
  const withoutVector = database.query<WritingRow, Record<string, number>>(WITHOUT_VECTOR);
  const withOthers = database.query<WritingRow, Record<string, number>>(WITH_OTHERS);
  const put = database.query(PUT_WRITING);
  return {
    async missingWritings(siteId, embedderId, limit) {
      const found = withoutVector.all({ siteId, limit });
      const isDone = found.length > 0 || !hasOthers(typed(database), embedderId);
      return (isDone ? found : withOthers.all({ siteId, embedderId, limit })).map(toUnembeddedWriting);
    },
    async putWritings(embedderId, vectors) {
      inOneWrite(database, () => {
        for (const { id, bits, vector } of vectors) put.run(embedderId, bits ?? null, vector ?? null, id);
      });
    },
  };
}

const hasOthers = (db: TypedDatabase, embedderId: number) =>
  db.select().from(embedders).where(ne(embedders.id, embedderId)).limit(1).get() !== undefined;

/** Removes what other embedders made for a site. Few sites have ever had another one: then there is nothing to look for. */
async function removeOthers(database: Database, siteId: number, embedderId: number): Promise<void> {
  if (!hasOthers(typed(database), embedderId)) return;
  const lastOfSome = database.query<{ id: number | null }, Record<string, number>>(LAST_OF_SOME);
  const remove = database.query<null, Record<string, number>>(REMOVE_OTHERS);
  for (let after = 0; ; ) {
    const last = lastOfSome.get({ siteId, after })?.id ?? undefined;
    if (last === undefined) return;
    remove.run({ siteId, embedderId, after, last });
    after = last;
    await letOthersRun();
  }
}

function embedderId(db: TypedDatabase, identity: string, dimensions: number): number {
  db.insert(embedders).values({ identity, dimensions }).onConflictDoNothing().run();
  const row = db.select().from(embedders).where(eq(embedders.identity, identity)).get();
  if (!row) throw new Error("the embedder that was just written is not there");
  return row.id;
}
