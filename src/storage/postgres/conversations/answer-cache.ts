import {
  type AnswerCacheStore,
  type CachedAnswer,
  cachedAnswerSchema,
  type NewCachedAnswer,
} from "../../../answer/cache/cache.ts";
import type { Database } from "../database/database.ts";

/** An answer that is asked for again and again is no write each time. */
const TOUCHED_EVERY_MS = 60_000;

const FIND = `
  SELECT cached_answers.id, answer_json FROM cached_answers
  JOIN sites ON sites.id = site_id AND sites.generation = cached_answers.generation
  WHERE site_id = $siteId AND key = $key`;
const REMOVE_ONE = "DELETE FROM cached_answers WHERE id = $id";
const TOUCH = `
  UPDATE cached_answers SET used_at = $at
  WHERE site_id = $siteId AND key = $key AND used_at <= $at::bigint - ${TOUCHED_EVERY_MS}`;
const ADD = `
  INSERT INTO cached_answers (site_id, generation, key, query, answer_json, created_at, used_at)
  SELECT id, generation, $key::text, $query::text, $json::text, $at::bigint, $at::bigint FROM sites
  WHERE id = $siteId AND generation = $generation AND EXISTS (SELECT 1 FROM turns WHERE turns.id = $turnId)
  ON CONFLICT (site_id, generation, key) DO UPDATE
    SET query = excluded.query, answer_json = excluded.answer_json, created_at = excluded.created_at,
      used_at = excluded.used_at`;
const REMOVE_OTHERS = "DELETE FROM cached_answers WHERE site_id = $siteId AND generation <> $generation";
/** One server at a time: what another one trims at this moment is trimmed. */
const TRIM = `
  DELETE FROM cached_answers WHERE id IN (
    SELECT id FROM cached_answers WHERE id NOT IN (
      SELECT id FROM cached_answers ORDER BY used_at DESC, id DESC LIMIT $answersMax)
    FOR UPDATE SKIP LOCKED)`;

export function createAnswerCacheStore(database: Database): AnswerCacheStore {
  const put = ({ siteId, turnId, key, answer, at }: NewCachedAnswer) =>
    database.inOneWrite(async (write) => {
      const { generation, query } = answer;
      const json = JSON.stringify(answer);
      const added = await write.run(ADD, { siteId, turnId, key, generation, query, at, json });
      if (added > 0) await write.run(REMOVE_OTHERS, { siteId, generation });
    });
  return {
    async find(siteId, key) {
      const row = await database.get<{ id: number; answerJson: string }>(FIND, { siteId, key });
      if (!row) return undefined;
      const answer = readAnswer(row.answerJson);
      if (!answer) await database.run(REMOVE_ONE, { id: row.id });
      return answer;
    },
    async touch(siteId, key, at) {
      await database.run(TOUCH, { siteId, key, at });
    },
    put,
    async trim(answersMax) {
      await database.run(TRIM, { answersMax });
    },
  };
}

/** Nothing where another version of Docent wrote it in another shape. */
function readAnswer(json: string): CachedAnswer | undefined {
  try {
    return cachedAnswerSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
