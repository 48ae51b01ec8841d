import { afterEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let place: Workplace;
afterEach(() => place.dispose());

/** A place with the site acme and a folder of docs. */
async function putDocs(files: Record<string, string>) {
  place = createWorkplace();
  mkdirSync(join(place.folder, "docs"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.folder, "docs", name), text);
  await place.run("sites", "add", "acme");
}

test("files that are left out for the same reason share a line, so that none hides another's reason", async () => {
  const broken = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.ipynb`, "{"]));
  await putDocs({ ...broken, "page.md": "Read.", "huge.md": "word ".repeat(2_100_000) });
  const { err, code } = await place.run("ingest", "acme", "docs");
  expect(code).toBe(0);
  expect(err).toMatch(/left out: \d+\.ipynb is no notebook that can be read \(and 29 more\)\n/);
  expect(err).toContain("left out: huge.md is larger than 10000000 bytes\n");
});

test("a page that was read with a fault has a line that says the fault", async () => {
  await putDocs({ "broken.md": "---\ntitle: [never closed\n---\n# Broken\n\nRead all the same." });
  const { out, err } = await place.run("ingest", "acme", "docs");
  expect(out).toContain("1 added");
  expect(err).toContain("read with faults: broken.md: front matter is not valid YAML");
});

test("a page that was read with a fault stands in the report for programs", async () => {
  await putDocs({ "broken.md": "---\ntitle: [never closed\n---\n# Broken\n\nRead all the same." });
  const report = JSON.parse((await place.run("ingest", "acme", "docs", "--json")).out);
  expect(report.faults).toEqual([{ location: "broken.md", detail: expect.stringContaining("front matter") }]);
});
