import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { createOwnReading } from "../../../src/reading/document-process/documents.ts";
import { ownAsciidoc } from "../../../src/reading/markdown/asciidoc/asciidoc.ts";
import type { SourceSpec } from "../../../src/reading/source.ts";
import { createOpenSourceReader } from "../../../src/reading/sources/sources.ts";
import { createFindCited } from "../../../src/sites/ingest/cited-page.ts";
import { createLinkCheck } from "../../../src/sites/ingest/link-check.ts";
import { createSiteSources } from "../../../src/sites/ingest/site-sources.ts";
import { type FakeSite, htmlPage, sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** A docs site and sources that are opened as the program opens them. */
async function opened({
  siteUrl = undefined as string | undefined,
  pagesMax = 1000,
  privateHosts = ["127.0.0.1"],
} = {}) {
  const it = await openIngestSite();
  const cache = temporaryDirectory();
  const runs = createSiteSources({
    seal: UNSEALED,
    sources: it.storage.sources,
    ingest: openIngest(it.storage, it.clock, { pagesMax }),
    openSiteFetch: () => () => Promise.reject(new Error("nothing asks for addresses")),
    openPublishedSite: () => Promise.reject(new Error("nothing asks for published pages")),
    published: it.storage.published,
    openSourceReader: createOpenSourceReader({
      seal: UNSEALED,
      cacheFolder: cache.path,
      pageBytesMax: 1_000_000,
      documents: createOwnReading(1_000_000),
      asciidoc: ownAsciidoc,
      pagesMax,
      certificateAuthorities: [],
      fetchMs: 10_000,
      fetchesAtOnce: 4,
      environment: {},
      credentials: [],
      clock: it.clock,
    }),
    permissions: { of: async () => ({ folders: [], privateHosts }) },
    uploads: { fileOf: async () => undefined, remove: async () => {} },
    checkLinks: createLinkCheck(it.storage.pages),
    findCited: createFindCited(it.storage.pages),
    isShared: false,
    clock: it.clock,
  });
  async function run(spec: Partial<SourceSpec>, url = siteUrl) {
    const source = await runs.add(sourceSpec(it.site.id, spec));
    const site = { ...it.site, url, generation: await it.generation() };
    return runs.run(site, source, { signal: new AbortController().signal });
  }
  const paths = () =>
    it.storage.database
      .query<{ path: string }, []>("SELECT path FROM pages WHERE died IS NULL ORDER BY path")
      .all()
      .map(({ path }) => path);
  return {
    it,
    run,
    paths,
    website: (location: string, url = siteUrl) => run({ kind: "website", location }, url),
    [Symbol.dispose]() {
      cache[Symbol.dispose]();
      it[Symbol.dispose]();
    },
  };
}

const GUIDE = {
  "/guide/": htmlPage("Guide", ["/guide/install", "/guide/guide/more"]),
  "/guide/install": htmlPage("Install"),
  "/guide/guide/more": htmlPage("More"),
};

describe("a website that is the site itself, below a path", () => {
  test("has pages whose paths begin below the site's own address, as its links are made", async () => {
    await using site = startFakeSite(GUIDE);
    using its = await opened({ siteUrl: `${site.url}/guide` });
    expect(await its.website(`${site.url}/guide/`)).toMatchObject({ added: 3 });
    expect(its.paths()).toEqual(["", "guide/more", "install"]);
  });

  test("has those paths when it is listed by a sitemap too, and where only a part of it is read", async () => {
    await using site = startFakeSite({
      ...GUIDE,
      "/sitemap.xml": (request) => sitemapOf([new URL("/guide/guide/more", request.url).href]),
    });
    using its = await opened({ siteUrl: `${site.url}/guide` });
    await its.website(`${site.url}/guide/guide/`);
    expect(its.paths()).toEqual(["guide/more"]);
  });

  test("has paths from the host's root where more is read than the site, or the site is elsewhere", async () => {
    await using site = startFakeSite({ ...GUIDE, "/": htmlPage("Home", ["/guide/install"]) });
    using its = await opened();
    await its.website(`${site.url}/`, `${site.url}/guide`);
    expect(its.paths()).toEqual(["", "guide/install"]);
    using other = await opened({ siteUrl: "https://docs.acme.example/guide" });
    await other.website(`${site.url}/guide/`);
    expect(other.paths()).toEqual(["guide", "guide/guide/more", "guide/install"]);
  });

  test("moves its unchanged pages when the site's address is another one", async () => {
    const tagged = Object.fromEntries(
      Object.entries(GUIDE).map(([path, body]) => [
        path,
        { headers: { "content-type": "text/html", etag: `"${path}"` }, body },
      ]),
    );
    await using site = startFakeSite(tagged);
    using its = await opened();
    await its.website(`${site.url}/guide/`, site.url);
    expect(its.paths()).toEqual(["guide", "guide/guide/more", "guide/install"]);
    const report = await its.website(`${site.url}/guide/`, `${site.url}/guide`);
    expect(report).toMatchObject({ added: 3, removed: 3 });
    expect(await its.it.page("install")).toEqual([expect.stringContaining("About Install.")]);
    expect(await its.it.page("guide/install")).toEqual([]);
    expect(await its.website(`${site.url}/guide/`, `${site.url}/guide`)).toMatchObject({ unchanged: 3 });
  });
});

const list = (...links: string[]) =>
  `# Acme\n\n> Docs.\n\n${links.map((href) => `- [${href}](${href}): a page`).join("\n")}\n`;

describe("an llms.txt of a site below a path", () => {
  test("has its pages below the site's own address, and says which of its links are not", async () => {
    await using site = startFakeSite({
      ...GUIDE,
      "/llms.txt": { headers: { "content-type": "text/plain" }, body: list("/guide/install", "/blog/new") },
    });
    using its = await opened({ siteUrl: `${site.url}/guide` });
    const { skipped } = await its.run({ kind: "llms-txt", location: `${site.url}/llms.txt` });
    expect(its.paths()).toEqual(["install"]);
    expect(skipped).toMatchObject([
      {
        location: `${site.url}/blog/new`,
        reason: "outside",
        detail: `is not below ${site.url}/guide/, the site's own address`,
      },
    ]);
  });
});

describe("an llms.txt on this machine", () => {
  async function runFile(site: FakeSite, text: string, privateHosts?: string[]) {
    using folder = temporaryDirectory();
    using its = await opened(privateHosts === undefined ? {} : { privateHosts });
    const location = join(folder.path, "llms.txt");
    writeFileSync(location, text);
    const report = await its.run({ kind: "llms-txt", location }).finally(() => rmSync(location));
    return { ...report, paths: its.paths(), asked: site.asked() };
  }

  test("is read from the host of its first link in full, and from no other", async () => {
    await using site = startFakeSite(GUIDE);
    await using other = startFakeSite({ "/x": htmlPage("X") });
    const text = list(`${site.url}/guide/install`, "/guide/guide/more", `${other.url}/x`);
    const { paths, skipped } = await runFile(site, text);
    expect(paths).toEqual(["guide/guide/more", "guide/install"]);
    expect(skipped).toMatchObject([{ location: `${other.url}/x`, reason: "outside" }]);
    expect(other.asked()).toEqual([]);
  });

  test("is not followed to a private address that the operator did not name", async () => {
    await using site = startFakeSite(GUIDE);
    const error = await appErrorOf(() => runFile(site, list(`${site.url}/guide/install`), []));
    expect([error.code, error.message]).toEqual(["forbidden", expect.stringContaining("private_hosts")]);
    expect(site.asked()).toEqual([]);
  });

  test("says of links without a host that they lead nowhere", async () => {
    await using site = startFakeSite(GUIDE);
    using folder = temporaryDirectory();
    using its = await opened();
    const location = join(folder.path, "llms.txt");
    writeFileSync(location, list("/guide/install"));
    await appErrorOf(() => its.run({ kind: "llms-txt", location }));
    const sourceId = (await its.it.sourceOf({ kind: "llms-txt", location })).id;
    expect(await its.it.storage.ledger.entries(sourceId)).toMatchObject([
      { location: "/guide/install", decision: "skipped", reason: "outside" },
    ]);
    expect(site.asked()).toEqual([]);
  });
});

describe("a website of more pages than are allowed", () => {
  test("changes nothing, and says so", async () => {
    await using site = startFakeSite(GUIDE);
    using its = await opened({ pagesMax: 2 });
    const error = await appErrorOf(() => its.website(`${site.url}/guide/`));
    expect([error.code, error.hint]).toEqual(["too_large", expect.stringContaining("Nothing was changed")]);
    expect(await its.it.generation()).toBe(0);
    expect(await its.it.content()).toEqual([]);
  });
});

describe("a web page in another charset", () => {
  const CYRILLIC = new Uint8Array([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const body = (meta: string) =>
    Buffer.concat([
      new TextEncoder().encode(
        `<!doctype html><html><head>${meta}<title>T</title></head><body><main><h1>T</h1><p>`,
      ),
      CYRILLIC,
      new TextEncoder().encode("</p></main></body></html>"),
    ]);

  test.each([
    ["by its header alone", "text/html; charset=windows-1251", ""],
    [
      "by its header, while the page names it as well",
      "text/html; charset=windows-1251",
      '<meta charset="windows-1251">',
    ],
    [
      "by its header, while the page names another one",
      "text/html; charset=windows-1251",
      '<meta charset="iso-8859-1">',
    ],
    ["by the page alone", "text/html", '<meta charset="windows-1251">'],
  ])("is read %s", async (_, type, meta) => {
    await using site = startFakeSite({ "/": { headers: { "content-type": type }, body: body(meta) } });
    using its = await opened();
    await its.website(`${site.url}/`);
    expect((await its.it.page(""))[0]).toContain("Привет");
  });
});
