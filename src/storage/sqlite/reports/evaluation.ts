import type { Database } from "bun:sqlite";
import type { EvaluationQuestion, EvaluationStore } from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import { readStrings } from "../../rows/json.ts";

interface Row extends RowOf<Omit<EvaluationQuestion, "expected">> {
  expectedJson: string;
}

type Values = Record<string, string | number | null>;

export const EVALUATION_QUERIES = {
  list: `SELECT id, turn_id AS turnId, question, expected_json AS expectedJson, subset, version, language,
      created_at AS at
    FROM evaluation_questions WHERE site_id = $siteId ORDER BY created_at, id LIMIT $limit`,
  count: "SELECT count(*) AS count FROM evaluation_questions WHERE site_id = $siteId",
  // The turn may have been deleted since it was read.
  add: `INSERT INTO evaluation_questions
      (id, site_id, turn_id, question, expected_json, subset, version, language, created_at)
    VALUES ($id, $siteId, (SELECT id FROM turns WHERE id = $turnId AND site_id = $siteId), $question, $expectedJson,
      $subset, $version, $language, $at)`,
  remove: "DELETE FROM evaluation_questions WHERE id = $id AND site_id = $siteId",
};

export function createEvaluationStore(database: Database): EvaluationStore {
  const list = database.query<Row, Values>(EVALUATION_QUERIES.list);
  const count = database.query<{ count: number }, Values>(EVALUATION_QUERIES.count);
  const add = database.query<unknown, Values>(EVALUATION_QUERIES.add);
  const remove = database.query<unknown, Values>(EVALUATION_QUERIES.remove);
  return {
    async list(siteId, limit) {
      return list.all({ siteId, limit }).map(({ expectedJson, ...row }) => ({
        ...fieldsOf(row),
        expected: readStrings(expectedJson),
      }));
    },

    async count(siteId) {
      return count.get({ siteId })?.count ?? 0;
    },

    async add(siteId, { turnId, expected, ...question }) {
      const values = { turnId: turnId ?? null, expectedJson: JSON.stringify(expected) };
      add.run({ siteId, ...question, ...values });
    },

    async remove(siteId, id) {
      return remove.run({ siteId, id }).changes > 0;
    },
  };
}
