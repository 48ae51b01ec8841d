import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { backUp, checkBackup, examineBackup } from "../../src/storage/sqlite/files/backup.ts";
import { applyMigrations } from "../../src/storage/sqlite/files/migrate.ts";
import { DATABASE_FILE } from "../../src/storage/sqlite/files/open.ts";
import { restore } from "../../src/storage/sqlite/files/restore.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite, ORGANIZATION } from "../helpers/site-data.ts";
import { recordingDisk } from "../helpers/stopped-disk.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openStorageAt, openTestStorage } from "../helpers/test-storage.ts";

const organization = (id: string) => ({ ...ORGANIZATION, id, name: `name ${id}` });

/** A backup of a database that has these organizations. */
async function makeBackup(file: string, ...ids: string[]): Promise<string> {
  using storage = await openTestStorage();
  for (const id of ids) await storage.sites.addOrganization(organization(id));
  backUp(storage.database, file);
  return file;
}

async function organizationsIn(directory: string): Promise<string[]> {
  const storage = await openStorageAt(directory);
  const ids = (await storage.sites.listOrganizations()).map(({ id }) => id);
  storage.close();
  return ids;
}

/** The same, read by a connection that is closed at once: statements that wait for their end keep a database open. */
function organizationsOf(file: string): string[] {
  const database = new Database(file, { readonly: true });
  const query = database.query<{ id: string }, []>("SELECT id FROM organizations ORDER BY id");
  const ids = query.all().map(({ id }) => id);
  query.finalize();
  database.close(true);
  return ids;
}

describe("backup", () => {
  test("holds everything, and is one sound file", async () => {
    using directory = temporaryDirectory();
    const file = await makeBackup(join(directory.path, "b.db"), "one", "two");
    checkBackup(file);
    restore(join(directory.path, "data"), file, TEST_TIME);
    expect(await organizationsIn(join(directory.path, "data"))).toEqual(["one", "two"]);
    expect(readdirSync(directory.path).sort()).toEqual(["b.db", "data"]);
  });

  test("is of one moment, while another connection writes", async () => {
    using storage = await openTestStorage();
    const other = await openStorageAt(storage.directory);
    await storage.sites.addOrganization(organization("before"));
    // The other connection is in the middle of a write that nobody sees yet.
    other.database.run("BEGIN IMMEDIATE");
    other.database.run("INSERT INTO organizations VALUES ('during', 'during', 0)");
    const file = join(storage.directory, "b.db");
    backUp(storage.database, file);
    other.database.run("COMMIT");
    const copy = new Database(file, { readonly: true });
    expect(copy.query("SELECT id FROM organizations").all()).toEqual([{ id: "before" }]);
    copy.close();
    expect(await organizationsIn(storage.directory)).toEqual(["before", "during"]);
    other.close();
  });

  test("of a damaged database ends with an error, and leaves no file that could not be restored", async () => {
    using storage = await openTestStorage();
    await addSite(storage.sites);
    storage.database.run("PRAGMA foreign_keys = OFF");
    storage.database.run("DELETE FROM organizations");
    const file = join(storage.directory, "b.db");
    const error = await appErrorOf(() => storage.backUp(file));
    expect(error).toMatchObject({ code: "unavailable" });
    expect(error.message).toContain("the database itself is damaged");
    expect(error.message).toContain("rows of");
    expect(readdirSync(storage.directory).filter((name) => name.startsWith("b.db"))).toEqual([]);
  });

  test("never takes the place of a file", async () => {
    using storage = await openTestStorage();
    const file = join(storage.directory, "b.db");
    writeFileSync(file, "precious");
    const error = await appErrorOf(() => backUp(storage.database, file));
    expect(error.code).toBe("conflict");
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  test("makes the folders on its way", async () => {
    using storage = await openTestStorage();
    const file = join(storage.directory, "a", "b", "c.db");
    backUp(storage.database, file);
    checkBackup(file);
  });

  test("that cannot be written leaves nothing behind, and says what to do", async () => {
    using storage = await openTestStorage();
    writeFileSync(join(storage.directory, "file"), "");
    const error = await appErrorOf(() => backUp(storage.database, join(storage.directory, "file", "b.db")));
    expect(error.code).toBe("unavailable");
    expect(error.hint).toBeString();
    expect(readdirSync(storage.directory).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("what an interrupted one left is in nobody's way", async () => {
    using storage = await openTestStorage();
    const file = join(storage.directory, "b.db");
    writeFileSync(`${file}.partial`, "half");
    backUp(storage.database, file);
    checkBackup(file);
    expect(existsSync(`${file}.partial`)).toBe(false);
  });
});

/** Without the logs, which go when the last statement of a database that was closed is gone: any time. */
const namesOf = (data: string) =>
  readdirSync(data)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort();

describe("restore", () => {
  test("puts the backup in place, and keeps the replaced database", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const file = await makeBackup(join(directory.path, "b.db"), "from backup");
    await leaveAsCrashed(data, "replaced");
    const kept = restore(data, file, TEST_TIME);
    expect(kept).toBe(join(data, "backups", "before-restore-2026-01-02T03-04-05.000Z.db"));
    expect(organizationsOf(join(data, DATABASE_FILE))).toEqual(["from backup"]);
    // What was replaced can be restored as well.
    restore(data, kept ?? "", TEST_TIME + 1);
    expect(await organizationsIn(data)).toEqual(["replaced"]);
  });

  test("signs nobody in: sessions and links of the backup are over, the members are there", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "b.db");
    using storage = await openTestStorage();
    storage.database.run(
      "INSERT INTO members (id, name, name_key, is_server_owner, password_hash, created_at, last_seen_at) VALUES ('m', 'Ada', 'ada', 1, 'hash', 0, 0)",
    );
    storage.database.run("INSERT INTO member_links VALUES ('link', 'm', 0, 1)");
    storage.database.run(
      "INSERT INTO member_sessions (id, secret_hash, member_id, created_at, last_used_at, address, agent) VALUES ('s', 'secret', 'm', 0, 0, '', '')",
    );
    backUp(storage.database, file);
    restore(join(directory.path, "data"), file, TEST_TIME);
    const restored = await openStorageAt(join(directory.path, "data"));
    const count = (table: string) => restored.database.query(`SELECT count(*) AS n FROM ${table}`).get();
    expect(["members", "member_links", "member_sessions"].map(count)).toEqual([{ n: 1 }, { n: 0 }, { n: 0 }]);
    restored.close();
  });

  test("into a new directory replaces nothing", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    expect(restore(data, await makeBackup(join(directory.path, "b.db"), "one"), TEST_TIME)).toBeUndefined();
    expect(await organizationsIn(data)).toEqual(["one"]);
  });

  test("keeps also what a crash left in the write-ahead log", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const file = await makeBackup(join(directory.path, "b.db"), "from backup");
    await leaveAsCrashed(data, "only in the log");
    const kept = restore(data, file, TEST_TIME);
    const copy = new Database(kept ?? "", { readonly: true });
    expect(copy.query("SELECT id FROM organizations").all()).toEqual([{ id: "only in the log" }]);
    copy.close();
    expect(await organizationsIn(data)).toEqual(["from backup"]);
  });

  test("is refused while another command has the database open, and that one goes on", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const file = await makeBackup(join(directory.path, "b.db"), "from backup");
    const storage = await openStorageAt(data);
    const names = readdirSync(data).sort();
    const error = await appErrorOf(() => restore(data, file, TEST_TIME, { busyMs: 0 }));
    expect(error.code).toBe("conflict");
    expect(error.hint).toContain("docent mcp");
    await storage.sites.addOrganization(organization("goes on"));
    expect(readdirSync(data).sort()).toEqual(names);
    storage.close();
    expect(await organizationsIn(data)).toEqual(["goes on"]);
  });

  test("works where the database is damaged: that is what it is for", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const file = await makeBackup(join(directory.path, "b.db"), "from backup");
    for (const [index, damaged] of ["not a database at all", ""].entries()) {
      await Bun.write(join(data, DATABASE_FILE), damaged.repeat(1000));
      const kept = restore(data, file, TEST_TIME + index);
      expect(await organizationsIn(data)).toEqual(["from backup"]);
      if (damaged !== "") expect(readFileSync(kept ?? "", "utf8")).toBe(damaged.repeat(1000));
    }
  });

  test("twice in one moment keeps both of the replaced databases", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const [one, two, three] = [
      await makeBackup(join(directory.path, "1.db"), "one"),
      await makeBackup(join(directory.path, "2.db"), "two"),
      await makeBackup(join(directory.path, "3.db"), "three"),
    ];
    restore(data, one, TEST_TIME);
    const kept = [restore(data, two, TEST_TIME), restore(data, three, TEST_TIME)];
    const ids = kept.map((file) => {
      const copy = new Database(file ?? "", { readonly: true });
      const row = copy.query<{ id: string }, []>("SELECT id FROM organizations").get();
      copy.close();
      return row?.id;
    });
    expect(ids).toEqual(["one", "two"]);
    expect(await organizationsIn(data)).toEqual(["three"]);
  });

  test("a backup that is in use arrives whole, its write-ahead log included", async () => {
    using directory = temporaryDirectory();
    using storage = await openTestStorage();
    await storage.sites.addOrganization(organization("only in the log"));
    const data = join(directory.path, "data");
    restore(data, join(storage.directory, DATABASE_FILE), TEST_TIME);
    expect(await organizationsIn(data)).toEqual(["only in the log"]);
  });

  test("a file that another takes the place of after it was checked is refused as any other", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const file = await makeBackup(join(directory.path, "b.db"), "one");
    const other = join(directory.path, "other.db");
    await changed("CREATE TABLE mine (id)")(other);
    // The new data directory is the first thing that is asked of the disk, after the check.
    const { disk, steps } = recordingDisk(() => copyFileSync(other, file));
    const error = await appErrorOf(() => restore(data, file, TEST_TIME, { disk }));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toStartWith(`${file} is not a sound Docent backup: `);
    expect(steps.length).toBeGreaterThan(0);
    expect(readdirSync(data)).toEqual([]);
  });

  test("a letter that has changed in a text is found, which SQLite does not see", async () => {
    using directory = temporaryDirectory();
    using storage = await openTestStorage();
    await addSite(storage.sites, "docs", { name: "Quite a name" });
    const file = join(directory.path, "b.db");
    backUp(storage.database, file);
    expect(examineBackup(file)).toMatchObject({ hasChecksum: true, sites: 1 });
    const bytes = readFileSync(file);
    bytes.write("w", bytes.indexOf("Quite a name") + "Quite a ".length);
    writeFileSync(file, bytes);
    const error = await appErrorOf(() => restore(join(directory.path, "data"), file, TEST_TIME));
    expect(error.message).toBe(
      `${file} is not a sound Docent backup: its bytes are not those that were written (checksum)`,
    );
    // Without what stands behind it, it is taken for sound, as those of older versions are.
    writeFileSync(file, bytes.subarray(0, bytes.lastIndexOf("\ndocent-backup-sha256")));
    expect(examineBackup(file)).toMatchObject({ hasChecksum: false, sites: 1 });
  });

  test("a backup that was put in place by hand and used can be backed up and restored", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    mkdirSync(data);
    const used = await makeBackup(join(data, DATABASE_FILE), "one");
    const size = readFileSync(used).length;
    // No page is added: what stands behind them stays as well.
    const database = new Database(used);
    database.run("UPDATE organizations SET name = 'name owe'");
    database.close();
    expect(readFileSync(used).length).toBe(size);
    expect(examineBackup(used)).toMatchObject({ hasChecksum: false, organizations: 1 });
    for (const name of ["two", "three"]) {
      const storage = await openStorageAt(data);
      await storage.sites.addOrganization(organization(name));
      storage.close();
      expect(examineBackup(used).hasChecksum).toBe(false);
    }
    restore(join(directory.path, "other"), used, TEST_TIME);
    expect((await organizationsIn(join(directory.path, "other"))).sort()).toEqual(["one", "three", "two"]);
    const written = join(directory.path, "again.db");
    const again = await openStorageAt(data);
    backUp(again.database, written);
    again.close();
    expect(examineBackup(written)).toMatchObject({ hasChecksum: true, organizations: 3 });
  });

  const REFUSED: [name: string, code: string, make: (file: string) => unknown][] = [
    ["a file that is not there", "not_found", () => {}],
    ["a file that is no database", "invalid_request", (file) => writeFileSync(file, "words ".repeat(1000))],
    ["an empty file", "invalid_request", (file) => writeFileSync(file, "")],
    ["the database of another program", "invalid_request", makeForeign],
    ["another program's database that has migrations too", "invalid_request", makeForeignWithMigrations],
    ["a truncated backup", "invalid_request", makeTruncated],
    ["a damaged backup", "invalid_request", makeDamaged],
    ["a backup of a newer Docent", "conflict", makeNewer],
    ["a backup without a table", "invalid_request", changed("DROP TABLE turns")],
    [
      "a backup without a column",
      "invalid_request",
      changed("ALTER TABLE sites DROP COLUMN oldest_generation"),
    ],
    [
      "a backup with a column of a stranger's",
      "invalid_request",
      changed("ALTER TABLE sites ADD COLUMN mine TEXT"),
    ],
    ["a backup without an index", "invalid_request", dropFirstIndex],
    ["a backup with a table of a stranger's", "invalid_request", changed("CREATE TABLE mine (id)")],
    [
      "a backup with an index of a stranger's",
      "invalid_request",
      changed("CREATE INDEX mine ON sites (name)"),
    ],
    ["a backup with a view of a stranger's", "invalid_request", changed("CREATE VIEW mine AS SELECT 1")],
    [
      "a backup with a trigger",
      "invalid_request",
      changed("CREATE TRIGGER mine AFTER INSERT ON turns BEGIN DELETE FROM keys; END"),
    ],
    [
      "a backup whose rows refer to rows that are gone",
      "invalid_request",
      changed("PRAGMA foreign_keys = OFF", "DELETE FROM organizations"),
    ],
    [
      "a backup that skipped a migration",
      "invalid_request",
      changed("DELETE FROM migrations WHERE name = '0005_analytics'"),
    ],
  ];
  for (const [name, code, make] of REFUSED) {
    test(`${name} is refused, and the data directory stays as it is`, async () => {
      using directory = temporaryDirectory();
      const data = join(directory.path, "data");
      const storage = await openStorageAt(data);
      await storage.sites.addOrganization(organization("mine"));
      storage.close();
      const before = readFileSync(join(data, DATABASE_FILE));
      const names = namesOf(data);
      const file = join(directory.path, "b.db");
      await make(file);
      const error = await appErrorOf(() => restore(data, file, TEST_TIME));
      expect(error.code).toBe(
        code === "conflict" ? "conflict" : code === "not_found" ? "not_found" : "invalid_request",
      );
      expect(error.message.length).toBeGreaterThan(10);
      if (code === "invalid_request") expect(error.message).toContain("is not a sound Docent backup: ");
      expect(readFileSync(join(data, DATABASE_FILE)).equals(before)).toBe(true);
      expect(namesOf(data)).toEqual(names);
    });
  }
});

/** What a server leaves that is killed: this organization is in its write-ahead log alone. */
async function leaveAsCrashed(data: string, id: string): Promise<void> {
  using storage = await openTestStorage();
  await storage.sites.addOrganization(organization(id));
  mkdirSync(data);
  for (const suffix of ["", "-wal"])
    copyFileSync(join(storage.directory, DATABASE_FILE + suffix), join(data, DATABASE_FILE + suffix));
}

/** A backup with a site, in which somebody has done this. */
const changed =
  (...statements: string[]) =>
  async (file: string) => {
    using storage = await openTestStorage();
    await storage.sites.addOrganization(ORGANIZATION);
    storage.database.run(
      "INSERT INTO sites (organization_id, domain, name, settings_json, created_at) VALUES (?, 'acme', 'Acme', '{}', 0)",
      [ORGANIZATION.id],
    );
    backUp(storage.database, file);
    const database = new Database(file);
    for (const statement of statements) database.run(statement);
    database.close();
  };

async function dropFirstIndex(file: string): Promise<void> {
  await makeBackup(file, "one");
  const database = new Database(file);
  const index = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .get();
  database.run(`DROP INDEX ${index?.name}`);
  database.close();
}

function makeForeign(file: string): void {
  const database = new Database(file, { create: true });
  database.run("CREATE TABLE notes (id INTEGER)");
  database.close();
}

/** Of a new database. */
const PAGE_BYTES = 8192;

function makeForeignWithMigrations(file: string): void {
  const database = new Database(file, { create: true });
  database.run("CREATE TABLE migrations (version INTEGER)");
  database.run("INSERT INTO migrations VALUES (1)");
  database.close();
}

async function makeTruncated(file: string): Promise<void> {
  await makeBackup(file, "one");
  truncateSync(file, Math.floor(Bun.file(file).size / 2 / PAGE_BYTES) * PAGE_BYTES);
}

async function makeDamaged(file: string): Promise<void> {
  await makeBackup(file, ...Array.from({ length: 200 }, (_, index) => `organization ${index}`));
  const bytes = readFileSync(file);
  const root = new Database(file, { readonly: true });
  const page = root
    .query<{ rootpage: number }, []>(
      "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = 'organizations'",
    )
    .get()?.rootpage;
  root.close();
  bytes.fill(0xff, ((page ?? 0) - 1) * PAGE_BYTES, (page ?? 0) * PAGE_BYTES);
  writeFileSync(file, bytes);
}

async function makeNewer(file: string): Promise<void> {
  using storage = await openTestStorage();
  applyMigrations(
    storage.database,
    [{ name: "9999_newer", sql: "CREATE TABLE newer (id INTEGER) STRICT" }],
    TEST_TIME,
  );
  backUp(storage.database, file);
}
