import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examineBackup } from "../../src/storage/open-storage.ts";
import { FIXTURE_DOCS } from "../helpers/docent.ts";
import { ended } from "../helpers/ended.ts";
import { createWorkplace, PROGRAM, type Workplace } from "../helpers/program.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { isShared } from "../helpers/shared-database.ts";

describe.skipIf(isShared)("docent backup verify", () => {
  let place: Workplace;
  let environment: Record<string, string>;
  let file = "";
  beforeAll(async () => {
    place = createWorkplace();
    environment = { DOCENT_DATA: join(place.folder, "docent-data") };
    file = join(place.folder, "copy.db");
    for (const words of [
      ["sites", "add", "acme"],
      ["ingest", "acme", FIXTURE_DOCS],
      ["ask", "acme", "How do I install Acme on Linux?"],
      ["backup", file],
    ])
      await runInProcess(words, { environment });
  });
  afterAll(() => place.dispose());

  const verify = (...words: string[]) =>
    runInProcess(["backup", "verify", ...words], {
      // No data directory is needed, and none is made.
      environment: { DOCENT_DATA: join(place.folder, "none") },
    });

  test("says what is in it, to people and to programs, and leaves no file", async () => {
    const { code, out, err } = await verify(file);
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toStartWith(`${file} is a sound backup.\n`);
    expect(out).toMatch(/Schema: +\d{4}_\w+, of this version\n/);
    expect(out).toContain("Sites:         1\n  Pages:         4\n");
    expect(out).toContain("Conversations: 1\n  Questions:     1\n");
    const json = JSON.parse((await verify(file, "--json")).out);
    expect(json).toMatchObject({ file, sites: 1, pages: 4, conversations: 1, turns: 1, isOlder: false });
    expect(Date.parse(json.newestAt)).toBeGreaterThan(0);
    expect(readdirSync(place.folder).sort()).toEqual(["copy.db", "docent-data"]);
  });

  test("checks what comes through the input", async () => {
    const run = async (input: string) => {
      const child = Bun.spawn([...PROGRAM, "backup", "verify", "-", "--json"], {
        cwd: place.folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: place.folder },
        stdin: Bun.file(input),
        stdout: "pipe",
        stderr: "pipe",
      });
      return ended(child);
    };
    const good = await run(file);
    expect([good.code, JSON.parse(good.out)]).toEqual([0, expect.objectContaining({ file: "-", pages: 4 })]);
    const words = join(place.folder, "words.txt");
    writeFileSync(words, "no database");
    const bad = await run(words);
    expect([bad.code, bad.out]).toEqual([1, ""]);
    expect(JSON.parse(bad.err).error).toStartWith("What came through the input is not a sound Docent backup");
  });

  test("says what is wrong, with the exit code 1", async () => {
    const damaged = join(place.folder, "damaged.db");
    await Bun.write(damaged, Bun.file(file));
    truncateSync(damaged, 40_000);
    const dump = join(place.folder, "dump");
    writeFileSync(dump, "PGDMP and more");
    const CASES = [
      [damaged, "is not a sound Docent backup"],
      [damaged, "take another"],
      [dump, "is not a sound Docent backup"],
      [join(place.folder, "nowhere.db"), "There is no file"],
    ];
    for (const [given = "", says = ""] of CASES) {
      const { code, out, err } = await verify(given);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(says);
    }
  });

  test("a backup of an older version is sound, and is said to be older", async () => {
    const { Database } = await import("bun:sqlite");
    const { applyMigrations, MIGRATIONS } = await import("../../src/storage/sqlite/files/migrate.ts");
    // The first version's, and that of each one since.
    for (let count = 1; count < MIGRATIONS.length; count++) {
      const older = join(place.folder, `older-${count}.db`);
      const database = new Database(older);
      applyMigrations(database, MIGRATIONS.slice(0, count), 7);
      database.close();
      const schema = MIGRATIONS[count - 1]?.name;
      expect(examineBackup(older)).toMatchObject({ schema, isOlder: true, sites: 0, newestAt: 7 });
    }
  });
});
