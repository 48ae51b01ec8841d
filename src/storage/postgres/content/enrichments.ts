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
import type { Database, Queries } from "../database/database.ts";
import { generationOf } from "../visible-generation.ts";

const PASSAGES_AT_ONCE = 200;

const IDS = "SELECT id FROM passages WHERE site_id = $siteId AND id > $after ORDER BY id LIMIT $limit";
const PENDING = `
  SELECT passages.id AS passage_id, pages.title, passages.headings_json, passages.text
  FROM passages JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
  WHERE passages.id = ANY($ids::int[]) AND ${visibleWhere("passages")}
    AND pages.kind = 'page' AND NOT pages.hidden AND length(passages.text) >= $charactersMin
    AND NOT EXISTS (SELECT 1 FROM enriched_passages WHERE passage_id = passages.id)
  ORDER BY passages.id`;
const LISTED = `
  SELECT passages.id AS passage_id, pages.path, pages.title, passages.headings_json, passages.text, questions_json,
    words_json, refused, model
  FROM passages JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
  LEFT JOIN enriched_passages ON enriched_passages.passage_id = passages.id
  LEFT JOIN enrichments ON enrichments.id = enrichment_id
  WHERE passages.id = ANY($ids::int[]) AND ${visibleWhere("passages")}
    AND pages.kind = 'page' AND NOT pages.hidden AND length(passages.text) >= $charactersMin
  ORDER BY passages.id`;
/**
 * What was written for contents, linked to the passages that have them. Locks both first: what somebody else is taking away
 * is waited for, and then not there.
 */
const LINK = `
  WITH found AS MATERIALIZED (
    SELECT passages.id, key FROM unnest($passageIds::int[], $keys::text[]) AS wanted (passage_id, key)
    JOIN passages ON passages.id = wanted.passage_id AND passages.site_id = $siteId
    ORDER BY passages.id FOR KEY SHARE OF passages),
  written AS MATERIALIZED (
    SELECT id, content_key FROM enrichments
    WHERE site_id = $siteId AND content_key IN (SELECT key FROM found) ORDER BY id FOR KEY SHARE)
  INSERT INTO enriched_passages (passage_id, enrichment_id, site_id)
  SELECT found.id, written.id, $siteId::int FROM found JOIN written ON content_key = key
  ON CONFLICT (passage_id) DO UPDATE SET enrichment_id = excluded.enrichment_id`;
const EXISTS = "SELECT id FROM passages WHERE id = $passageId AND site_id = $siteId FOR SHARE";
const PUT = `
  INSERT INTO enrichments (site_id, content_key, questions_json, words_json, refused, model, made_at)
  VALUES ($siteId, $key, $questionsJson, $wordsJson, $refused, $model, $madeAt)
  ON CONFLICT (site_id, content_key) DO UPDATE SET questions_json = excluded.questions_json,
    words_json = excluded.words_json, refused = excluded.refused, model = excluded.model, made_at = excluded.made_at,
    embedder_id = NULL, bits = NULL, vector = NULL`;
const OF = `
  SELECT passage_id, questions_json, words_json FROM enriched_passages JOIN enrichments ON enrichments.id = enrichment_id
  WHERE passage_id = ANY($passageIds::int[]) AND refused IS NULL`;
const COUNTS = `
  SELECT count(*) - count(refused) AS written, count(refused) AS refused FROM enrichments WHERE site_id = $siteId`;
/** Of each content, one passage. */
const SAMPLES = `
  SELECT path, title, headings_json, questions_json, words_json, model, made_at FROM (
    SELECT DISTINCT ON (written.id) written.id, pages.path, pages.title, passages.headings_json, questions_json,
      words_json, model, made_at
    FROM (SELECT * FROM enrichments WHERE site_id = $siteId AND refused IS NULL
      ORDER BY id DESC LIMIT 10 * $limit::int) AS written
    JOIN enriched_passages ON enrichment_id = written.id
    JOIN passages ON passages.id = passage_id
    JOIN pages ON pages.id = passages.page_id ${visibleJoins("passages")}
    WHERE ${visibleWhere("passages")} AND NOT pages.hidden
    ORDER BY written.id, passages.id) AS samples
  ORDER BY id DESC LIMIT $limit`;
const REMOVE_SOME = `
  DELETE FROM enrichments WHERE id IN (
    SELECT id FROM enrichments WHERE site_id = $siteId ORDER BY id LIMIT $most)`;
const SPENT = "SELECT spent_ms AS ms FROM enrichment_days WHERE day = $day";
const ADD_SPENT = `
  INSERT INTO enrichment_days (day, spent_ms) VALUES ($day, $ms)
  ON CONFLICT (day) DO UPDATE SET spent_ms = enrichment_days.spent_ms + excluded.spent_ms`;
const REMOVE_DAYS = "DELETE FROM enrichment_days WHERE day <> $day";
const MEASURE = "SELECT measured_at AS at, measure_json FROM enrichment_measures WHERE site_id = $siteId";
const PUT_MEASURE = `
  INSERT INTO enrichment_measures (site_id, measured_at, helps, measure_json) VALUES ($siteId, $at, $helps, $measureJson)
  ON CONFLICT (site_id) DO UPDATE SET measured_at = excluded.measured_at, helps = excluded.helps,
    measure_json = excluded.measure_json`;
const REMOVE_MEASURE = "DELETE FROM enrichment_measures WHERE site_id = $siteId";

export function createEnrichmentStore(database: Database): EnrichmentStore {
  return {
    async pending(siteId, { after, charactersMin }) {
      const some = await database.all<{ id: number }>(IDS, { siteId, after, limit: PASSAGES_AT_ONCE });
      const ids = some.map(({ id }) => id);
      const generation = await generationOf(database, siteId);
      const rows = await database.all<PendingRow>(PENDING, { ids, generation, charactersMin });
      return { passages: rows.map(toPending), next: ids.length < PASSAGES_AT_ONCE ? undefined : ids.at(-1) };
    },
    async passages(siteId, { after, charactersMin }) {
      const some = await database.all<{ id: number }>(IDS, { siteId, after, limit: PASSAGES_AT_ONCE });
      const ids = some.map(({ id }) => id);
      const generation = await generationOf(database, siteId);
      const rows = await database.all<ListedRow>(LISTED, { ids, generation, charactersMin });
      return { passages: rows.map(toListed), next: ids.length < PASSAGES_AT_ONCE ? undefined : ids.at(-1) };
    },
    async adopt(siteId, { passageId, key }) {
      return (await linkEnrichments(database, siteId, [{ passageId, key }])) > 0;
    },
    async put(siteId, { passageId, key }, { questions, words, refused = null, model, madeAt }) {
      const texts = { questionsJson: JSON.stringify(questions), wordsJson: JSON.stringify(words) };
      await database.inOneWrite(async (write) => {
        if ((await write.get(EXISTS, { passageId, siteId })) === undefined) return;
        await write.run(PUT, { siteId, key, ...texts, refused, model, madeAt });
        await linkEnrichments(write, siteId, [{ passageId, key }]);
      });
    },
    async of(passageIds) {
      return toEnrichments(await database.all<EnrichmentRow>(OF, { passageIds }));
    },
    async counts(siteId) {
      const counts = await database.get<{ written: number; refused: number }>(COUNTS, { siteId });
      return counts ?? { written: 0, refused: 0 };
    },
    async samples(siteId, limit) {
      const generation = await generationOf(database, siteId);
      return (await database.all<SampleRow>(SAMPLES, { siteId, generation, limit })).map(toSample);
    },
    async removeSome(siteId, most) {
      await database.run(REMOVE_MEASURE, { siteId });
      return database.run(REMOVE_SOME, { siteId, most });
    },
    ...createRecords(database),
  };
}

/** The days and the measures. */
function createRecords(
  database: Database,
): Pick<EnrichmentStore, "spentMs" | "addSpent" | "measure" | "putMeasure"> {
  return {
    async spentMs(day) {
      return (await database.get<{ ms: number }>(SPENT, { day }))?.ms ?? 0;
    },
    async addSpent(day, ms) {
      await database.run(REMOVE_DAYS, { day });
      await database.run(ADD_SPENT, { day, ms: Math.round(ms) });
    },
    async measure(siteId) {
      const row = await database.get<MeasureRow>(MEASURE, { siteId });
      return row && toMeasure(row);
    },
    async putMeasure(siteId, { at, ...measure }, helps) {
      await database.run(PUT_MEASURE, { siteId, at, helps, measureJson: JSON.stringify(measure) });
    },
  };
}

/**
 * Gives passages what was written for the same content; returns how many have it. What is being stored gets it so with
 * the generation that it is new in.
 */
export const linkEnrichments = (
  queries: Queries,
  siteId: number,
  passages: readonly { passageId: number; key: string }[],
): Promise<number> =>
  queries.run(LINK, {
    siteId,
    passageIds: passages.map(({ passageId }) => passageId),
    keys: passages.map(({ key }) => key),
  });

const ANY = "SELECT id FROM enrichments WHERE site_id = $siteId LIMIT 1";

/** Whether anything was written for a site. */
export const hasEnrichments = async (queries: Queries, siteId: number): Promise<boolean> =>
  (await queries.get(ANY, { siteId })) !== undefined;
