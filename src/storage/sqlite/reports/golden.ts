import type { Database } from "bun:sqlite";
import type { GoldenStore } from "../../../golden/stores.ts";
import {
  CHECKS_KEPT,
  type GoldenCheckRow,
  type GoldenQuestionRow,
  goldenValues,
  toGoldenCheck,
  toGoldenQuestion,
} from "../../rows/golden.ts";
import { inOneWrite } from "../one-write.ts";

type Values = Record<string, string | number | null>;

export const GOLDEN_QUERIES = {
  list: `SELECT id, turn_id AS turnId, origin, question, expected_json AS expectedJson, version, language,
      groups_json AS groupsJson, created_at AS at
    FROM golden_questions WHERE site_id = $siteId ORDER BY created_at, id LIMIT $limit`,
  // The turn may have been deleted since it was read.
  add: `INSERT INTO golden_questions
      (id, site_id, turn_id, origin, question, expected_json, version, language, groups_json, created_at)
    VALUES ($id, $siteId, (SELECT id FROM turns WHERE id = $turnId AND site_id = $siteId), $origin, $question,
      $expectedJson, $version, $language, $groupsJson, $at)`,
  remove: "DELETE FROM golden_questions WHERE id = $id AND site_id = $siteId",
  liked: `SELECT feedback.turn_id AS turnId FROM feedback
      JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
    WHERE feedback.site_id = $siteId AND feedback.helpful = 1
    ORDER BY feedback.created_at DESC, feedback.turn_id DESC LIMIT $limit`,
  prune: `DELETE FROM golden_checks WHERE site_id = $siteId AND id IN (
    SELECT id FROM golden_checks WHERE site_id = $siteId
    ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ${CHECKS_KEPT})`,
  settle: "UPDATE golden_checks SET generation = $generation WHERE id = $id AND site_id = $siteId",
  checks: `SELECT golden_checks.id, golden_checks.created_at AS at, source_id AS sourceId, location, before, generation,
      refused, comparison_json AS comparisonJson
    FROM golden_checks LEFT JOIN sources ON sources.id = source_id
    WHERE golden_checks.site_id = $siteId ORDER BY golden_checks.created_at DESC, golden_checks.id DESC LIMIT $limit`,
};

const ADD_CHECK = `
  INSERT INTO golden_checks (id, site_id, source_id, before, generation, refused, comparison_json, created_at)
  VALUES ($id, $siteId, $sourceId, $before, $generation, $refused, $comparisonJson, $at)`;

export function createGoldenStore(database: Database): GoldenStore {
  const prepare = (sql: string) => database.query<unknown, Values>(sql);
  const list = database.query<GoldenQuestionRow, Values>(GOLDEN_QUERIES.list);
  const liked = database.query<{ turnId: string }, Values>(GOLDEN_QUERIES.liked);
  const checks = database.query<GoldenCheckRow, Values>(GOLDEN_QUERIES.checks);
  const [add, remove] = [prepare(GOLDEN_QUERIES.add), prepare(GOLDEN_QUERIES.remove)];
  const [addCheck, prune] = [prepare(ADD_CHECK), prepare(GOLDEN_QUERIES.prune)];
  const settle = prepare(GOLDEN_QUERIES.settle);
  return {
    async list(siteId, limit) {
      return list.all({ siteId, limit }).map(toGoldenQuestion);
    },

    async add(siteId, questions) {
      inOneWrite(database, () => {
        for (const question of questions) add.run({ siteId, ...goldenValues(question) });
      });
    },

    async remove(siteId, id) {
      return remove.run({ siteId, id }).changes > 0;
    },

    async liked(siteId, limit) {
      return liked.all({ siteId, limit }).map(({ turnId }) => turnId);
    },

    async addCheck(siteId, { comparison, refused, generation = null, ...check }) {
      inOneWrite(database, () => {
        const values = { comparisonJson: JSON.stringify(comparison), refused: Number(refused), generation };
        addCheck.run({ siteId, ...check, ...values });
        prune.run({ siteId });
      });
    },

    async settleCheck(siteId, id, generation) {
      settle.run({ siteId, id, generation });
    },

    async checks(siteId, limit) {
      return checks.all({ siteId, limit }).map(toGoldenCheck);
    },
  };
}
