import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import { isSkipped, type SourceReader } from "../../src/reading/source-reader.ts";
import { createFolderReader } from "../../src/reading/sources/folder/folder.ts";
import { openFidelity } from "../../src/running/app/fidelity.ts";
import { type AddressCheck, checkAddresses } from "../../src/sites/ingest/check-addresses.ts";
import { createFindCited } from "../../src/sites/ingest/cited-page.ts";
import { createOpenSiteFetch } from "../../src/sites/ingest/site-fetch.ts";
import { partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { readPages } from "../helpers/public-site.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

// A folder of HTML in the shape in which Sphinx builds one, and one in which MkDocs does.

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><div role="main"><h1 id="top">${title}</h1>${body}</div></body></html>`;
const SPHINX = {
  "objects.inv": "",
  "index.html": page("Lib", '<p>Welcome to the <a href="library/index.html">library</a>.</p>'),
  "genindex.html": page("Index", "<p>walk</p>"),
  "library/index.html": page("The library", '<p>All modules: <a href="os.html#os.walk">walk</a>.</p>'),
  "library/os.html": page(
    "Operating system",
    '<dl><dt id="os.walk">os.walk(top)</dt><dd><p>Generates the file names in a directory tree, top down.</p></dd></dl><h2 id="environment">Environment</h2><p>Environment variables are read with os.environ. See <a href="../howto/logging.html#levels">levels</a>.</p>',
  ),
  "library/os.path.html": page("Path names", "<p>Joins names of paths with the separator of the system.</p>"),
  "howto/logging.html": page(
    "Logging",
    '<p>Writes what happens to a file.</p><h2 id="levels">Levels</h2><p>The severity of a message is one of five levels: <a href="../library/os.html">the system</a>, <a href="/library/os.html">again</a>.</p>',
  ),
};
/** Written before the pages had their endings. */
const ANSWER = `---
question: How do I list a folder with all below it?
---

Use [walk](/library/os#os.walk) or [names](/library/os.path.html).
`;
const MKDOCS = {
  "index.html": page("Tuner", '<p>See <a href="tuning/">tuning</a>.</p>'),
  "tuning/index.html": page(
    "Tuning",
    '<p>Turn the knob of the radio. <a href="../guide/start/#first">First</a>.</p>',
  ),
  "guide/start/index.html": page("Start", '<h2 id="first">First</h2><p>Plug the receiver in.</p>'),
};

const folders = { sphinx: temporaryDirectory(), mkdocs: temporaryDirectory() };
const servers: Bun.Server<undefined>[] = [];
const urls = new Map<string, string>();
const checks = new Map<string, AddressCheck | undefined>();
const { signal } = new AbortController();
const openFetch = createOpenSiteFetch({ seal: UNSEALED, certificateAuthorities: [] });
const siteFetch = (siteUrl: string) => openFetch(siteUrl, { folders: [], privateHosts: ["127.0.0.1"] });
let docent: TestDocent;

/** A host that knows nothing but files: of a folder, whose address ends in a slash, it gives the index. */
function staticHost(root: string): Bun.Server<undefined> {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const place = join(root, decodeURIComponent(new URL(request.url).pathname));
      const file = place.endsWith("/") ? join(place, "index.html") : place;
      return existsSync(file) && statSync(file).isFile()
        ? new Response(Bun.file(file))
        : new Response("", { status: 404 });
    },
  });
  servers.push(server);
  return server;
}

async function read(domain: string, reader?: SourceReader) {
  const { people, sources } = docent.app.parts;
  const site = await people.sites.get(domain);
  const root = folders[domain === "mkdocs" ? "mkdocs" : "sphinx"].path;
  return sources.ingest.run({
    source: { siteId: site.id, kind: "folder", location: root, version: "", language: "" },
    reader: reader ?? createFolderReader({ root, fileBytesMax: 100_000 }),
    generation: site.generation,
    signal,
    ...(site.url !== undefined && {
      checkAddresses: (paths) =>
        checkAddresses({
          get: siteFetch(site.url ?? ""),
          siteUrl: site.url ?? "",
          paths,
          cited: (path) => createFindCited(docent.app.parts.storage.content.pages)(site, path),
          signal,
        }),
    }),
  });
}

beforeAll(async () => {
  docent = await startDocent({ docs: null });
  const { people } = docent.app.parts;
  for (const [domain, files] of Object.entries({ sphinx: SPHINX, mkdocs: MKDOCS })) {
    const root = folders[domain === "mkdocs" ? "mkdocs" : "sphinx"].path;
    for (const [name, text] of Object.entries(files)) await Bun.write(join(root, name), text);
    const url = `http://127.0.0.1:${staticHost(root).port}`;
    urls.set(domain, url);
    await people.sites.add({ domain, name: domain, url, settings: { public: true } });
    checks.set(domain, (await read(domain)).addresses);
  }
  await readPages(docent, "sphinx", { "answers/walk.md": ANSWER });
  await people.sites.add({ domain: "unpublished", name: "Unpublished", settings: { public: true } });
  await read("unpublished");
});
afterAll(async () => {
  await docent.close();
  await Promise.all(servers.map((server) => server.stop(true)));
  for (const folder of Object.values(folders)) folder[Symbol.dispose]();
});

const statusOf = async (address: string) => (await fetch(address)).status;
const textAt = async (path: string) => (await fetch(docent.url + path)).text();
const ask = async (domain: string, words: string, more: Record<string, unknown> = {}) =>
  (await docent.post(question(words, more), { domain })).text();
/** The addresses that a text links to, each once. */
const linksIn = (markdown: string) => [
  ...new Set([...markdown.matchAll(/\]\((\S+?)\)/g)].map(([, address = ""]) => address)),
];

describe("of a folder of built HTML", () => {
  test.each([
    ["sphinx", "How are environment variables read?", "/library/os.html#environment"],
    ["sphinx", "How is the severity of a message told?", "/howto/logging.html#levels"],
    ["sphinx", "Which separator joins names of paths?", "/library/os.path.html#top"],
    ["mkdocs", "How do I turn the knob of the radio?", "/tuning/#top"],
    ["mkdocs", "How do I plug the receiver in?", "/guide/start/#first"],
  ])("%s: a citation leads to an address that its host has: %s", async (domain, words, expected) => {
    const links = linksIn(textOf(await ask(domain, words)));
    expect(links.map((link) => link.replace(urls.get(domain) ?? "", ""))).toContain(expected);
    for (const link of links) expect([link, await statusOf(link)]).toEqual([link, 200]);
  });

  test.each(["sphinx", "mkdocs"])(
    "%s: so do the sitemap, llms.txt, and the check of a run",
    async (domain) => {
      const anchors = domain === "sphinx" ? 8 : 4;
      expect(checks.get(domain)).toMatchObject({
        answering: domain === "sphinx" ? 5 : 3,
        missing: [],
        anchors: { asked: anchors, there: anchors, missing: [] },
      });
      const sitemap = await textAt(`/sites/${domain}/sitemap.xml`);
      const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) => address);
      expect(listed).toHaveLength(domain === "sphinx" ? 5 : 3);
      for (const address of listed) expect([address, await statusOf(address)]).toEqual([address, 200]);
      for (const address of linksIn(await textAt(`/sites/${domain}/llms.txt`)))
        expect([address, await statusOf(address)]).toEqual([address, 200]);
      const full = await textAt(`/sites/${domain}/llms-full.txt`);
      const own = linksIn(full).filter((link) => link.startsWith(urls.get(domain) ?? "\0"));
      expect(own.length).toBeGreaterThan(1);
      for (const address of own) expect([address, await statusOf(address)]).toEqual([address, 200]);
    },
  );

  test.each(["sphinx", "mkdocs", "unpublished"])("%s: links between pages lead to pages", async (domain) => {
    const { parts } = docent.app;
    const site = await parts.people.sites.get(domain);
    const { links, pages } = await openFidelity(parts).report(site, signal);
    expect([pages, links]).toEqual([domain === "mkdocs" ? 3 : 5, { count: 0, examples: [] }]);
  });

  test("the reader site's links, menu and pages have the same addresses", async () => {
    for (const domain of ["sphinx", "unpublished"]) {
      const html = await textAt(`/sites/${domain}/howto/logging.html`);
      const inArticle = /<article[^>]*>[\s\S]*<\/article>/.exec(html)?.[0] ?? "";
      const hrefs = (text: string) => [...text.matchAll(/href="(\/sites\/[^"?#]*)/g)].map(([, href]) => href);
      expect(hrefs(inArticle)).toEqual(Array(2).fill(`/sites/${domain}/library/os.html`));
      expect(hrefs(html)).toContain(`/sites/${domain}/library/os.path.html`);
      for (const href of new Set(hrefs(html)))
        expect([href, await statusOf(docent.url + href)]).toEqual([href, 200]);
    }
  });

  test("what was kept of pages without their ending still leads to them", async () => {
    for (const path of [
      "library/os",
      "library/os.html",
      "library/index.html",
      "library/",
      "howto/logging.md",
    ])
      expect([path, await statusOf(`${docent.url}/sites/sphinx/${path}`)]).toEqual([path, 200]);
    const answer = textOf(await ask("sphinx", "How do I list a folder with all below it?"));
    const root = urls.get("sphinx");
    expect(linksIn(answer)).toEqual([`${root}/library/os.html#os.walk`, `${root}/library/os.path.html`]);
  });

  test.each(["/library/os", "/library/os.html", "/library/os/"])(
    "a reader on %s is on that page",
    async (currentPath) => {
      const wire = await ask("sphinx", "Summarize this page", { currentPath });
      // What was found for the words alone would be below it.
      const found = JSON.stringify(partsOf(wire).find(({ code }) => code === "a")?.value);
      expect(found).toMatch(/^[^[]*\[\{"content":"Generates the file names[^}]*"path":"library\/os\.html"/);
    },
  );
});

test("pages that were read without their ending go, and come with it, in one switch", async () => {
  const { people } = docent.app.parts;
  await people.sites.add({ domain: "moving", name: "Moving", settings: { public: true } });
  const root = folders.sphinx.path;
  const now = createFolderReader({ root, fileBytesMax: 100_000 });
  const before: SourceReader = {
    ...now,
    async *list(context) {
      for await (const item of now.list(context))
        yield isSkipped(item) ? item : { ...item, path: item.path.replace(/\.html$/, "") };
    },
  };
  const paths = async () =>
    [...(await textAt("/sites/moving/sitemap.xml")).matchAll(/\/sites\/moving\/([^<]*)</g)].map(
      ([, path]) => path,
    );
  await read("moving", before);
  expect(await paths()).toEqual(["", "howto/logging", "library", "library/os", "library/os.path"]);
  const report = await read("moving");
  expect(report).toMatchObject({ added: 3, removed: 3, unchanged: 2 });
  expect(await paths()).toEqual([
    "",
    "howto/logging.html",
    "library",
    "library/os.html",
    "library/os.path.html",
  ]);
  const again = await read("moving");
  expect(again).toMatchObject({ added: 0, changed: 0, removed: 0 });
});
