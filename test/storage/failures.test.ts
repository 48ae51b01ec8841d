import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/kernel/errors.ts";
import { explainFailures as explainPostgresFailures } from "../../src/storage/postgres/failures.ts";
import { explainFailures } from "../../src/storage/sqlite/failures.ts";
import { openDatabase } from "../../src/storage/sqlite/files/open.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

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

test.each([
  ["SQLite", explainFailures, "SQLITE_IOERR_READ"],
  ["PostgreSQL", explainPostgresFailures, "ERR_POSTGRES_CONNECTION_CLOSED"],
])("what fails in the middle of what is read in parts says the same: %s", async (_, explain, code) => {
  const store = explain({
    async *parts() {
      yield "one";
      throw Object.assign(new Error("gone"), { code });
    },
  });
  const read: string[] = [];
  const error = await appErrorOf(async () => {
    for await (const part of store.parts()) read.push(part);
  });
  expect([error.code, read]).toEqual(["unavailable", ["one"]]);
  expect(error.hint).toEqual(expect.any(String));
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

test("a data directory that cannot be looked into is said to be that, with what to check", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "file");
  const loop = join(directory.path, "loop");
  writeFileSync(file, "words");
  symlinkSync(loop, loop);
  for (const path of [file, join(file, "below"), loop]) {
    const error = await appErrorOf(async () => openDatabase(path, { synchronous: "normal" }));
    expect(error).toMatchObject({ code: "unavailable", hint: expect.stringContaining("is yours") });
    expect(error.message).toStartWith(`The data directory ${path} cannot be opened: `);
  }
});
