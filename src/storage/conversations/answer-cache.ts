import {
  type AnswerCacheStore,
  type CachedAnswer,
  cachedAnswerSchema,
} from "@docent/answering/answer/cache/cache";
import { run, type Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

/** An answer that is asked for again and again is no write each time. */
const TOUCHED_EVERY_MS = 60_000;

const FIND = statement<{ id: number; answerJson: string }>(`
  SELECT cached_answers.id, answer_json AS "answerJson" FROM cached_answers
  JOIN sites ON sites.id = site_id AND sites.generation = cached_answers.generation
  WHERE site_id = $siteId AND key = $key`);
const REMOVE_ONE = statement("DELETE FROM cached_answers WHERE id = $id");
const TOUCH = statement(`
  UPDATE cached_answers SET used_at = $at
  WHERE site_id = $siteId AND key = $key AND used_at <= CAST($at AS bigint) - ${TOUCHED_EVERY_MS}`);
const ADD = statement(
  ({ onPostgres }) => `
  INSERT INTO cached_answers (site_id, generation, key, ${onPostgres("query,")} answer_json, created_at, used_at)
  SELECT id, generation, CAST($key AS text), ${onPostgres("CAST($query AS text),")} CAST($answerJson AS text),
    CAST($at AS bigint), CAST($at AS bigint)
  FROM sites
  WHERE id = $siteId AND generation = $generation AND EXISTS (SELECT 1 FROM turns WHERE turns.id = $turnId)
  ON CONFLICT (site_id, generation, key) DO UPDATE
    SET ${onPostgres("query = excluded.query,")} answer_json = excluded.answer_json, created_at = excluded.created_at,
      used_at = excluded.used_at`,
);
/** Not with OR or <>: SQLite would look at all of a site's answers. */
const REMOVE_OTHERS = statement(`
  DELETE FROM cached_answers WHERE id IN (
    SELECT id FROM cached_answers WHERE site_id = $siteId AND generation < $generation
    UNION ALL
    SELECT id FROM cached_answers WHERE site_id = $siteId AND generation > $generation)`);
/** One server at a time: what another one trims at this moment is trimmed. */
const TRIM = statement(
  ({ onPostgres }) => `
  DELETE FROM cached_answers WHERE id IN (
    SELECT id FROM cached_answers WHERE id NOT IN (
      SELECT id FROM cached_answers ORDER BY used_at DESC, id DESC LIMIT $answersMax)
    ${onPostgres("FOR UPDATE SKIP LOCKED")})`,
);

export function createAnswerCacheStore(sql: Sql): AnswerCacheStore {
  return {
    async find(siteId, key) {
      const row = await sql.get(FIND, { siteId, key });
      if (!row) return undefined;
      const answer = readAnswer(row.answerJson);
      if (!answer) await sql.run(REMOVE_ONE, { id: row.id });
      return answer;
    },
    async touch(siteId, key, at) {
      await sql.run(TOUCH, { siteId, key, at });
    },
    put: ({ siteId, turnId, key, answer, at }) =>
      sql.inOneWrite(function* () {
        const { generation, query } = answer;
        const answerJson = JSON.stringify(answer);
        const added = yield* run(ADD, { siteId, turnId, key, generation, query, at, answerJson });
        if (added > 0) yield* run(REMOVE_OTHERS, { siteId, generation });
      }),
    async trim(answersMax) {
      await sql.run(TRIM, { answersMax });
    },
  };
}

/** Nothing where another version of Docent wrote it in another shape, or a disk has spoilt it. */
function readAnswer(json: string): CachedAnswer | undefined {
  try {
    return cachedAnswerSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
