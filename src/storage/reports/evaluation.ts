import type { EvaluationQuestion, EvaluationStore } from "@docent/measuring/analytics/stores";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readStrings } from "../rows/json.ts";
import type { Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

interface Row extends RowOf<Omit<EvaluationQuestion, "expected">> {
  expectedJson: string;
}

const LIST = statement<Row>(`
  SELECT id, turn_id AS "turnId", question, expected_json AS "expectedJson", subset, version, language,
    created_at AS at
  FROM evaluation_questions WHERE site_id = $siteId ORDER BY created_at, id LIMIT $limit`);
const COUNT = statement<{ count: number }>(
  "SELECT count(*) AS count FROM evaluation_questions WHERE site_id = $siteId",
);
/** The turn may have been deleted since it was read. */
const ADD = statement(`
  INSERT INTO evaluation_questions (id, site_id, turn_id, question, expected_json, subset, version, language, created_at)
  VALUES ($id, $siteId, (SELECT id FROM turns WHERE id = $turnId AND site_id = $siteId), $question, $expectedJson,
    $subset, $version, $language, $at)`);
const REMOVE = statement("DELETE FROM evaluation_questions WHERE id = $id AND site_id = $siteId");

export const EVALUATION_QUERIES = { list: LIST, count: COUNT, add: ADD, remove: REMOVE };

export function createEvaluationStore(sql: Sql): EvaluationStore {
  return {
    async list(siteId, limit) {
      const rows = await sql.all(LIST, { siteId, limit });
      return rows.map(({ expectedJson, ...row }) => ({
        ...fieldsOf(row),
        expected: readStrings(expectedJson),
      }));
    },

    async count(siteId) {
      return (await sql.get(COUNT, { siteId }))?.count ?? 0;
    },

    async add(siteId, { turnId, expected, ...question }) {
      await sql.run(ADD, { siteId, turnId, ...question, expectedJson: JSON.stringify(expected) });
    },

    async remove(siteId, id) {
      return (await sql.run(REMOVE, { siteId, id })) > 0;
    },
  };
}
