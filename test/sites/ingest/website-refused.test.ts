import { describe, expect, test } from "bun:test";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { createOwnReading } from "../../../src/reading/document-process/documents.ts";
import { ownAsciidoc } from "../../../src/reading/markdown/asciidoc/asciidoc.ts";
import { createOpenSourceReader } from "../../../src/reading/sources/sources.ts";
import { htmlPage, sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { runReader, websiteReader } from "../../helpers/read-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const NAMES = Array.from({ length: 6 }, (_, index) => `/p${index}`);

function listedSite() {
  const site = startFakeSite(Object.fromEntries(NAMES.map((path) => [path, htmlPage(path)])));
  site.pages["/sitemap.xml"] = sitemapOf(NAMES.map((path) => site.url + path));
  return site;
}

describe("a server that refuses", () => {
  test.each([401, 403, 407, 451, 418])("some pages with %p leaves them as they were", async (status) => {
    await using site = listedSite();
    site.pages["/p1"] = { status };
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["p0", "p2", "p3", "p4", "p5"]);
    expect([run.error, run.skipped]).toMatchObject([
      undefined,
      [{ reason: "refused", keeps: { path: "p1" } }],
    ]);
  });

  test.each([404, 410])("is not one that says with %p that a page is gone", async (status) => {
    await using site = listedSite();
    site.pages["/p1"] = { status };
    const run = await runReader(websiteReader(site));
    expect(run.skipped.map(({ reason, keeps }) => [reason, keeps])).toEqual([["not_found", undefined]]);
  });

  test("many pages one after the other is not taken to be gone", async () => {
    await using site = listedSite();
    for (const path of NAMES.slice(1)) site.pages[path] = { status: 403 };
    const run = await runReader(websiteReader(site, { failuresMax: 2 }));
    expect([run.paths, run.reasons.length, run.error]).toEqual([["p0"], 5, undefined]);
  });

  test("everything ends the run with its status and what to do, with a sitemap and without", async () => {
    await using site = listedSite();
    for (const path of NAMES) site.pages[path] = { status: 401 };
    const errors = [(await runReader(websiteReader(site))).error];
    site.pages = Object.assign(site.pages, { "/": { status: 401 }, "/sitemap.xml": { status: 401 } });
    errors.push((await runReader(websiteReader(site))).error);
    errors.push((await runReader(websiteReader(site, { start: `${site.url}/sitemap.xml` }))).error);
    for (const error of errors)
      expect(error).toMatchObject({
        code: "forbidden",
        message: expect.stringContaining("(401)"),
        hint: expect.stringContaining("--authorization"),
      });
  });

  test("everything changes nothing of what readers see", async () => {
    await using site = listedSite();
    using it = await openIngestSite();
    using cache = temporaryDirectory();
    const open = createOpenSourceReader({
      seal: UNSEALED,
      cacheFolder: cache.path,
      pageBytesMax: 1_000_000,
      documents: createOwnReading(1_000_000),
      asciidoc: ownAsciidoc,
      pagesMax: 100,
      certificateAuthorities: [],
      fetchMs: 10_000,
      fetchesAtOnce: 4,
      environment: {},
      credentials: [],
      clock: it.clock,
    });
    const spec = { kind: "website", location: `${site.url}/` } as const;
    const source = await it.sourceOf(spec);
    const allowed = { folders: [], privateHosts: ["127.0.0.1"] };
    const options = { authorizationVariable: undefined, siteUrl: undefined, everyMs: undefined, allowed };
    const reader = () => open(source, options);
    await it.run(await reader(), spec);
    const before = await it.content();
    expect(before).toHaveLength(6);
    for (const path of NAMES) site.pages[path] = { status: 403 };
    expect((await appErrorOf(async () => it.run(await reader(), spec, { force: true }))).code).toBe(
      "forbidden",
    );
    expect(await it.content()).toEqual(before);
  });

  test("a sitemap that another one lists removes none of its pages", async () => {
    await using site = startFakeSite({ "/a": htmlPage("A"), "/two.xml": { status: 403 } });
    site.pages["/sitemap.xml"] = sitemapOf(["/one.xml", "/two.xml"], "sitemapindex");
    site.pages["/one.xml"] = sitemapOf([`${site.url}/a`]);
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["a"]);
    expect(run.error).toMatchObject({
      code: "unavailable",
      message: `${site.url}/two.xml could not be read: its server refuses it (403).`,
    });
  });
});
