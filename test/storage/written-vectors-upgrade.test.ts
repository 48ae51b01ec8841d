import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { applyMigrations, MIGRATIONS } from "../../src/storage/sqlite/files/migrate.ts";

const NAME = "0033_written_vectors";

test("questions that a model wrote before are kept, their segments are made anew, and what had no word of its passage is written again", () => {
  using database = new Database(":memory:");
  const at = MIGRATIONS.findIndex(({ name }) => name === NAME);
  applyMigrations(database, MIGRATIONS.slice(0, at), 1);
  const write = (key: string, questions: string[], refused: string | null) =>
    database.run(
      "INSERT INTO enrichments (site_id, content_key, questions_json, context, refused, model, made_at) VALUES (1, ?, ?, 'c', ?, 'm', 1)",
      [key, JSON.stringify(questions), refused],
    );
  write("good", ["What is it?"], null);
  write("rubbish", [], "no_json");
  write("other words", [], "unrelated");
  database.run(
    "INSERT INTO segments (site_id, finished, kind) VALUES (1, 1, 'passages'), (1, 1, 'enrichments')",
  );
  database.run("INSERT INTO calibrations VALUES (1, 1, 'everything', 1, 1, 0.5, 0.25, NULL, NULL, 4, 1)");
  applyMigrations(database, MIGRATIONS.slice(at), 2);
  const rows = database
    .query("SELECT content_key, questions_json, words_json, embedder_id FROM enrichments")
    .all();
  expect(rows).toEqual([
    { content_key: "good", questions_json: '["What is it?"]', words_json: "[]", embedder_id: null },
    { content_key: "rubbish", questions_json: "[]", words_json: "[]", embedder_id: null },
  ]);
  expect(database.query("SELECT kind FROM segments WHERE finished = 1").all()).toEqual([
    { kind: "passages" },
  ]);
  expect(database.query("SELECT covered_mean AS mean FROM calibrations").all()).toEqual([{ mean: 0.5 }]);
});
