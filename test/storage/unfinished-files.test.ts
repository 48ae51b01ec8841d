import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStorage } from "../../src/storage/open-storage.ts";
import { applyMigrations, MIGRATIONS } from "../../src/storage/sqlite/files/migrate.ts";
import { DATABASE_FILE, openDatabase } from "../../src/storage/sqlite/files/open.ts";
import { lockServer } from "../../src/storage/sqlite/files/server-lock.ts";
import { upgrade } from "../../src/storage/sqlite/files/upgrade.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { testLog } from "../helpers/test-log.ts";
import { openStorageAt } from "../helpers/test-storage.ts";

const LEFT = [
  "docent.db.incoming",
  "docent.db.incoming-journal",
  "backups/before-upgrade-2026-01-01T00-00-00.000Z.db.partial",
  "backups/before-upgrade-2026-01-01T00-00-00.000Z.db.partial-journal",
  "backups/before-restore-2026-01-01T00-00-00.000Z.db.partial",
  "backups/before-restore-2026-01-01T00-00-00.000Z.db-wal",
];
const KEPT = [
  "backups/before-upgrade-2025-01-01T00-00-00.000Z.db",
  "backups/before-restore-2025-01-01T00-00-00.000Z.db",
  "backups/before-restore-2025-01-01T00-00-00.000Z.db-wal",
  "backups/nightly.db.partial",
];

function leave(directory: string): void {
  mkdirSync(join(directory, "backups"), { recursive: true });
  for (const name of [...LEFT, ...KEPT]) writeFileSync(join(directory, name), "words");
}

const allIn = (directory: string) =>
  [
    ...readdirSync(directory).filter((name) => name.includes("incoming")),
    ...readdirSync(join(directory, "backups")).map((name) => `backups/${name}`),
  ].sort();

const options = (directory: string, locked: boolean) => ({
  directory,
  synchronous: "normal" as const,
  backups: 5,
  now: TEST_TIME,
  locked,
  log: testLog().log,
});

describe("what killed upgrades and restores left", () => {
  test("is gone with the next start of a server, and no other file is", async () => {
    using directory = temporaryDirectory();
    (await openStorageAt(directory.path)).close();
    leave(directory.path);
    const lock = lockServer(directory.path);
    const storage = await openStorage(options(directory.path, true));
    expect(allIn(directory.path)).toEqual([...KEPT].sort());
    storage.close();
    lock?.release();
  });

  test("stays while a command runs beside the server: another process may be writing it", async () => {
    using directory = temporaryDirectory();
    (await openStorageAt(directory.path)).close();
    leave(directory.path);
    const lock = lockServer(directory.path);
    const storage = await openStorage(options(directory.path, false));
    expect(allIn(directory.path)).toEqual([...LEFT, ...KEPT].sort());
    storage.close();
    lock?.release();
  });

  test("is gone with the next command, where no server runs and nothing is being restored", async () => {
    using directory = temporaryDirectory();
    (await openStorageAt(directory.path)).close();
    leave(directory.path);
    const storage = await openStorage(options(directory.path, false));
    expect(allIn(directory.path)).toEqual([...KEPT].sort());
    storage.close();
    // The lock is free again.
    const lock = lockServer(directory.path);
    expect(lock).toBeDefined();
    lock?.release();
  });

  test("is gone with a command that upgrades the database, one try after the other", async () => {
    using directory = temporaryDirectory();
    const storage = await openStorageAt(directory.path);
    leave(directory.path);
    const more = [{ name: "9999_more", sql: "CREATE TABLE more (id INTEGER) STRICT" }];
    upgrade(storage.database, options(directory.path, false), { migrations: [...MIGRATIONS, ...more] });
    expect(allIn(directory.path)).toEqual(
      [...KEPT, "backups/before-upgrade-2026-01-02T03-04-05.000Z.db"].sort(),
    );
    storage.close();
  });

  test("the backup before an upgrade stays also where the clock was set back", async () => {
    using directory = temporaryDirectory();
    const storage = await openStorageAt(directory.path);
    mkdirSync(join(directory.path, "backups"));
    for (const year of [2030, 2031])
      writeFileSync(join(directory.path, `backups/before-upgrade-${year}-01-01T00-00-00.000Z.db`), "");
    const more = [{ name: "9999_more", sql: "CREATE TABLE more (id INTEGER) STRICT" }];
    upgrade(
      storage.database,
      { ...options(directory.path, false), backups: 2 },
      { migrations: [...MIGRATIONS, ...more] },
    );
    expect(readdirSync(join(directory.path, "backups")).sort()).toEqual([
      "before-upgrade-2026-01-02T03-04-05.000Z.db",
      "before-upgrade-2031-01-01T00-00-00.000Z.db",
    ]);
    storage.close();
  });
});

describe("a data directory that was used before", () => {
  const EMPTY: [name: string, leave: (directory: string) => void][] = [
    ["a database without a byte", (directory) => writeFileSync(join(directory, DATABASE_FILE), "")],
    ["no database", () => {}],
  ];
  const TRACES: [name: string, file: string, hint: string][] = [
    ["a write-ahead log", `${DATABASE_FILE}-wal`, "Put back the docent.db"],
    ["backups", "backups/before-upgrade-2026-01-01T00-00-00.000Z.db", "docent restore "],
  ];
  for (const [what, empty] of EMPTY)
    for (const [trace, file, hint] of TRACES)
      test(`with ${what} and ${trace} is not taken for a new one, and nothing in it is touched`, async () => {
        using directory = temporaryDirectory();
        mkdirSync(join(directory.path, "backups"));
        empty(directory.path);
        writeFileSync(join(directory.path, file), "words");
        const before = readdirSync(directory.path).sort();
        await expect(openStorageAt(directory.path)).rejects.toMatchObject({
          code: "conflict",
          hint: expect.stringContaining(hint),
        });
        expect(readdirSync(directory.path).sort()).toEqual(before);
        expect(Bun.file(join(directory.path, file)).size).toBe(5);
      });

  test("with a database in which nothing was ever made is refused beside backups, too", async () => {
    using directory = temporaryDirectory();
    const database = new Database(join(directory.path, DATABASE_FILE));
    database.run("PRAGMA user_version = 1");
    database.close();
    mkdirSync(join(directory.path, "backups"));
    writeFileSync(join(directory.path, "backups/mine.db"), "words");
    await expect(openStorageAt(directory.path)).rejects.toMatchObject({ code: "conflict" });
  });

  test("a database whose first start was killed in its middle is gone on with, its log and all", async () => {
    using first = temporaryDirectory();
    const database = openDatabase(first.path, { synchronous: "normal" });
    applyMigrations(database, [], TEST_TIME);
    using killed = temporaryDirectory();
    for (const suffix of ["", "-wal"])
      copyFileSync(join(first.path, DATABASE_FILE + suffix), join(killed.path, DATABASE_FILE + suffix));
    database.close();
    expect(Bun.file(join(killed.path, `${DATABASE_FILE}-wal`)).size).toBeGreaterThan(0);
    (await openStorageAt(killed.path)).close();
  });

  test("an empty database with nothing beside it is a new one: a first start may have been killed", async () => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, DATABASE_FILE), "");
    writeFileSync(join(directory.path, `${DATABASE_FILE}-wal`), "");
    (await openStorageAt(directory.path)).close();
  });
});
