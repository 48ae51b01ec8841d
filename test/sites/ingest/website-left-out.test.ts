import { describe, expect, test } from "bun:test";
import { htmlPage, sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { fetchFrom, runReader, websiteReader } from "../../helpers/read-site.ts";

const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
const refresh = (content: string) => `<meta http-equiv="Refresh" content="${content}">`;

describe("a page that names another one as its own address", () => {
  test("is read where that one is not there, is no page, leads back, or is never met", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a", "/b", "/c", "/d", "/e", "/f"]),
      "/a": htmlPage("A", [], canonical("/gone")),
      "/b": htmlPage("B", [], canonical("/hidden")),
      "/hidden": htmlPage("Hidden", [], '<meta name="robots" content="noindex">'),
      "/c": htmlPage("C", [], canonical("/back")),
      "/back": { status: 301, headers: { location: "/c" } },
      "/d": htmlPage("D", [], canonical("/d.zip")),
      "/e": htmlPage("E", [], canonical("/moved")),
      "/moved": { status: 301, headers: { location: "/e-gone" } },
      "/f": htmlPage("F", [], canonical("/secret")),
      "/secret": { status: 403 },
    });
    const run = await runReader(websiteReader(site));
    expect(run.error).toBeUndefined();
    expect(run.paths.toSorted()).toEqual(["", "a", "b", "c", "d", "e", "f"]);
    expect(run.reasons.toSorted()).toEqual([
      "/back: duplicate",
      "/e-gone: not_found",
      "/gone: not_found",
      "/hidden: noindex",
      "/moved: duplicate",
      "/secret: refused",
    ]);
  });

  test("gives way through others to the one that is there, and to one that readers still see", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a", "/b"]),
      "/a": htmlPage("A", [], canonical("/b")),
      "/b": htmlPage("B", [], canonical("/old")),
      "/old": { status: 301, headers: { location: "/c" } },
      "/c": htmlPage("C"),
    });
    const first = await runReader(websiteReader(site));
    expect(first.paths).toEqual(["", "c"]);
    site.pages["/c"] = { status: 500 };
    const second = await runReader(websiteReader(site), first.memory);
    expect(second.paths).toEqual([""]);
    expect(second.reasons.toSorted()).toEqual([
      "/a: duplicate",
      "/b: duplicate",
      "/c: failed",
      "/old: duplicate",
    ]);
  });

  test("is read when that one goes, and gives way when it comes, though it has not changed itself", async () => {
    const tagged = (body: string) => ({ headers: { "content-type": "text/html", etag: '"1"' }, body });
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a"]),
      "/a": tagged(htmlPage("A", [], canonical("/b"))),
      "/b": htmlPage("B"),
    });
    const first = await runReader(websiteReader(site));
    delete site.pages["/b"];
    const second = await runReader(websiteReader(site), first.memory);
    site.pages["/b"] = htmlPage("B");
    const third = await runReader(websiteReader(site), second.memory);
    expect([first.paths, second.paths, third.paths]).toEqual([
      ["", "b"],
      ["", "a"],
      ["", "b"],
    ]);
    expect(second.texts["a"]).toContain("About A.");
  });
});

describe("the ledger of a website", () => {
  test("says where a page leads that sends its readers on, and of one that it has no content", async () => {
    await using site = startFakeSite({
      "/docs/": htmlPage("Home", ["old", "away", "slow", "self", "nothing"]),
      "/docs/old": htmlPage("Old", [], refresh("0; url=new")),
      "/docs/new": htmlPage("New"),
      "/docs/away": htmlPage("Away", [], refresh("0;URL='/blog'")),
      "/docs/slow": htmlPage("Slow", [], refresh("300; url=new")),
      "/docs/self": htmlPage("Self", [], refresh("5")),
      "/docs/nothing": { status: 204 },
    });
    const run = await runReader(websiteReader(site, { start: `${site.url}/docs/` }));
    expect(run.paths).toEqual(["docs", "docs/slow", "docs/self", "docs/new"]);
    expect(run.skipped.map(({ reason, detail }) => [reason, detail])).toEqual([
      ["duplicate", `leads to ${site.url}/docs/new`],
      ["outside", `leads to ${site.url}/blog, which is not below ${site.url}/docs/`],
      ["empty", "has no content (204)"],
    ]);
  });

  test("names a thousand files that links led to, and that there are more", async () => {
    const names = Array.from({ length: 1003 }, (_, index) => `/file-${index}`);
    const pages = Object.fromEntries(
      names.map((path) => [path, { headers: { "content-type": "application/zip" }, body: "x" }]),
    );
    await using site = startFakeSite({ "/": htmlPage("Home", names), ...pages });
    const { skipped, paths } = await runReader(websiteReader(site, { pagesMax: 2000 }));
    expect([paths, skipped.length]).toEqual([[""], 1001]);
    expect(skipped[0]).toMatchObject({ reason: "refused", detail: "is application/zip, which is no page" });
    expect(skipped.at(-1)?.detail).toContain("and so are others that are not named here");
  });

  test("names what a sitemap lists in vain, and sums up what is beyond a hundred", async () => {
    await using site = startFakeSite({ "/docs/a": htmlPage("A"), "/docs/b/": htmlPage("B") });
    const others = Array.from({ length: 105 }, (_, index) => `/blog/${index}`);
    site.pages["/sitemap.xml"] = sitemapOf(["/one.xml", "/two.xml"], "sitemapindex");
    const listed = ["/docs/a", "/docs/a/", "/docs/a", "/docs/b", "/docs/b/", "/docs/x/x/x/x", ...others];
    site.pages["/docs/b"] = { status: 301, headers: { location: "/docs/b/" } };
    site.pages["/one.xml"] = sitemapOf(listed.map((path) => site.url + path));
    site.pages["/two.xml"] = sitemapOf([`${site.url}/news/1`, `${site.url}/news/2`]);
    const run = await runReader(websiteReader(site, { start: `${site.url}/docs/` }));
    expect(run.paths).toEqual(["docs/a", "docs/b"]);
    const rows = run.skipped.map(({ location, reason, detail }) => [
      location.slice(site.url.length),
      reason,
      detail.replaceAll(site.url, ""),
    ]);
    expect(rows.slice(0, 2)).toEqual([
      ["/docs/x/x/x/x", "refused", "is too long or repeats itself"],
      ["/blog/0", "outside", "is not below /docs/"],
    ]);
    // /docs/b/ is where that page was found: it has its own row.
    expect(rows.slice(100)).toEqual([
      ["/one.xml", "outside", "lists 6 more addresses that are no pages below /docs/"],
      ["/two.xml", "outside", "lists 2 pages, none of them below /docs/"],
      ["/docs/a/", "duplicate", "has the same path as /docs/a"],
    ]);
    expect(new Set(run.skipped.map(({ location }) => location)).size).toBe(run.skipped.length);
  });
});

test("a website whose host is written with a dot at its end is read, links in full too", async () => {
  await using site = startFakeSite({});
  const dotted = site.url.replace("127.0.0.1", "localhost.");
  site.pages["/"] = htmlPage("Home", ["/a", `${dotted}/b`, `${dotted.replace("localhost.", "localhost")}/c`]);
  for (const path of ["/a", "/b", "/c"]) site.pages[path] = htmlPage(path);
  const get = fetchFrom({ ...site, host: new URL(dotted).host });
  const run = await runReader(websiteReader(site, { start: `${dotted}/`, get }));
  expect([run.error, run.paths]).toEqual([undefined, ["", "a", "b", "c"]]);
});
