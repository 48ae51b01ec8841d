import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkBackup } from "../../src/storage/sqlite/files/backup.ts";
import {
  appliedMigrations,
  applyMigrations,
  MIGRATIONS,
  pendingMigrations,
} from "../../src/storage/sqlite/files/migrate.ts";
import { DATABASE_FILE, openDatabase } from "../../src/storage/sqlite/files/open.ts";
import { lockServer } from "../../src/storage/sqlite/files/server-lock.ts";
import { upgrade } from "../../src/storage/sqlite/files/upgrade.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { ORGANIZATION } from "../helpers/site-data.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { testLog } from "../helpers/test-log.ts";
import { openStorageAt, openTestStorage } from "../helpers/test-storage.ts";

const NEXT = {
  name: "9998_next",
  sql: "ALTER TABLE organizations ADD COLUMN colour TEXT; CREATE TABLE extra (id INTEGER) STRICT;",
};
const BROKEN = {
  name: "9999_broken",
  sql: "CREATE TABLE half (id INTEGER) STRICT; DELETE FROM organizations; CREATE TABLE nonsense (;",
};

/** All there is in a database: its schema and the rows of the tables that a test fills. */
function contentOf(database: Database): unknown {
  const schema = database.query("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").all();
  const rows = database.query("SELECT * FROM organizations").all();
  return { schema, rows, applied: appliedMigrations(database) };
}

function backupsOf(directory: string): string[] {
  const folder = join(directory, "backups");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** A data directory as this binary leaves it: an older one for a binary that knows more migrations. */
async function makeOlder(directory: string): Promise<void> {
  const storage = await openStorageAt(directory);
  await storage.sites.addOrganization(ORGANIZATION);
  storage.close();
}

describe("migrations", () => {
  test("names are numbered, in order, each once", () => {
    const names = MIGRATIONS.map(({ name }) => name);
    expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+$/.test(name))).toEqual([]);
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  });

  test("every file of migrations/ is in the list, as it is", async () => {
    const folder = join(import.meta.dir, "../../migrations");
    const files = readdirSync(folder)
      .filter((name) => name.endsWith(".sql"))
      .sort();
    expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files);
    for (const { name, sql } of MIGRATIONS)
      expect(await Bun.file(join(folder, `${name}.sql`)).text()).toBe(sql);
  });

  test("a new database gets them all, with the time", async () => {
    using storage = await openTestStorage();
    const rows = storage.database.query("SELECT name, applied_at FROM migrations ORDER BY name").all();
    expect(rows).toEqual(MIGRATIONS.map(({ name }) => ({ name, applied_at: TEST_TIME })));
    expect(pendingMigrations(storage.database)).toEqual([]);
  });

  test("a new database is not backed up: there is nothing in it", async () => {
    using storage = await openTestStorage();
    expect(backupsOf(storage.directory)).toEqual([]);
  });

  test("opening again changes nothing, and needs no server's lock", async () => {
    using directory = temporaryDirectory();
    const first = await openStorageAt(directory.path);
    await first.sites.addOrganization(ORGANIZATION);
    const before = contentOf(first.database);
    first.close();
    const lock = lockServer(directory.path);
    const second = await openStorageAt(directory.path, { now: TEST_TIME + 1 });
    expect(contentOf(second.database)).toEqual(before);
    expect(backupsOf(directory.path)).toEqual([]);
    second.close();
    lock?.release();
  });

  test("only what is missing is applied", async () => {
    using storage = await openTestStorage();
    const pending = pendingMigrations(storage.database, [...MIGRATIONS, NEXT]);
    expect(pending).toEqual([NEXT]);
    applyMigrations(storage.database, pending, TEST_TIME);
    expect(appliedMigrations(storage.database)).toEqual([...MIGRATIONS, NEXT].map(({ name }) => name));
    expect(pendingMigrations(storage.database, [...MIGRATIONS, NEXT])).toEqual([]);
  });

  test("one that fails leaves the database as it was before it; those before it stay", async () => {
    using storage = await openTestStorage();
    await storage.sites.addOrganization(ORGANIZATION);
    applyMigrations(storage.database, [NEXT], TEST_TIME);
    const before = contentOf(storage.database);
    expect(() => applyMigrations(storage.database, [BROKEN], TEST_TIME)).toThrow();
    expect(contentOf(storage.database)).toEqual(before);
    expect(() => applyMigrations(storage.database, [{ ...NEXT, name: "9999_twice" }], TEST_TIME)).toThrow();
    expect(contentOf(storage.database)).toEqual(before);
  });

  test("a database that a newer Docent used is refused, with what to do", async () => {
    using directory = temporaryDirectory();
    const storage = await openStorageAt(directory.path);
    applyMigrations(storage.database, [NEXT], TEST_TIME);
    const before = contentOf(storage.database);
    storage.close();
    const error = await appErrorOf(() => openStorageAt(directory.path));
    expect(error.code).toBe("conflict");
    expect(error.message).toContain(NEXT.name);
    expect(error.hint).toContain("backup");
    const database = openDatabase(directory.path, { synchronous: "normal" });
    expect(contentOf(database)).toEqual(before);
    database.close();
  });
});

describe("upgrades", () => {
  test("a database that a server of another version uses is left alone, and that is said", async () => {
    using directory = temporaryDirectory();
    await makeOlder(directory.path);
    const database = openDatabase(directory.path, { synchronous: "normal" });
    const before = contentOf(database);
    const lock = lockServer(directory.path);
    const options = { directory: directory.path, backups: 3, now: TEST_TIME, log: testLog().log };
    const more = { migrations: [...MIGRATIONS, NEXT], waitMs: 0 };
    const error = await appErrorOf(() => upgrade(database, { ...options, locked: false }, more));
    expect(error.code).toBe("conflict");
    expect(error.hint).toBeString();
    expect(contentOf(database)).toEqual(before);
    // The server itself holds the lock, and may.
    upgrade(database, { ...options, locked: true }, more);
    expect(appliedMigrations(database)).toContain(NEXT.name);
    lock?.release();
    database.close();
  });

  test("an older database is backed up before it is upgraded, and the backup is the older one", async () => {
    using directory = temporaryDirectory();
    await makeOlder(directory.path);
    const { log, lines } = testLog();
    const database = openDatabase(directory.path, { synchronous: "normal" });
    upgrade(
      database,
      { directory: directory.path, backups: 3, locked: false, now: TEST_TIME, log },
      { migrations: [...MIGRATIONS, NEXT] },
    );
    expect(appliedMigrations(database)).toContain(NEXT.name);
    const [backup = "", ...more] = backupsOf(directory.path);
    expect([backup, more]).toEqual(["before-upgrade-2026-01-02T03-04-05.000Z.db", []]);
    const file = join(directory.path, "backups", backup);
    expect(lines).toMatchObject([{ level: "info", file }]);
    checkBackup(file);
    const older = new Database(file, { readonly: true });
    expect(appliedMigrations(older)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(older.query("SELECT name FROM organizations").all()).toEqual([{ name: ORGANIZATION.name }]);
    older.close();
    database.close();
  });

  test("an upgrade that fails leaves the older database and its backup", async () => {
    using directory = temporaryDirectory();
    await makeOlder(directory.path);
    const database = openDatabase(directory.path, { synchronous: "normal" });
    const before = contentOf(database);
    const options = {
      directory: directory.path,
      backups: 3,
      locked: false,
      now: TEST_TIME,
      log: testLog().log,
    };
    expect(() => upgrade(database, options, { migrations: [...MIGRATIONS, BROKEN] })).toThrow();
    expect(contentOf(database)).toEqual(before);
    expect(backupsOf(directory.path)).toHaveLength(1);
    // The lock was given back.
    const lock = lockServer(directory.path);
    expect(lock).toBeDefined();
    lock?.release();
    database.close();
  });

  test("of the automatic backups the newest stay, and no other file goes", async () => {
    using directory = temporaryDirectory();
    await makeOlder(directory.path);
    const database = openDatabase(directory.path, { synchronous: "normal" });
    await Bun.write(join(directory.path, "backups", "mine.db"), "mine");
    const migrations = [...MIGRATIONS];
    for (let index = 0; index < 5; index++) {
      migrations.push({ name: `99${index}0_more`, sql: `CREATE TABLE more_${index} (id INTEGER) STRICT` });
      const now = TEST_TIME + index * 1000;
      upgrade(
        database,
        { directory: directory.path, backups: 2, locked: false, now, log: testLog().log },
        { migrations },
      );
    }
    expect(backupsOf(directory.path)).toEqual([
      "before-upgrade-2026-01-02T03-04-08.000Z.db",
      "before-upgrade-2026-01-02T03-04-09.000Z.db",
      "mine.db",
    ]);
    database.close();
  });
});

describe("the data directory", () => {
  test("is made for nobody else to read", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "deep", "data");
    (await openStorageAt(data)).close();
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  test("is one whole file once it is closed", async () => {
    using directory = temporaryDirectory();
    const storage = await openStorageAt(directory.path);
    await storage.sites.addOrganization(ORGANIZATION);
    storage.close();
    expect(statSync(join(directory.path, `${DATABASE_FILE}-wal`), { throwIfNoEntry: false })?.size ?? 0).toBe(
      0,
    );
  });

  test("with something else in the place of the database is refused, and it is left as it is", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, DATABASE_FILE);
    await Bun.write(
      file,
      "a letter to my aunt, long enough to be read as the header of a database file, and more",
    );
    const error = await appErrorOf(() => openStorageAt(directory.path));
    expect(error.code).toBe("unavailable");
    expect(error.hint).toBeString();
    expect(await Bun.file(file).text()).toStartWith("a letter to my aunt");
  });

  test("keeps what was written when the process ends without closing it", async () => {
    using directory = temporaryDirectory();
    const first = await openStorageAt(directory.path);
    await first.sites.addOrganization(ORGANIZATION);
    const second = await openStorageAt(directory.path);
    expect(await second.sites.listOrganizations()).toEqual([ORGANIZATION]);
    second.close();
    first.close();
  });

  test("has foreign keys, a write-ahead log and the asked durability", () => {
    for (const [synchronous, level] of [
      ["normal", 1],
      ["full", 2],
    ] as const) {
      using directory = temporaryDirectory();
      const database = openDatabase(directory.path, { synchronous });
      const pragma = (name: string) =>
        Object.values(database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0];
      expect([pragma("foreign_keys"), pragma("journal_mode"), pragma("synchronous")]).toEqual([
        1,
        "wal",
        level,
      ]);
      expect(pragma("busy_timeout")).toBe(5000);
      database.close();
    }
  });
});
