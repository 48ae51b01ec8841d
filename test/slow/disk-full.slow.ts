import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectWhole, visibleContent } from "../helpers/ingest-site.ts";
import { canMount, mounts } from "../helpers/mounts.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

setDefaultTimeout(300_000);

// Skipped elsewhere, by name: test/sites/ingest/disk-full.test.ts has SQLite say that the disk is full.
describe.if(canMount())("a disk that is really full (needs root on Linux, to mount one)", () => {
  let place: Workplace;
  let disk: string;
  beforeAll(() => {
    place = createWorkplace();
    disk = join(place.folder, "disk");
    mkdirSync(disk);
    expect(mounts("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", disk)).toBe(true);
  });
  afterAll(async () => {
    mounts("umount", "--lazy", disk);
    await place.dispose();
  });

  const docent = (...words: string[]) => place.run(...words, "--data", "disk/data");

  function look<T>(work: (database: Database) => T): T {
    const database = new Database(join(disk, "data/docent.db"));
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  test("ends a run with what to do; readers have what they had, and with space again it goes on", async () => {
    writePages(place, 20, "zebra");
    expect((await docent("sites", "add", "acme")).code).toBe(0);
    expect((await docent("ingest", "acme", "docs")).code).toBe(0);
    const before = look((database) => visibleContent({ database }, 1));

    writePages(place, 1500, "lion");
    const full = await docent("ingest", "acme", "docs");
    expect(full.code).toBe(1);
    expect(full.err).toMatch(/disk.*full/);
    expect(full.err).not.toMatch(/^\s+at /m);
    // Reading needs no space.
    const listed = await docent("sites", "list", "--json");
    expect(JSON.parse(listed.out)).toMatchObject([{ pages: 20 }]);

    expect(mounts("mount", "-o", "remount,size=400m", disk)).toBe(true);
    look((database) => {
      expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      expectWhole({ database });
      expect(visibleContent({ database }, 1)).toEqual(before);
    });
    const again = await docent("ingest", "acme", "docs");
    expect(again.code, again.err).toBe(0);
    expect(again.out).toContain("1480 added, 20 changed, 0 removed");
    look((database) => expectWhole({ database }));
  }, 300_000);

  test("lets no run begin, and says so", async () => {
    expect(mounts("mount", "-o", "remount,size=400m", disk)).toBe(true);
    writeFileSync(join(disk, "ballast"), new Uint8Array(0));
    const filler = Bun.spawnSync(["dd", "if=/dev/zero", `of=${join(disk, "ballast")}`, "bs=64k"], {
      stderr: "ignore",
    });
    expect(filler.exitCode).not.toBe(0);
    writePages(place, 1500, "wolf");
    const full = await docent("ingest", "acme", "docs");
    expect([full.code, full.err]).toEqual([1, expect.stringMatching(/disk.*full/)]);
    rmSync(join(disk, "ballast"));
    const again = await docent("ingest", "acme", "docs");
    expect(again.code, again.err).toBe(0);
  }, 300_000);
});

function writePages(place: Workplace, count: number, word: string): void {
  mkdirSync(join(place.folder, "docs"), { recursive: true });
  const body = `Some ${word} is said here, and more of it. `.repeat(60);
  for (let index = 0; index < count; index++)
    writeFileSync(
      join(place.folder, `docs/page-${index}.md`),
      `# Page ${index}\n\n${word} ${index}. ${body}\n`,
    );
}
