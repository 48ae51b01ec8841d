import { expect, test } from "bun:test";
import { join } from "node:path";
import { createAskSelf } from "../../../src/cli/run-self.ts";
import { openFidelity } from "../../../src/running/app/fidelity.ts";
import { openParts } from "../../../src/running/app.ts";
import { startDocent, testSurroundings } from "../../helpers/docent.ts";
import { settledSettings } from "../../helpers/shared-database.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const MAIN = join(import.meta.dir, "../../../src/main.ts");
const never = new AbortController().signal;

test("pages are looked at in a process of its own, once for each generation; what was left out is always as it is now", async () => {
  using directory = temporaryDirectory();
  const docs = join(directory.path, "docs");
  const page = (name: string, text: string) => Bun.write(join(docs, name), text);
  await page("a.md", "# A\n\n[gone](none.md)");
  const data = join(directory.path, "data");
  await (await startDocent({ data, docs })).close();
  const surroundings = testSurroundings(data);
  const parts = await openParts(surroundings);
  const words: string[][] = [];
  const child = createAskSelf(
    [process.execPath, MAIN, "for-server"],
    { data, ...settledSettings(data) },
    process.env,
  );
  const fidelity = openFidelity(parts, (asked, signal) => {
    words.push(asked);
    return child(asked, signal);
  });
  const here = openFidelity(parts);
  const report = async () => fidelity.report(await parts.people.sites.get("acme"), never);
  const run = async () => {
    const site = await parts.people.sites.get("acme");
    await parts.sources.ingest.run({
      source: { siteId: site.id, kind: "folder", location: docs, version: "", language: "" },
      reader: parts.sources.readFolder(docs),
      generation: site.generation,
      signal: never,
    });
  };

  const [first, second] = await Promise.all([report(), report()]);
  expect(first).toEqual(second);
  expect(first).toEqual(await here.report(await parts.people.sites.get("acme"), never));
  expect([first.links.examples.map(({ detail }) => detail), first.leftOut.count]).toEqual([
    ["none.md leads to no page"],
    0,
  ]);
  expect(words).toEqual([["sites", "fidelity", "acme"]]);

  await page("_part.md", "# Part");
  await run();
  const { generation, leftOut } = await report();
  expect([generation, leftOut.count, words.length]).toEqual([first.generation, 1, 1]);

  await page("none.md", "# There now");
  await run();
  expect((await report()).links.count).toBe(0);
  expect(words).toHaveLength(2);
  await parts.close();
});
