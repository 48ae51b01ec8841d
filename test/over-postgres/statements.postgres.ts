import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { statementsOfStores } from "../helpers/sent-statements.ts";

// Run by `make postgres`, behind the tests that it is about: what they sent is in the folder of `DOCENT_TEST_STATEMENTS`.

const STORAGE = join(import.meta.dir, "../../src/storage");
const FOLDER = process.env["DOCENT_TEST_STATEMENTS"] ?? "";

/** Beside what `src/storage/sqlite/` says, SQLite alone is asked this: sqlite-vec measures vectors where they lie. */
const OF_SQLITE = /\bvec_distance_cosine\(/;

const sent = () =>
  new Set(
    readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(join(FOLDER, name), "utf8").trimEnd().split("\n"))
      .map((line): unknown => JSON.parse(line)),
  );

test("every statement of the stores was run by PostgreSQL, in the tests of the stores or in those of files.txt", async () => {
  for (const file of new Bun.Glob("**/*.ts").scanSync({ cwd: STORAGE })) await import(join(STORAGE, file));
  const statements = statementsOfStores().filter((text) => !OF_SQLITE.test(text));
  expect(statements.length).toBeGreaterThan(300);
  const run = sent();
  expect(statements.filter((text) => !run.has(text))).toEqual([]);
});
