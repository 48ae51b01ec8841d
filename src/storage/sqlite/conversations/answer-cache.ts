import type { Database } from "bun:sqlite";
import {
  type AnswerCacheStore,
  type CachedAnswer,
  cachedAnswerSchema,
  type NewCachedAnswer,
} from "../../../answer/cache/cache.ts";

/** An answer that is asked for again and again is no write each time. */
const TOUCHED_EVERY_MS = 60_000;

export function createAnswerCacheStore(database: Database): AnswerCacheStore {
  const find = database.query<{ id: number; answerJson: string }, [number, string]>(
    `SELECT cached_answers.id, answer_json AS answerJson FROM cached_answers
     JOIN sites ON sites.id = site_id AND sites.generation = cached_answers.generation
     WHERE site_id = ? AND key = ?`,
  );
  const removeOne = database.query("DELETE FROM cached_answers WHERE id = ?");
  const touch = database.query(
    "UPDATE cached_answers SET used_at = $at WHERE site_id = $siteId AND key = $key AND used_at <= $at - $every",
  );
  // Not as one: with OR or <>, SQLite would look at all of a site's answers.
  const removeOthers = ["<", ">"].map((than) =>
    database.query(`DELETE FROM cached_answers WHERE site_id = ? AND generation ${than} ?`),
  );
  const add = database.query(
    `INSERT INTO cached_answers (site_id, generation, key, answer_json, created_at, used_at)
     SELECT id, generation, $key, $json, $at, $at FROM sites WHERE id = $siteId AND generation = $generation
       AND EXISTS (SELECT 1 FROM turns WHERE turns.id = $turnId)
     ON CONFLICT (site_id, generation, key) DO UPDATE
     SET answer_json = excluded.answer_json, created_at = excluded.created_at, used_at = excluded.used_at`,
  );
  const trim = database.query(
    `DELETE FROM cached_answers
     WHERE id IN (SELECT id FROM cached_answers ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ?)`,
  );
  const put = database.transaction(({ siteId, turnId, key, answer, at }: NewCachedAnswer) => {
    const { generation } = answer;
    const { changes } = add.run({ siteId, turnId, key, generation, at, json: JSON.stringify(answer) });
    if (changes === 0) return;
    for (const remove of removeOthers) remove.run(siteId, generation);
  });

  return {
    async find(siteId, key) {
      const row = find.get(siteId, key);
      if (!row) return undefined;
      const answer = readAnswer(row.answerJson);
      if (!answer) removeOne.run(row.id);
      return answer;
    },
    async touch(siteId, key, at) {
      touch.run({ siteId, key, at, every: TOUCHED_EVERY_MS });
    },
    async put(answer) {
      put.immediate(answer);
    },
    async trim(answersMax) {
      trim.run(answersMax);
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
