import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flipBit, segmentRows } from "../helpers/damage-segments.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { isShared } from "../helpers/shared-database.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

// What a segment looks like on the disk is the database's own affair.
test.skipIf(isShared)(
  "doctor says which part of an index is damaged, and index repair makes it anew",
  async () => {
    using folder = temporaryDirectory();
    const docs = join(folder.path, "docs");
    mkdirSync(docs);
    writeFileSync(join(docs, "a.md"), "# Zebra\n\nThe zebra runs.");
    const run = (...words: string[]) => runInProcess([...words, "--data", join(folder.path, "data")]);
    await run("sites", "add", "acme");
    expect(await run("ingest", "acme", docs)).toMatchObject({ code: 0 });

    const finding = async () => {
      const { out } = await run("doctor", "--json");
      const all: { what: string; state: string; says: string; hint?: string }[] = JSON.parse(out);
      return all.find(({ what }) => what === "keyword index of acme");
    };
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
    expect(JSON.parse(repaired.out)).toEqual({ domain: "acme", segments: 1, repaired: 1 });
    expect(await finding()).toMatchObject({ state: "ok" });
  },
);
