import type { GoldenStore } from "@docent/measuring/golden/stores";
import {
  CHECKS_KEPT,
  type GoldenCheckRow,
  type GoldenQuestionRow,
  goldenValues,
  toGoldenCheck,
  toGoldenQuestion,
} from "../rows/golden.ts";
import { run, runEach, type Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

const LIST = statement<GoldenQuestionRow>(`
  SELECT id, turn_id AS "turnId", origin, question, expected_json AS "expectedJson", version, language,
    groups_json AS "groupsJson", created_at AS at
  FROM golden_questions WHERE site_id = $siteId ORDER BY created_at, id LIMIT $limit`);
/** The turn may have been deleted since it was read. */
const ADD = statement(`
  INSERT INTO golden_questions
    (id, site_id, turn_id, origin, question, expected_json, version, language, groups_json, created_at)
  VALUES ($id, $siteId, (SELECT id FROM turns WHERE id = $turnId AND site_id = $siteId), $origin, $question,
    $expectedJson, $version, $language, $groupsJson, $at)`);
const REMOVE = statement("DELETE FROM golden_questions WHERE id = $id AND site_id = $siteId");
const LIKED = statement<{ turnId: string }>(`
  SELECT feedback.turn_id AS "turnId" FROM feedback
  JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
  WHERE feedback.site_id = $siteId AND feedback.helpful
  ORDER BY feedback.created_at DESC, feedback.turn_id DESC LIMIT $limit`);
const ADD_CHECK = statement(`
  INSERT INTO golden_checks (id, site_id, source_id, before, generation, refused, comparison_json, created_at)
  VALUES ($id, $siteId, $sourceId, $before, $generation, $refused, $comparisonJson, $at)`);
const PRUNE = statement(
  ({ offset }) => `
  DELETE FROM golden_checks WHERE site_id = $siteId AND id IN (
    SELECT id FROM golden_checks WHERE site_id = $siteId ORDER BY created_at DESC, id DESC ${offset(String(CHECKS_KEPT))})`,
);
const SETTLE = statement(
  "UPDATE golden_checks SET generation = $generation WHERE id = $id AND site_id = $siteId",
);
const CHECKS = statement<GoldenCheckRow>(`
  SELECT golden_checks.id, golden_checks.created_at AS at, source_id AS "sourceId", location, before, generation,
    refused, comparison_json AS "comparisonJson"
  FROM golden_checks LEFT JOIN sources ON sources.id = source_id
  WHERE golden_checks.site_id = $siteId ORDER BY golden_checks.created_at DESC, golden_checks.id DESC LIMIT $limit`);

export const GOLDEN_QUERIES = {
  list: LIST,
  add: ADD,
  remove: REMOVE,
  liked: LIKED,
  prune: PRUNE,
  settle: SETTLE,
  checks: CHECKS,
};

export function createGoldenStore(sql: Sql): GoldenStore {
  return {
    async list(siteId, limit) {
      return (await sql.all(LIST, { siteId, limit })).map(toGoldenQuestion);
    },

    add: (siteId, questions) =>
      sql.inOneWrite(() =>
        runEach(
          ADD,
          questions.map((question) => ({ siteId, ...goldenValues(question) })),
        ),
      ),

    async remove(siteId, id) {
      return (await sql.run(REMOVE, { siteId, id })) > 0;
    },

    async liked(siteId, limit) {
      return (await sql.all(LIKED, { siteId, limit })).map(({ turnId }) => turnId);
    },

    addCheck: (siteId, { comparison, generation, ...check }) =>
      sql.inOneWrite(function* () {
        const comparisonJson = JSON.stringify(comparison);
        yield* run(ADD_CHECK, { siteId, ...check, generation, comparisonJson });
        yield* run(PRUNE, { siteId });
      }),

    async settleCheck(siteId, id, generation) {
      await sql.run(SETTLE, { siteId, id, generation });
    },

    async checks(siteId, limit) {
      return (await sql.all(CHECKS, { siteId, limit })).map(toGoldenCheck);
    },
  };
}
