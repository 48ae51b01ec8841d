import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInProcess } from "../helpers/run-in-process.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const folder = temporaryDirectory();
const environment = { DOCENT_DATA: join(folder.path, "data"), DOCENT_PRELOAD: "off" };
const docs = join(folder.path, "loom");
const notes = join(docs, "notes.md");
const run = (...words: string[]) => runInProcess(words, { environment });

beforeAll(async () => {
  mkdirSync(docs);
  writeFileSync(notes, "# Notes\n\nThe shuttle of the loom is oiled every 40 hours.\n");
  writeFileSync(join(docs, "other.md"), "# Other\n\nThe warp has 600 threads.\n");
  writeFileSync(join(docs, "README.html"), "<h1>Loom</h1><p>The loom weaves linen of 3 colours.</p>");
  writeFileSync(join(docs, ".docentignore"), "*.md\n");
  writeFileSync(join(docs, "data.bin"), "\u0000\u0001");
  await run("sites", "add", "acme");
});
afterAll(() => folder[Symbol.dispose]());

describe("a single file is a source", () => {
  test("that holds it alone, and is read again as it is then", async () => {
    const first = await run("ingest", "acme", notes);
    expect(first.out).toContain("1 added, 0 changed");
    writeFileSync(notes, "# Notes\n\nThe shuttle of the loom is oiled every 50 hours.\n");
    const { out } = await run("ingest", "acme", notes);
    expect(out).toContain("0 added, 1 changed, 0 removed");
    const found = JSON.parse((await run("search", "acme", "shuttle", "--json")).out);
    expect(found.map(({ path }: { path: string }) => path)).toEqual(["notes"]);
    const listed = JSON.parse((await run("sources", "list", "acme", "--json")).out);
    expect(listed).toMatchObject([{ kind: "folder", place: notes }]);
  });

  test("of any format, named after it or the folder that it is in", async () => {
    const { out, err } = await run("try", join(docs, "README.html"), "how many colours has the linen?");
    expect(out).toContain("3 colours");
    expect(err).toMatch(/\/sites\/loom\n/);
  });

  test("and is not kept where it is in no format that is read", async () => {
    const { code, err } = await run("ingest", "acme", join(docs, "data.bin"));
    expect(code).toBe(1);
    expect(err).toContain(`There are no pages in ${join(docs, "data.bin")}`);
  });
});
