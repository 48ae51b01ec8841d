import { afterAll, beforeAll, expect, test } from "bun:test";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
  const { people, sources } = docent.app.parts;
  const site = await people.sites.add({ domain: "moved", name: "Moved", settings: { public: true } });
  const embedded = createEmbeddedReader({
    "index.md": "# Start\n\nSee [it](before/it.html).",
    "now/it.md": "# It\n\n## Part\n\nWords.",
    "folder/page.md": "# Page",
    "Module/About_It.md":
      "# About it\n\nSee [the folder's](/Folder/PAGE#part), [below](#Some-Part), [nowhere](#Some).\n\n## Some part",
    "twice/A.md": "# One",
    "twice/a.md": "# Other",
    "secret.md": "---\nhidden: true\n---\n# Secret",
  });
  const redirects = [
    { from: "before/it", to: "now/it#part" },
    { from: "folder", to: "folder/page" },
    { from: "to-secret", to: "secret" },
    { from: "now/it", to: "folder/page" },
  ];
  await sources.ingest.run({
    source: { siteId: site.id, kind: "demo", location: "docs", version: "", language: "" },
    reader: {
      list(context) {
        context.onRecognized?.({
          generator: "Some generator",
          pages: 4,
          samples: [],
          menu: [],
          redirects,
          unknowns: [],
        });
        return embedded.list(context);
      },
    },
    generation: site.generation,
    signal: new AbortController().signal,
  });
});
afterAll(() => docent.close());

const get = async (path: string) => {
  const reply = await fetch(`${docent.url}/sites/moved/${path}`, { redirect: "manual" });
  return [reply.status, reply.headers.get("location")];
};

test.each([
  ["before/it", 302, "/sites/moved/now/it#part"],
  ["before/it.html", 302, "/sites/moved/now/it#part"],
  ["before/it/?theme=dark", 302, "/sites/moved/now/it?theme=dark#part"],
  ["folder", 302, "/sites/moved/folder/page"],
  ["folder?list=0", 200, null],
  ["now/it", 200, null],
  ["to-secret", 404, null],
  ["missing", 404, null],
  ["module/about_it", 302, "/sites/moved/Module/About_It"],
  ["MODULE/about_it.html?theme=dark", 302, "/sites/moved/Module/About_It?theme=dark"],
  ["module", 404, null],
  ["Twice/A", 404, null],
  ["Secret", 404, null],
])(
  "the reader site answers an old address with where the page is now: %s",
  async (path, status, location) => {
    expect(await get(path)).toEqual([status, location]);
  },
);

test("a link to an old address leads to the page", async () => {
  const html = await (await fetch(`${docent.url}/sites/moved/`)).text();
  expect(html).toContain('href="/sites/moved/now/it"');
  expect(html).not.toContain("before/it");
});

test("a link in other letters' case leads to the page", async () => {
  const html = await (await fetch(`${docent.url}/sites/moved/Module/About_It`)).text();
  expect(html).toContain('href="/sites/moved/folder/page#part"');
  expect(html).toContain('<a href="#some-part">below</a>');
  expect(html).toContain('<a href="#Some">nowhere</a>');
});
