import type { EvaluationQuestion, EvaluationStore } from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import { readStrings } from "../../rows/json.ts";
import type { Database } from "../database/database.ts";

interface Row extends RowOf<Omit<EvaluationQuestion, "expected">> {
  expectedJson: string;
}

const LIST = `
  SELECT id, turn_id, question, expected_json, subset, version, language, created_at AS at
  FROM evaluation_questions WHERE site_id = $siteId ORDER BY created_at, id LIMIT $limit`;
const COUNT = "SELECT count(*) AS count FROM evaluation_questions WHERE site_id = $siteId";
/** The turn may have been deleted since it was read. */
const ADD = `
  INSERT INTO evaluation_questions (id, site_id, turn_id, question, expected_json, subset, version, language, created_at)
  VALUES ($id, $siteId, (SELECT id FROM turns WHERE id = $turnId AND site_id = $siteId), $question, $expectedJson,
    $subset, $version, $language, $at)`;
const REMOVE = "DELETE FROM evaluation_questions WHERE id = $id AND site_id = $siteId";

export function createEvaluationStore(database: Database): EvaluationStore {
  return {
    async list(siteId, limit) {
      const rows = await database.all<Row>(LIST, { siteId, limit });
      return rows.map(({ expectedJson, ...row }) => ({
        ...fieldsOf(row),
        expected: readStrings(expectedJson),
      }));
    },

    async count(siteId) {
      return (await database.get<{ count: number }>(COUNT, { siteId }))?.count ?? 0;
    },

    async add(siteId, { turnId = null, expected, ...question }) {
      await database.run(ADD, { siteId, turnId, ...question, expectedJson: JSON.stringify(expected) });
    },

    async remove(siteId, id) {
      return (await database.run(REMOVE, { siteId, id })) > 0;
    },
  };
}
