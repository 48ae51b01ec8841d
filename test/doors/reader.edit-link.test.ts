import { afterAll, beforeAll, expect, test } from "bun:test";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { hrefs } from "../helpers/select-html.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ docs: null });
});
afterAll(() => docent.close());

test("a page of a git repository links to its file there, a page of a folder to none", async () => {
  const { people, sources } = docent.app.parts;
  const site = await people.sites.add({ domain: "open", name: "Open", settings: { public: true } });
  let generation = 0;
  for (const [kind, location, file] of [
    ["git", "https://github.com/acme/docs#main:docs", "from-git.md"],
    ["folder", "/srv/docs", "from-folder.md"],
  ] as const) {
    const report = await sources.ingest.run({
      source: { siteId: site.id, kind, location, version: "", language: "" },
      reader: createEmbeddedReader({ [file]: "# Page\n\nText." }),
      generation,
      signal: new AbortController().signal,
    });
    generation = report.generation;
  }
  const linksOf = async (page: string) =>
    hrefs(await (await fetch(`${docent.url}/sites/open/${page}`)).text(), "footer a");
  expect(await linksOf("from-git")).toEqual([
    "https://github.com/acme/docs/edit/main/docs/from-git.md",
    "/sites/open/from-git.md",
  ]);
  expect(await linksOf("from-folder")).toEqual(["/sites/open/from-folder.md"]);
});
