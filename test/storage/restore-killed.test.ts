import type { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { backUp } from "../../src/storage/sqlite/files/backup.ts";
import { DATABASE_FILE } from "../../src/storage/sqlite/files/open.ts";
import { removeLeftovers } from "../../src/storage/sqlite/files/unfinished-files.ts";
import { ORGANIZATION } from "../helpers/site-data.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openStorageAt, openTestStorage } from "../helpers/test-storage.ts";

const PROGRAM = join(import.meta.dir, "../helpers/restore-killed.ts");
/** More than a restore has. */
const STEPS_MAX = 40;
const TURNS = 300;

let directory: TemporaryDirectory;
let backup: string;
beforeAll(async () => {
  directory = temporaryDirectory();
  backup = join(directory.path, "backup.db");
  using storage = await openTestStorage();
  fill(storage.database, "new");
  backUp(storage.database, backup);
});
afterAll(() => directory[Symbol.dispose]());

function fill(database: Database, name: string): void {
  const add = database.query("INSERT INTO organizations VALUES (?, ?, 0)");
  for (let index = 0; index < TURNS; index++) add.run(`${name} ${index}`, `${name} ${index}`);
}

/** What a server leaves that is killed: most of what it knows is in the write-ahead log. */
async function makeOld(data: string): Promise<void> {
  using storage = await openTestStorage();
  await storage.sites.addOrganization(ORGANIZATION);
  fill(storage.database, "old");
  mkdirSync(data);
  for (const suffix of ["", "-wal"])
    copyFileSync(join(storage.directory, DATABASE_FILE + suffix), join(data, DATABASE_FILE + suffix));
}

/** Restores, killed before that step. Returns the steps that it came to, and whether it ended by itself. */
async function killAt(data: string, step: number) {
  const child = Bun.spawn([process.execPath, PROGRAM, data, backup, String(step)], { stdout: "pipe" });
  const [said, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return { steps: said.trim().split("\n"), ended: code === 0 };
}

async function nameIn(data: string): Promise<string> {
  const storage = await openStorageAt(data);
  const rows = storage.database
    .query<{ name: string; count: number }, []>(
      "SELECT substr(name, 1, 3) AS name, count(*) AS count FROM organizations WHERE name GLOB 'old *' OR name GLOB 'new *' GROUP BY 1",
    )
    .all();
  const verdict = storage.database.query("PRAGMA integrity_check").get();
  storage.close();
  expect(verdict).toEqual({ integrity_check: "ok" });
  expect(rows).toHaveLength(1);
  expect(rows[0]?.count).toBe(TURNS);
  return rows[0]?.name ?? "";
}

describe("a restore that is killed before any of its steps", () => {
  test("leaves the old database or the new one, whole, and the next start finds nothing else", async () => {
    const found: string[] = [];
    const old = join(directory.path, "old");
    await makeOld(old);
    for (let step = 0; step < STEPS_MAX; step++) {
      const data = join(directory.path, `killed-${step}`);
      cpSync(old, data, { recursive: true });
      const { ended } = await killAt(data, step);
      found.push(await nameIn(data));
      removeLeftovers(data);
      expect(readdirSync(data).filter((name) => name.includes("incoming"))).toEqual([]);
      const backups = existsSync(join(data, "backups")) ? readdirSync(join(data, "backups")) : [];
      expect(backups.filter((name) => !/^before-restore-[^/]*\.db$/.test(name))).toEqual([]);
      if (ended) break;
    }
    expect(found.length).toBeGreaterThan(8);
    // The old one until the moment at which it is the new one.
    expect([...found].sort().reverse()).toEqual(found);
    expect(new Set(found)).toEqual(new Set(["old", "new"]));
  });
});
