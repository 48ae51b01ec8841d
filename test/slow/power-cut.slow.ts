import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkBackup } from "../../src/storage/sqlite/files/backup.ts";
import { appliedMigrations, MIGRATIONS } from "../../src/storage/sqlite/files/migrate.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { imageAfter, layDown, markOf, readChanges, STRACE } from "../helpers/power-cut.ts";
import { PROGRAM } from "../helpers/program.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openStorageAt } from "../helpers/test-storage.ts";

const OLD_MIGRATIONS = 4;
/** Of what was not synced: nothing, all of it, and some of it in several ways. */
const KINDS = 3;
/** Every change of a name and every sync, and of the writes in between one of so many. */
const WRITES_PER_CUT = 60;

/** A program that does the same each time, as chance is none in a test. */
function chance(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state > 1_073_741_824;
  };
}

const keepsOf = (kind: number, cut: number) =>
  kind === 0 ? () => false : kind === 1 ? () => true : chance(cut * KINDS + kind);

/** Runs commands one after the other, and tells what each did to the folder. */
async function record(root: string, commands: string[][], directory: TemporaryDirectory) {
  const ends: number[] = [];
  let text = "";
  for (const words of commands) {
    const file = join(directory.path, "record");
    const child = Bun.spawn([...STRACE, "-o", file, ...words], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: directory.path,
        DOCENT_DATA: root,
        DOCENT_SYNCHRONOUS: "full",
      },
      stdout: "ignore",
      stderr: "pipe",
    });
    const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    expect(err).not.toContain("docent: ");
    expect(code).toBe(0);
    text += readFileSync(file, "utf8");
    ends.push(readChanges(text, root).length);
  }
  return { changes: readChanges(text, root), ends };
}

type Recorded = Awaited<ReturnType<typeof record>>;

/**
 * Looks at everything that a cut may leave, at every moment that counts, and judges what it saw. Images that are the same
 * to the byte are looked at once.
 */
async function atEveryCut<Seen>(
  { changes }: Recorded,
  root: string,
  directory: TemporaryDirectory,
  look: (data: string) => Promise<Seen>,
  judge: (seen: Seen, cut: number) => void = () => {},
): Promise<number> {
  const seen = new Map<string, Seen>();
  for (let cut = 0; cut <= changes.length; cut++) {
    if (changes[cut]?.kind === "write" && cut % WRITES_PER_CUT !== 0) continue;
    for (let kind = 0; kind < KINDS; kind++) {
      const image = imageAfter(changes, cut, root, keepsOf(kind, cut));
      const mark = markOf(image);
      const data = join(directory.path, "image");
      try {
        const known = seen.get(mark) ?? (await lookAt(image, data, look));
        seen.set(mark, known);
        judge(known, cut);
      } catch (error) {
        const left = [...image.keys()].join(", ");
        throw new Error(`after ${cut} of ${changes.length} changes, kind ${kind}: ${left}`, { cause: error });
      }
    }
  }
  return seen.size;
}

async function lookAt<Seen>(
  image: ReturnType<typeof imageAfter>,
  data: string,
  look: (data: string) => Promise<Seen>,
): Promise<Seen> {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  layDown(image, data);
  return look(data);
}

/** What is in a data directory, once Docent has opened it. */
async function contentOf(data: string): Promise<string[]> {
  const storage = await openStorageAt(data, { now: TEST_TIME + 1000 });
  try {
    expect(storage.database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    const rows = storage.database
      .query<{ domain: string }, []>("SELECT domain FROM sites ORDER BY domain")
      .all();
    return rows.map(({ domain }) => domain);
  } finally {
    storage.close();
  }
}

describe.if(Bun.which("strace") !== null)("a power cut at any moment", () => {
  test("leaves what was acknowledged, of writes, backups and restores", async () => {
    using directory = temporaryDirectory();
    const root = join(directory.path, "data");
    const backup = join(root, "backups", "mine.db");
    const recorded = await record(
      root,
      [
        [...PROGRAM, "sites", "add", "first"],
        [...PROGRAM, "backup", backup],
        [...PROGRAM, "sites", "add", "second"],
        [...PROGRAM, "restore", backup],
        [...PROGRAM, "sites", "list"],
      ],
      directory,
    );
    const [added = 0, backedUp = 0, both = 0, restored = 0] = recorded.ends;
    const look = async (data: string) => {
      const sites = await contentOf(data);
      const copy = join(data, "backups", "mine.db");
      const isBackedUp = existsSync(copy);
      if (isBackedUp) checkBackup(copy);
      return { sites, isBackedUp };
    };
    const looked = await atEveryCut(recorded, root, directory, look, ({ sites, isBackedUp }, cut) => {
      if (cut >= added) expect(sites).toContain("first");
      if (cut === both) expect(sites).toEqual(["first", "second"]);
      if (cut >= both && cut < restored) expect(sites.length).toBeGreaterThan(0);
      if (cut >= restored) expect(sites).toEqual(["first"]);
      if (cut >= backedUp) expect(isBackedUp).toBe(true);
    });
    expect(looked).toBeGreaterThan(100);
  }, 300_000);

  test("leaves the older database or the newer one, and with the newer one the backup of the older", async () => {
    using directory = temporaryDirectory();
    const root = join(directory.path, "data");
    const program = join(import.meta.dir, "../helpers/upgrade-older.ts");
    const recorded = await record(
      root,
      [[process.execPath, program, root, String(OLD_MIGRATIONS)]],
      directory,
    );
    let upgraded = 0;
    await atEveryCut(recorded, root, directory, async (data) => {
      const file = join(data, "docent.db");
      if (!existsSync(file)) return;
      const database = new Database(file);
      const applied = appliedMigrations(database).length;
      database.close(true);
      if (applied > OLD_MIGRATIONS) {
        upgraded++;
        const [name = ""] = readdirSync(join(data, "backups")).filter((each) => each.endsWith(".db"));
        checkBackup(join(data, "backups", name));
      }
      if (applied >= OLD_MIGRATIONS) {
        await contentOf(data);
        expect(applied).toBeLessThanOrEqual(MIGRATIONS.length);
      }
    });
    expect(upgraded).toBeGreaterThan(0);
  }, 300_000);
});
