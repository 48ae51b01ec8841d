import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openReadOnly } from "../../src/storage/sqlite/files/open-read-only.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

/** A database whose second row is in the log alone, as a server has it at work, and copies of some of its files. */
function atWork(folder: string, copied: readonly string[]): string {
  const file = join(folder, "docent.db");
  const database = new Database(file);
  for (const sql of [
    "PRAGMA journal_mode = WAL",
    "CREATE TABLE pages (id INTEGER, bytes BLOB)",
    "INSERT INTO pages VALUES (1, x'01')",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "INSERT INTO pages VALUES (2, x'02')",
  ])
    database.run(sql);
  const copy = join(folder, "copy");
  mkdirSync(copy);
  for (const suffix of ["", ...copied]) copyFileSync(`${file}${suffix}`, join(copy, `docent.db${suffix}`));
  database.close();
  return join(copy, "docent.db");
}

describe("a database that cannot be written", () => {
  test.each<[what: string, copied: string[], rows: number]>([
    ["with its log and the index of that", ["-wal", "-shm"], 2],
    ["with its log alone", ["-wal"], 2],
    ["without a log", [], 1],
  ])("%s is read to its last row, and not written", (_, copied, rows) => {
    using folder = temporaryDirectory();
    const database = openReadOnly(atWork(folder.path, copied));
    expect(database.query("SELECT id FROM pages").all()).toHaveLength(rows);
    expect(() => database.run("INSERT INTO pages VALUES (3, NULL)")).toThrow(/readonly/);
    database.close();
  });

  test("takes parameters by their names, by their places, and bytes", () => {
    using folder = temporaryDirectory();
    const database = openReadOnly(atWork(folder.path, []));
    const byName = database.query("SELECT id FROM pages WHERE id = $id AND bytes = $bytes");
    expect(byName.get({ id: 1, bytes: new Uint8Array([1]) })).toEqual({ id: 1 });
    expect(byName.get({ id: 2, bytes: new Uint8Array([1]) })).toBeNull();
    expect(database.prepare("SELECT id FROM pages WHERE bytes = ?").values(new Uint8Array([1]))).toEqual([
      [1],
    ]);
    expect(database.query("SELECT id FROM pages WHERE id = ? AND bytes IS NOT ?").all(1, null)).toHaveLength(
      1,
    );
    database.close();
  });

  test("that is none is refused", () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "docent.db");
    Bun.spawnSync(["sh", "-c", `echo nonsense nonsense nonsense > "${file}"`]);
    expect(() => openReadOnly(file)).toThrow(/not a database/);
  });
});
