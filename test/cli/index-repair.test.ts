import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flipBit, segmentRows } from "../helpers/damage-segments.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { isShared } from "../helpers/shared-database.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

/** A site of one page; what doctor says of its index, and what commands do about it. */
async function withOnePage(folder: string, environment: Record<string, string> = {}) {
  const docs = join(folder, "docs");
  mkdirSync(docs);
  writeFileSync(join(docs, "a.md"), "# Zebra\n\nThe zebra runs.");
  const run = (...words: string[]) =>
    runInProcess([...words, "--data", join(folder, "data")], { environment });
  await run("sites", "add", "acme");
  expect(await run("ingest", "acme", docs)).toMatchObject({ code: 0 });
  return {
    run,
    async finding() {
      const { out } = await run("doctor", "--json");
      const all: { what: string; state: string; says: string; hint?: string }[] = JSON.parse(out);
      return all.find(({ what }) => what === "keyword index of acme");
    },
  };
}

const COMPLETED = "docent index complete acme --keywords";

test.skipIf(isShared)(
  "doctor says that passages are missing in an index, and commands add them",
  async () => {
    using folder = temporaryDirectory();
    const { run, finding } = await withOnePage(folder.path);
    for (const words of [
      ["index", "repair", "acme"],
      ["index", "complete", "acme", "--keywords"],
    ]) {
      const database = new Database(join(folder.path, "data/docent.db"));
      database.run("DELETE FROM segments");
      database.close();
      expect(await finding()).toMatchObject({
        state: "warn",
        says: expect.stringContaining("1 passage is not in it"),
        hint: expect.stringContaining(COMPLETED),
      });
      expect((await run(...words)).out).toMatch(/1 passage was missing|are in its keyword index: 1/);
      expect(await finding()).toMatchObject({ state: "ok" });
    }
  },
);

test.if(hasPostgres && !isShared)(
  "doctor says that another version made an index in PostgreSQL, and commands make it anew",
  async () => {
    using folder = temporaryDirectory();
    const url = await newDatabase();
    const { run, finding } = await withOnePage(folder.path, { DOCENT_DATABASE_URL: url });
    const set = (revision: string) =>
      queryNow(new URL(url).pathname.slice(1), `UPDATE segments SET revision = '${revision}'`, []);
    for (const revision of ["1.6", "1.1"]) {
      set(revision);
      expect(await finding()).toMatchObject({
        state: "warn",
        says: expect.stringContaining("made by an older version"),
        hint: expect.stringContaining(COMPLETED),
      });
      expect((await run("index", "complete", "acme", "--keywords")).code).toBe(0);
      expect(await finding()).toMatchObject({ state: "ok" });
    }
    set("999.999");
    expect(await finding()).toMatchObject({
      state: "warn",
      says: expect.stringContaining("made by a newer version"),
      hint: expect.stringContaining("docent index repair acme"),
    });
    expect((await run("search", "acme", "zebra")).err).toContain("is being made anew");
    expect(await run("index", "complete", "acme", "--keywords")).toMatchObject({
      code: 1,
      err: expect.stringContaining("A newer version of Docent"),
    });
    expect((await run("index", "repair", "acme")).out).toContain("was of another version");
    expect(await finding()).toMatchObject({ state: "ok" });
  },
);

// What a segment looks like on the disk is the database's own affair.
test.skipIf(isShared)(
  "doctor says which part of an index is damaged, and index repair makes it anew",
  async () => {
    using folder = temporaryDirectory();
    const { run, finding } = await withOnePage(folder.path);
    expect(await finding()).toMatchObject({ state: "ok", says: "sound, 0 MB" });
    expect((await run("index", "repair", "acme")).out).toContain("is sound");

    const database = new Database(join(folder.path, "data/docent.db"));
    const [row] = segmentRows(database).slice(-1);
    if (row) flipBit(database, row, 3);
    database.close();
    expect(await finding()).toMatchObject({
      state: "fail",
      says: expect.stringContaining("segment 1 of 1 damaged"),
      hint: "docent index repair acme",
    });
    expect((await run("doctor")).code).toBe(1);
    const repaired = await run("index", "repair", "acme", "--json");
    expect(JSON.parse(repaired.out)).toEqual({ domain: "acme", segments: 1, repaired: 1, added: 0 });
    expect(await finding()).toMatchObject({ state: "ok" });
  },
);
