import type { Database } from "bun:sqlite";
import type { EnrichmentStore } from "../../../enrich/stores.ts";
import {
  type EnrichmentRow,
  type ListedRow,
  type MeasureRow,
  type PendingRow,
  type SampleRow,
  toEnrichments,
  toListed,
  toMeasure,
  toPending,
  toSample,
} from "../../rows/enrichments.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import { inOneWrite } from "../one-write.ts";
import { prepareGeneration } from "../visible-generation.ts";

/** Looked at in about a millisecond. */
const PASSAGES_AT_ONCE = 200;

type Values = Record<string, string | number | null>;

export function createEnrichmentStore(database: Database): EnrichmentStore {
  const passages = preparePassages(database);
  const written = prepareWritten(database);
  const records = prepareRecords(database);
  const generationOf = prepareGeneration(database);
  return {
    async pending(siteId, { after, charactersMin }) {
      const ids = passages.ids.values(siteId, after, PASSAGES_AT_ONCE).map(([id]) => Number(id));
      const generation = generationOf(siteId);
      const rows = passages.pending.all({ ids: JSON.stringify(ids), generation, charactersMin });
      return {
        passages: rows.map(toPending),
        next: ids.length < PASSAGES_AT_ONCE ? undefined : ids.at(-1),
      };
    },
    async passages(siteId, { after, charactersMin }) {
      const ids = passages.ids.values(siteId, after, PASSAGES_AT_ONCE).map(([id]) => Number(id));
      const generation = generationOf(siteId);
      const rows = passages.listed.all({ ids: JSON.stringify(ids), generation, charactersMin });
      return {
        passages: rows.map(toListed),
        next: ids.length < PASSAGES_AT_ONCE ? undefined : ids.at(-1),
      };
    },
    async adopt(siteId, { passageId, key }) {
      return passages.link.run({ siteId, passageId, key }).changes > 0;
    },
    async put(siteId, { passageId, key }, { questions, words, refused, model, madeAt }) {
      const texts = { questionsJson: JSON.stringify(questions), wordsJson: JSON.stringify(words) };
      const values = { ...texts, refused: refused ?? null };
      inOneWrite(database, () => {
        if (written.exists.get(passageId, siteId) === null) return;
        written.put.run({ siteId, key, ...values, model, madeAt });
        passages.link.run({ siteId, passageId, key });
      });
    },
    async of(passageIds) {
      return toEnrichments(written.of.all(JSON.stringify(passageIds)));
    },
    async counts(siteId) {
      return written.counts.get(siteId) ?? { written: 0, refused: 0 };
    },
    async samples(siteId, limit) {
      return written.samples.all({ siteId, generation: generationOf(siteId), limit }).map(toSample);
    },
    async removeSome(siteId, most) {
      return inOneWrite(database, () => {
        records.removeMeasure.run(siteId);
        return written.removeSome.run(siteId, most).changes;
      });
    },
    ...createRecords(database, records),
  };
}

/** The days and the measures. */
function createRecords(
  database: Database,
  records: ReturnType<typeof prepareRecords>,
): Pick<EnrichmentStore, "spentMs" | "addSpent" | "measure" | "putMeasure"> {
  return {
    async spentMs(day) {
      return records.spent.get(day)?.ms ?? 0;
    },
    async addSpent(day, ms) {
      inOneWrite(database, () => {
        records.removeDays.run(day);
        records.addSpent.run(day, Math.round(ms));
      });
    },
    async measure(siteId) {
      const row = records.measure.get(siteId);
      return row ? toMeasure(row) : undefined;
    },
    async putMeasure(siteId, { at, ...measure }, helps) {
      records.putMeasure.run(siteId, at, helps ? 1 : 0, JSON.stringify(measure));
    },
  };
}

function preparePassages(database: Database) {
  return {
    ids: database.query<{ id: number }, [number, number, number]>(
      "SELECT id FROM passages INDEXED BY passages_in_site WHERE site_id = ? AND id > ? ORDER BY id LIMIT ?",
    ),
    pending: database.query<PendingRow, Values>(`
      SELECT passages.id AS passageId, pages.title, passages.headings_json AS headingsJson, passages.text
      FROM passages JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
      WHERE passages.id IN (SELECT value FROM json_each($ids)) AND ${visibleWhere("passages")}
        AND pages.kind = 'page' AND pages.hidden = 0 AND length(passages.text) >= $charactersMin
        AND NOT EXISTS (SELECT 1 FROM enriched_passages WHERE passage_id = passages.id)
      ORDER BY passages.id`),
    listed: database.query<ListedRow, Values>(`
      SELECT passages.id AS passageId, pages.path, pages.title, passages.headings_json AS headingsJson, passages.text,
             questions_json AS questionsJson, words_json AS wordsJson, refused, model
      FROM passages JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
      LEFT JOIN enriched_passages ON passage_id = passages.id LEFT JOIN enrichments ON enrichments.id = enrichment_id
      WHERE passages.id IN (SELECT value FROM json_each($ids)) AND ${visibleWhere("passages")}
        AND pages.kind = 'page' AND pages.hidden = 0 AND length(passages.text) >= $charactersMin
      ORDER BY passages.id`),
    link: database.query<null, Values>(`
      INSERT INTO enriched_passages (passage_id, enrichment_id, site_id)
      SELECT passages.id, enrichments.id, $siteId
      FROM passages JOIN enrichments ON enrichments.site_id = $siteId AND content_key = $key
      WHERE passages.id = $passageId AND passages.site_id = $siteId
      ON CONFLICT (passage_id) DO UPDATE SET enrichment_id = excluded.enrichment_id`),
  };
}

function prepareWritten(database: Database) {
  return {
    exists: database.query<{ id: number }, [number, number]>(
      "SELECT id FROM passages WHERE id = ? AND site_id = ?",
    ),
    put: database.query<null, Values>(`
      INSERT INTO enrichments (site_id, content_key, questions_json, words_json, refused, model, made_at)
      VALUES ($siteId, $key, $questionsJson, $wordsJson, $refused, $model, $madeAt)
      ON CONFLICT (site_id, content_key) DO UPDATE SET questions_json = excluded.questions_json,
        words_json = excluded.words_json, refused = excluded.refused, model = excluded.model, made_at = excluded.made_at,
        embedder_id = NULL, bits = NULL, vector = NULL`),
    of: database.query<EnrichmentRow, [string]>(`
      SELECT passage_id AS passageId, questions_json AS questionsJson, words_json AS wordsJson
      FROM enriched_passages JOIN enrichments ON enrichments.id = enrichment_id
      WHERE passage_id IN (SELECT value FROM json_each(?)) AND refused IS NULL`),
    counts: database.query<{ written: number; refused: number }, [number]>(
      "SELECT count(*) - count(refused) AS written, count(refused) AS refused FROM enrichments WHERE site_id = ?",
    ),
    samples: database.query<SampleRow, Values>(`
      SELECT pages.path, pages.title, passages.headings_json AS headingsJson, questions_json AS questionsJson,
             words_json AS wordsJson, model, made_at AS madeAt
      FROM (SELECT * FROM enrichments WHERE site_id = $siteId AND refused IS NULL ORDER BY id DESC LIMIT 10 * $limit)
        AS enrichments
      JOIN enriched_passages ON enrichment_id = enrichments.id
      JOIN passages ON passages.id = passage_id
      JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
      WHERE ${visibleWhere("passages")} AND pages.hidden = 0
      GROUP BY enrichments.id ORDER BY enrichments.id DESC LIMIT $limit`),
    removeSome: database.query<null, [number, number]>(
      "DELETE FROM enrichments WHERE id IN (SELECT id FROM enrichments WHERE site_id = ? LIMIT ?)",
    ),
  };
}

function prepareRecords(database: Database) {
  return {
    spent: database.query<{ ms: number }, [number]>(
      "SELECT spent_ms AS ms FROM enrichment_days WHERE day = ?",
    ),
    addSpent: database.query<null, [number, number]>(`
      INSERT INTO enrichment_days (day, spent_ms) VALUES (?, ?)
      ON CONFLICT (day) DO UPDATE SET spent_ms = spent_ms + excluded.spent_ms`),
    removeDays: database.query<null, [number]>("DELETE FROM enrichment_days WHERE day <> ?"),
    measure: database.query<MeasureRow, [number]>(
      "SELECT measured_at AS at, measure_json AS measureJson FROM enrichment_measures WHERE site_id = ?",
    ),
    putMeasure: database.query<null, [number, number, number, string]>(`
      INSERT OR REPLACE INTO enrichment_measures (site_id, measured_at, helps, measure_json) VALUES (?, ?, ?, ?)`),
    removeMeasure: database.query<null, [number]>("DELETE FROM enrichment_measures WHERE site_id = ?"),
  };
}

/** Gives passages that are being stored what was written for the same content, so that a new generation has it at once. */
export function createEnrichmentKeeper(database: Database) {
  const any = database.query<{ id: number }, [number]>(
    "SELECT id FROM enrichments WHERE site_id = ? LIMIT 1",
  );
  const { link } = preparePassages(database);
  return {
    isNeeded: (siteId: number) => any.get(siteId) !== null,
    keep: (siteId: number, passageId: number, key: string) => void link.run({ siteId, passageId, key }),
  };
}
