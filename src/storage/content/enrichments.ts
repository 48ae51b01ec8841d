import type { EnrichmentStore } from "@docent/finding/enrich/stores";
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
} from "../rows/enrichments.ts";
import { visibleJoins, visibleWhere } from "../rows-of-generation.ts";
import { get, run, type Sql } from "../sql/sql.ts";
import { listJson, statement } from "../sql/statement.ts";
import { generationOf } from "../visible-generation.ts";

/** Looked at in about a millisecond. */
const PASSAGES_AT_ONCE = 200;

const IDS = statement<{ id: number }>(
  (d) => `
  SELECT id FROM passages ${d.along("passages_in_site")} WHERE site_id = $siteId AND id > $after ORDER BY id LIMIT $limit`,
);
const PENDING = statement<PendingRow>(
  (d) => `
  SELECT passages.id AS "passageId", pages.title, passages.headings_json AS "headingsJson", passages.text
  FROM passages JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
  WHERE ${d.isOneOf("passages.id", "ids", "int")} AND ${visibleWhere("passages")}
    AND pages.kind = 'page' AND NOT pages.hidden AND length(passages.text) >= $charactersMin
    AND NOT EXISTS (SELECT 1 FROM enriched_passages WHERE passage_id = passages.id)
  ORDER BY passages.id`,
);
const LISTED = statement<ListedRow>(
  (d) => `
  SELECT passages.id AS "passageId", pages.path, pages.title, passages.headings_json AS "headingsJson", passages.text,
    questions_json AS "questionsJson", words_json AS "wordsJson", refused, model
  FROM passages JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
  LEFT JOIN enriched_passages ON enriched_passages.passage_id = passages.id
  LEFT JOIN enrichments ON enrichments.id = enrichment_id
  WHERE ${d.isOneOf("passages.id", "ids", "int")} AND ${visibleWhere("passages")}
    AND pages.kind = 'page' AND NOT pages.hidden AND length(passages.text) >= $charactersMin
  ORDER BY passages.id`,
);
/**
 * What was written for contents, linked to the passages that have them. PostgreSQL locks both first: what somebody else is
 * taking away is waited for, and then not there.
 */
export const LINK = statement(
  (d) => `
  WITH found AS MATERIALIZED (
    SELECT passages.id, wanted.key FROM ${d.recordsIn("wantedJson", { passageId: "int", key: "text" }, "wanted")}
    JOIN passages ON passages.id = wanted."passageId" AND passages.site_id = $siteId
    ${d.onPostgres("ORDER BY passages.id FOR KEY SHARE OF passages")}),
  written AS MATERIALIZED (
    SELECT id, content_key FROM enrichments
    WHERE site_id = $siteId AND content_key IN (SELECT key FROM found) ${d.onPostgres("ORDER BY id FOR KEY SHARE")})
  INSERT INTO enriched_passages (passage_id, enrichment_id, site_id)
  SELECT found.id, written.id, CAST($siteId AS integer) FROM found JOIN written ON content_key = key WHERE TRUE
  ON CONFLICT (passage_id) DO UPDATE SET enrichment_id = excluded.enrichment_id`,
);
const EXISTS = statement(
  ({ onPostgres }) =>
    `SELECT id FROM passages WHERE id = $passageId AND site_id = $siteId ${onPostgres("FOR SHARE")}`,
);
const PUT = statement(`
  INSERT INTO enrichments (site_id, content_key, questions_json, words_json, refused, model, made_at)
  VALUES ($siteId, $key, $questionsJson, $wordsJson, $refused, $model, $madeAt)
  ON CONFLICT (site_id, content_key) DO UPDATE SET questions_json = excluded.questions_json,
    words_json = excluded.words_json, refused = excluded.refused, model = excluded.model, made_at = excluded.made_at,
    embedder_id = NULL, bits = NULL, vector = NULL`);
const OF = statement<EnrichmentRow>(
  (d) => `
  SELECT passage_id AS "passageId", questions_json AS "questionsJson", words_json AS "wordsJson"
  FROM enriched_passages JOIN enrichments ON enrichments.id = enrichment_id
  WHERE ${d.isOneOf("passage_id", "passageIds", "int")} AND refused IS NULL`,
);
const COUNTS = statement<{ written: number; refused: number }>(`
  SELECT count(*) - count(refused) AS written, count(refused) AS refused FROM enrichments WHERE site_id = $siteId`);
/** Of each content, one passage. */
const SAMPLES = statement<SampleRow>(`
  SELECT path, title, headings_json AS "headingsJson", questions_json AS "questionsJson", words_json AS "wordsJson",
    model, made_at AS "madeAt"
  FROM (
    SELECT written.id, pages.path, pages.title, passages.headings_json, questions_json, words_json, model, made_at,
      row_number() OVER (PARTITION BY written.id ORDER BY passages.id) AS place
    FROM (SELECT * FROM enrichments WHERE site_id = $siteId AND refused IS NULL
      ORDER BY id DESC LIMIT 10 * CAST($limit AS integer)) AS written
    JOIN enriched_passages ON enrichment_id = written.id
    JOIN passages ON passages.id = passage_id
    JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
    WHERE ${visibleWhere("passages")} AND NOT pages.hidden) AS samples
  WHERE place = 1 ORDER BY id DESC LIMIT $limit`);
const REMOVE_SOME = statement(
  ({ onPostgres }) => `
  DELETE FROM enrichments WHERE id IN (
    SELECT id FROM enrichments WHERE site_id = $siteId ${onPostgres("ORDER BY id")} LIMIT $most)`,
);
const SPENT = statement<{ ms: number }>("SELECT spent_ms AS ms FROM enrichment_days WHERE day = $day");
const ADD_SPENT = statement(`
  INSERT INTO enrichment_days (day, spent_ms) VALUES ($day, $ms)
  ON CONFLICT (day) DO UPDATE SET spent_ms = enrichment_days.spent_ms + excluded.spent_ms`);
const REMOVE_DAYS = statement("DELETE FROM enrichment_days WHERE day <> $day");
const MEASURE = statement<MeasureRow>(
  `SELECT measured_at AS at, measure_json AS "measureJson" FROM enrichment_measures WHERE site_id = $siteId`,
);
const PUT_MEASURE = statement(`
  INSERT INTO enrichment_measures (site_id, measured_at, helps, measure_json) VALUES ($siteId, $at, $helps, $measureJson)
  ON CONFLICT (site_id) DO UPDATE SET measured_at = excluded.measured_at, helps = excluded.helps,
    measure_json = excluded.measure_json`);
const REMOVE_MEASURE = statement("DELETE FROM enrichment_measures WHERE site_id = $siteId");

/** Passages, and the key by which what was written for their content is known. */
export const wantedJson = (passages: readonly { passageId: number; key: string }[]): string =>
  listJson(passages.map(({ passageId, key }) => ({ passageId, key })));

export function createEnrichmentStore(sql: Sql): EnrichmentStore {
  async function nextIds(siteId: number, after: number) {
    const ids = (await sql.all(IDS, { siteId, after, limit: PASSAGES_AT_ONCE })).map(({ id }) => id);
    return { ids, next: ids.length < PASSAGES_AT_ONCE ? undefined : ids.at(-1) };
  }

  return {
    async pending(siteId, { after, charactersMin }) {
      const { ids, next } = await nextIds(siteId, after);
      const generation = await generationOf(sql, siteId);
      const rows = await sql.all(PENDING, { ids, generation, charactersMin });
      return { passages: rows.map(toPending), next };
    },
    async passages(siteId, { after, charactersMin }) {
      const { ids, next } = await nextIds(siteId, after);
      const generation = await generationOf(sql, siteId);
      const rows = await sql.all(LISTED, { ids, generation, charactersMin });
      return { passages: rows.map(toListed), next };
    },
    async adopt(siteId, wanted) {
      return (await sql.run(LINK, { siteId, wantedJson: wantedJson([wanted]) })) > 0;
    },
    async put(siteId, { passageId, key }, { questions, words, refused, model, madeAt }) {
      const texts = { questionsJson: JSON.stringify(questions), wordsJson: JSON.stringify(words) };
      await sql.inOneWrite(function* () {
        if ((yield* get(EXISTS, { passageId, siteId })) === undefined) return;
        yield* run(PUT, { siteId, key, ...texts, refused, model, madeAt });
        yield* run(LINK, { siteId, wantedJson: wantedJson([{ passageId, key }]) });
      });
    },
    async of(passageIds) {
      return toEnrichments(await sql.all(OF, { passageIds }));
    },
    async counts(siteId) {
      return (await sql.get(COUNTS, { siteId })) ?? { written: 0, refused: 0 };
    },
    async samples(siteId, limit) {
      const generation = await generationOf(sql, siteId);
      return (await sql.all(SAMPLES, { siteId, generation, limit })).map(toSample);
    },
    removeSome: (siteId, most) =>
      sql.inOneWrite(function* () {
        yield* run(REMOVE_MEASURE, { siteId });
        return yield* run(REMOVE_SOME, { siteId, most });
      }),
    ...createRecords(sql),
  };
}

/** The days and the measures. */
function createRecords(sql: Sql): Pick<EnrichmentStore, "spentMs" | "addSpent" | "measure" | "putMeasure"> {
  return {
    async spentMs(day) {
      return (await sql.get(SPENT, { day }))?.ms ?? 0;
    },
    addSpent: (day, ms) =>
      sql.inOneWrite(function* () {
        yield* run(REMOVE_DAYS, { day });
        yield* run(ADD_SPENT, { day, ms: Math.round(ms) });
      }),
    async measure(siteId) {
      const row = await sql.get(MEASURE, { siteId });
      return row && toMeasure(row);
    },
    async putMeasure(siteId, { at, ...measure }, helps) {
      await sql.run(PUT_MEASURE, { siteId, at, helps, measureJson: JSON.stringify(measure) });
    },
  };
}
