import type { GoldenStore } from "../../../golden/stores.ts";
import {
  CHECKS_KEPT,
  type GoldenCheckRow,
  type GoldenQuestionRow,
  goldenValues,
  toGoldenCheck,
  toGoldenQuestion,
} from "../../rows/golden.ts";
import type { Database } from "../database/database.ts";

const LIST = `
  SELECT id, turn_id, origin, question, expected_json, version, language, groups_json, created_at AS at
  FROM golden_questions WHERE site_id = $siteId ORDER BY created_at, id LIMIT $limit`;
/** The turn may have been deleted since it was read. */
const ADD = `
  INSERT INTO golden_questions
    (id, site_id, turn_id, origin, question, expected_json, version, language, groups_json, created_at)
  VALUES ($id, $siteId, (SELECT id FROM turns WHERE id = $turnId AND site_id = $siteId), $origin, $question,
    $expectedJson, $version, $language, $groupsJson, $at)`;
const REMOVE = "DELETE FROM golden_questions WHERE id = $id AND site_id = $siteId";
const LIKED = `
  SELECT feedback.turn_id FROM feedback JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
  WHERE feedback.site_id = $siteId AND feedback.helpful
  ORDER BY feedback.created_at DESC, feedback.turn_id DESC LIMIT $limit`;
const ADD_CHECK = `
  INSERT INTO golden_checks (id, site_id, source_id, before, generation, refused, comparison_json, created_at)
  VALUES ($id, $siteId, $sourceId, $before, $generation, $refused, $comparisonJson, $at)`;
const PRUNE = `
  DELETE FROM golden_checks WHERE id IN (
    SELECT id FROM golden_checks WHERE site_id = $siteId ORDER BY created_at DESC, id DESC OFFSET ${CHECKS_KEPT})`;
const SETTLE = "UPDATE golden_checks SET generation = $generation WHERE id = $id AND site_id = $siteId";
const CHECKS = `
  SELECT golden_checks.id, golden_checks.created_at AS at, source_id, location, before, generation, refused,
    comparison_json
  FROM golden_checks LEFT JOIN sources ON sources.id = source_id
  WHERE golden_checks.site_id = $siteId ORDER BY golden_checks.created_at DESC, golden_checks.id DESC LIMIT $limit`;

export function createGoldenStore(database: Database): GoldenStore {
  return {
    async list(siteId, limit) {
      return (await database.all<GoldenQuestionRow>(LIST, { siteId, limit })).map(toGoldenQuestion);
    },

    async add(siteId, questions) {
      await database.inOneWrite(async (write) => {
        for (const question of questions) await write.run(ADD, { siteId, ...goldenValues(question) });
      });
    },

    async remove(siteId, id) {
      return (await database.run(REMOVE, { siteId, id })) > 0;
    },

    async liked(siteId, limit) {
      const rows = await database.all<{ turnId: string }>(LIKED, { siteId, limit });
      return rows.map(({ turnId }) => turnId);
    },

    async addCheck(siteId, { comparison, generation = null, ...check }) {
      await database.inOneWrite(async (write) => {
        const comparisonJson = JSON.stringify(comparison);
        await write.run(ADD_CHECK, { siteId, ...check, generation, comparisonJson });
        await write.run(PRUNE, { siteId });
      });
    },

    async settleCheck(siteId, id, generation) {
      await database.run(SETTLE, { siteId, id, generation });
    },

    async checks(siteId, limit) {
      return (await database.all<GoldenCheckRow>(CHECKS, { siteId, limit })).map(toGoldenCheck);
    },
  };
}
