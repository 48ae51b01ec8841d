import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { htmlPage, sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { runReader, websiteReader } from "../../helpers/read-site.ts";

/** HTML pages at these paths. */
const pagesAt = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, htmlPage(path)]));

describe("a website's sitemap", () => {
  test("says which pages there are: links are not followed, and what is not below the prefix is left out by name", async () => {
    await using site = startFakeSite(pagesAt("/docs/", "/docs/b", "/blog/x"));
    site.pages["/docs/a"] = htmlPage("A", ["/docs/unlisted"]);
    site.pages["/sitemap.xml"] = sitemapOf(
      ["/docs/", "/docs/a", "/blog/x", "/docs/b", "/docs/a#part", "/docsier/"].map((path) => site.url + path),
    );
    const run = await runReader(websiteReader(site, { start: `${site.url}/docs/` }));
    expect(run.paths).toEqual(["docs", "docs/a", "docs/b"]);
    expect(run.items["docs/a"]?.found).toBe("sitemap");
    expect(run.reasons).toEqual(["/blog/x: outside", "/docsier/: outside"]);
  });

  test("is found where robots.txt says, or in the usual places", async () => {
    for (const place of [
      "/map.xml",
      "/docs/sitemap.xml",
      "/sitemap.xml",
      "/sitemap_index.xml",
      "/sitemap-index.xml",
    ]) {
      await using site = startFakeSite(pagesAt("/docs/", "/docs/only-listed"));
      site.pages[place] = sitemapOf([`${site.url}/docs/only-listed`]);
      if (place === "/map.xml") site.pages["/robots.txt"] = { body: `Sitemap: ${site.url}/map.xml` };
      const run = await runReader(websiteReader(site, { start: `${site.url}/docs/` }));
      expect([place, ...run.paths]).toEqual([place, "docs/only-listed"]);
    }
  });

  test("that is empty or about another part of the site is as none: links are followed", async () => {
    await using site = startFakeSite({ "/docs/": htmlPage("Home", ["a"]), "/docs/a": htmlPage("A") });
    for (const addresses of [[], [`${site.url}/blog/x`]]) {
      site.pages["/sitemap.xml"] = sitemapOf(addresses);
      const run = await runReader(websiteReader(site, { start: `${site.url}/docs/` }));
      expect(run.paths).toEqual(["docs", "docs/a"]);
      expect(run.reasons).toEqual(addresses.length === 0 ? [] : ["/sitemap.xml: outside"]);
    }
  });

  test("may be named itself, and then says everything", async () => {
    await using site = startFakeSite(pagesAt("/docs/a", "/docs/b", "/other"));
    const addresses = ["/docs/a", "/docs/b", "/other"].map((path) => site.url + path);
    site.pages["/docs/sitemap.xml"] = sitemapOf(addresses);
    site.pages["/docs/sitemap.txt"] = { body: addresses.join("\r\n") };
    for (const name of ["xml", "txt"]) {
      const run = await runReader(websiteReader(site, { start: `${site.url}/docs/sitemap.${name}` }));
      expect(run.paths).toEqual(["docs/a", "docs/b"]);
    }
    const gone = await runReader(websiteReader(site, { start: `${site.url}/gone/sitemap.xml` }));
    expect(gone.reasons).toEqual(["/gone/sitemap.xml: not_found"]);
  });

  test("may be an index, packed, and written as XML allows", async () => {
    await using site = startFakeSite(pagesAt("/a", "/b&c", "/d", "/e"));
    const at = (path: string) => site.url + path;
    site.pages["/sitemap.xml"] = sitemapOf(
      [at("/one.xml.gz"), "/two.xml", at("/sitemap.xml")],
      "sitemapindex",
    );
    site.pages["/one.xml.gz"] = {
      headers: { "content-type": "application/gzip" },
      body: gzipSync(String(sitemapOf([at("/a"), at("/b&amp;c")]).body)),
    };
    site.pages["/two.xml"] = {
      body: `<urlset xmlns:image="x"><url>
        <loc>\n  <![CDATA[${at("/d")}]]>\n</loc><image:image><image:loc>${at("/logo.png")}</image:loc></image:image>
        <lastmod>2020-01-01</lastmod></url><url><loc >${at("/e")}</loc></url><url><location>${at("/no")}</location></url></urlset>`,
    };
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["a", "b&c", "d", "e"]);
    expect(run.skipped).toEqual([]);
  });

  test("may list pages by their query, and files, and says so of those that are not read", async () => {
    await using site = startFakeSite({
      "/page?id=1": htmlPage("One"),
      "/page?id=2": htmlPage("Two"),
      "/manual.zip": { headers: { "content-type": "application/zip" }, body: "%PDF" },
    });
    site.pages["/sitemap.xml"] = sitemapOf(
      ["/page?id=1", "/page?id=2", "/manual.zip", "/gone"].map((path) => site.url + path),
    );
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["page?id=1", "page?id=2"]);
    expect(run.reasons).toEqual(["/manual.zip: parse_fault", "/gone: not_found"]);
    expect(run.skipped[0]?.detail).toBe("is application/zip, which is not read");
  });

  test("may name http where the site has moved to https, or be the same host in another spelling", async () => {
    await using site = startFakeSite(pagesAt("/a"));
    site.pages["/sitemap.xml"] = sitemapOf([`HTTP://${site.host}/a`, `http://${site.host}//a`]);
    expect((await runReader(websiteReader(site))).paths).toEqual(["a"]);
  });
});

describe("a sitemap bomb ends, and the ledger says where", () => {
  test("of sitemaps that name each other for ever", async () => {
    await using site = startFakeSite(pagesAt("/a"));
    const endless = (request: Request) => {
      const depth = Number(new URL(request.url).searchParams.get("n") ?? 0);
      return sitemapOf(
        [`${site.url}/sitemap.xml?n=${depth + 1}`, `${site.url}/sitemap.xml?n=${depth}`],
        "sitemapindex",
      );
    };
    site.pages["/robots.txt"] = { body: `Sitemap: /real.xml\nSitemap: /sitemap.xml?n=1` };
    site.pages["/real.xml"] = sitemapOf([`${site.url}/a`]);
    site.pages["/sitemap.xml"] = endless;
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["a"]);
    expect(run.skipped).toMatchObject([
      {
        location: `${site.url}/sitemap.xml?n=4`,
        reason: "too_large",
        detail: "is more than 3 sitemaps deep",
      },
    ]);
  });

  test("of more sitemaps than are read", async () => {
    await using site = startFakeSite(pagesAt("/a"));
    const maps = Array.from({ length: 50 }, (_, index) => `/map-${index}.xml`);
    site.pages["/sitemap.xml"] = sitemapOf(maps, "sitemapindex");
    for (const path of maps) site.pages[path] = sitemapOf([`${site.url}/a`]);
    const run = await runReader(websiteReader(site, { sitemapsMax: 10 }));
    expect(run.paths).toEqual(["a"]);
    expect(run.reasons).toEqual(["/map-9.xml: too_large"]);
    expect(site.requests.filter(({ path }) => path.includes("map-"))).toHaveLength(9);
  });

  test("of a packed sitemap that is huge when unpacked, however it is packed", async () => {
    const huge = gzipSync(Buffer.alloc(30_000_000, "<url><loc>http://x.test/</loc></url>"));
    for (const headers of [{ "content-type": "application/gzip" }, { "content-encoding": "gzip" }]) {
      await using site = startFakeSite(pagesAt("/a"));
      site.pages["/robots.txt"] = { body: "Sitemap: /bomb.xml.gz\nSitemap: /real.xml" };
      site.pages["/bomb.xml.gz"] = { headers: { ...headers }, body: huge };
      site.pages["/real.xml"] = sitemapOf([`${site.url}/a`]);
      const run = await runReader(websiteReader(site, { sitemapBytesMax: 1_000_000 }));
      expect(run.paths).toEqual(["a"]);
      expect(run.skipped).toMatchObject([
        { reason: "too_large", detail: "was not read: it is larger than 1000000 bytes when unpacked" },
      ]);
    }
  });

  test("of many sitemaps that are large together", async () => {
    await using site = startFakeSite(pagesAt("/a"));
    site.pages["/sitemap.xml"] = sitemapOf(["/one.xml", "/two.xml", "/three.xml"], "sitemapindex");
    for (const name of ["one", "two", "three"])
      site.pages[`/${name}.xml`] = { body: `<urlset><url><loc>/a</loc></url>${" ".repeat(1000)}</urlset>` };
    const run = await runReader(websiteReader(site, { sitemapsBytesMax: 2000 }));
    expect(run.paths).toEqual(["a"]);
    expect(run.reasons).toEqual(["/three.xml: too_large"]);
  });

  test("of more pages than are allowed", async () => {
    await using site = startFakeSite(pagesAt("/0", "/1", "/2"));
    site.pages["/sitemap.xml"] = sitemapOf(
      Array.from({ length: 9999 }, (_, index) => `${site.url}/${index}`),
    );
    const run = await runReader(websiteReader(site, { pagesMax: 3 }));
    expect(run.paths).toEqual(["0", "1", "2"]);
    expect(run.error).toMatchObject({ code: "too_large" });
  });

  test("of text that is no sitemap, or one that never closes", async () => {
    await using site = startFakeSite({ "/": htmlPage("Home") });
    for (const body of [
      "<html>not found</html>",
      `<urlset>${"<loc>".repeat(200_000)}`,
      `<urlset>${"<loc><![CDATA[".repeat(100_000)}`,
    ]) {
      site.pages["/sitemap.xml"] = { body };
      const run = await runReader(websiteReader(site));
      expect([run.paths, run.error]).toEqual([[""], undefined]);
    }
  });
});

test("a sitemap on a host that nobody named is not fetched", async () => {
  await using elsewhere = startFakeSite({});
  await using site = startFakeSite({ "/": htmlPage("Home") });
  site.pages["/robots.txt"] = { body: `Sitemap: ${elsewhere.url}/sitemap.xml` };
  const run = await runReader(websiteReader(site));
  expect(run.paths).toEqual([""]);
  expect(run.reasons).toEqual(["/sitemap.xml: outside"]);
  expect(elsewhere.requests).toEqual([]);
});

test("a sitemap whose server does not answer removes nothing: the pages that are known are read, then the run ends", async () => {
  await using site = startFakeSite(pagesAt("/a"));
  site.pages["/sitemap.xml"] = sitemapOf(["/one.xml", "/two.xml"], "sitemapindex");
  site.pages["/one.xml"] = sitemapOf([`${site.url}/a`]);
  site.pages["/two.xml"] = { status: 503 };
  const run = await runReader(websiteReader(site));
  expect(run.paths).toEqual(["a"]);
  expect(run.error).toMatchObject({ code: "unavailable" });
  expect(String(run.error)).toContain(`${site.url}/two.xml could not be read`);
});
