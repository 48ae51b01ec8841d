import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { explainFailures } from "../../src/storage/failures.ts";

/** A store on a database that has room for a few pages and no more. */
function createSmallStore() {
  const database = new Database(":memory:");
  database.run("CREATE TABLE notes (text TEXT)");
  database.run("PRAGMA max_page_count = 4");
  return explainFailures({
    async add(text: string) {
      database.query("INSERT INTO notes VALUES (?)").run(text);
    },
    async mistake() {
      database.query("SELECT * FROM nowhere").all();
    },
    revision: () => "1",
  });
}

test("a full disk is said as what an operator can mend, with SQLite's own words for the log", async () => {
  const store = createSmallStore();
  const error = await store.add("x".repeat(1_000_000)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: "unavailable",
    message: "Docent cannot store or read anything at the moment.",
    hint: "The disk is full: free some space where the data directory is.",
    cause: { code: "SQLITE_FULL" },
  });
});

test("a fault of ours stays one", async () => {
  const error = await createSmallStore()
    .mistake()
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(AppError);
});

test("what works is passed on, whether it is waited for or not", async () => {
  const store = createSmallStore();
  expect(await store.add("short")).toBeUndefined();
  expect(store.revision()).toBe("1");
});
