import { describe, expect, test } from "bun:test";
import { createSeal } from "../../../src/kernel/lib/seal/seal.ts";
import { type FakeSite, sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { openPublishedSource } from "../../helpers/published-source.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

/** A page as a generator publishes it, with ids of its own. */
const page = (title: string, ids: Record<string, string>, rest = "") =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1 id="top-of-it">${title}</h1><p>About it.</p>${Object.entries(
    ids,
  )
    .map(([words, id]) => `<h2 id="${id}">${words}</h2><p>Words on ${words}.</p>`)
    .join("")}${rest}</main></body></html>`;

const markdown = (title: string, ...headings: string[]) =>
  `# ${title}\n\nAbout it.\n${headings.map((words) => `\n## ${words}\n\nWords on ${words}.\n`).join("")}`;

const FILES = {
  "start.md": markdown("Start", "Install it", "Run it"),
  "colors.md": markdown("Colors", "Red", "Blue", "Mixing them"),
};
const PUBLISHED = {
  "/start": page("Start", { "Install it": "x-install", "Run it": "x-run" }),
  "/palette/colors.html": page("Colors", { Red: "x-red", Blue: "x-blue", "Mixing them": "x-mix" }),
};

function startPublished(pages: FakeSite["pages"] = PUBLISHED): FakeSite {
  const site = startFakeSite({ ...pages });
  site.pages["/sitemap.xml"] = sitemapOf(Object.keys(pages).map((path) => site.url + path));
  return site;
}

const AS_PUBLISHED = {
  "palette/colors.html": ["top-of-it", "x-red", "x-blue", "x-mix"],
  start: ["top-of-it", "x-install", "x-run"],
};
const AS_WRITTEN = {
  colors: ["colors", "red", "blue", "mixing-them"],
  start: ["start", "install-it", "run-it"],
};

describe("a published site", () => {
  test("is asked for nothing unless it is named, and once in each run where it is", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write(FILES);
    expect((await it.run({ url: site.url })).published).toBeUndefined();
    expect([it.anchors(), site.asked()]).toEqual([AS_WRITTEN, []]);
    const { published } = await it.run({ published: site.url });
    expect(published).toMatchObject({ pages: 2, found: 2, kept: 0, why: undefined });
    expect(it.anchors()).toEqual(AS_PUBLISHED);
    expect(site.asked().sort()).toEqual(["/palette/colors.html", "/robots.txt", "/sitemap.xml", "/start"]);
  });

  test("is asked only for what has changed where it says so", async () => {
    await using site = startPublished({
      ...PUBLISHED,
      "/start": { headers: { "content-type": "text/html", etag: '"1"' }, body: PUBLISHED["/start"] },
    });
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    expect(await it.run({ published: site.url })).toMatchObject({ unchanged: 2, generation: 1 });
    expect(site.requests.filter(({ path }) => path === "/start").map(({ status }) => status)).toEqual([
      200, 304,
    ]);
    expect(it.anchors()).toEqual(AS_PUBLISHED);
  });

  test("is not asked by a run that is told not to, and what is known of it counts", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    site.asked();
    it.write({ "start.md": markdown("Start", "Install it", "Run it", "More") });
    const { published, changed } = await it.run({ asksPublished: false });
    expect([published, changed]).toMatchObject([{ found: 2, kept: 0, why: undefined }, 1]);
    expect(it.anchors()["start"]).toEqual([...AS_PUBLISHED.start, ""]);
    expect(site.asked()).toEqual([]);
  });

  test("takes its addresses back with the setting", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    const source = await it.runs.publish(await it.add(), null);
    expect(source.options.published).toBeUndefined();
    expect(await it.it.storage.published.list(source.id)).toEqual([]);
    await it.run();
    expect(it.anchors()).toEqual(AS_WRITTEN);
  });

  test("changes ids although no file has changed", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    site.pages["/start"] = page("Start", { "Install it": "y-install", "Run it": "y-run" });
    expect(await it.run()).toMatchObject({ changed: 1, unchanged: 1 });
    expect(it.anchors()["start"]).toEqual(["top-of-it", "y-install", "y-run"]);
  });

  test("leaves a page that it does not have at the address that its source tells", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write({ ...FILES, "new.md": markdown("New", "Not there yet") });
    expect((await it.run({ published: site.url })).published).toMatchObject({ pages: 3, found: 2 });
    expect(it.anchors()["new"]).toEqual(["new", "not-there-yet"]);
  });

  test("is told apart by headings where two of its pages have one title, and where nothing tells, by nothing", async () => {
    await using site = startPublished({
      "/a": page("Guide", { One: "one-a", Two: "two-a" }),
      "/b": page("Guide", { Three: "three-b", Four: "four-b" }),
      "/c": page("Twin", { Same: "same-c" }),
      "/d": page("Twin", { Same: "same-d" }),
    });
    using it = await openPublishedSource();
    it.write({ "x.md": markdown("Guide", "Three", "Four"), "y.md": markdown("Twin", "Same") });
    expect((await it.run({ published: site.url })).published).toMatchObject({ found: 1 });
    expect(it.anchors()).toEqual({ b: ["top-of-it", "three-b", "four-b"], y: ["twin", "same"] });
  });

  test("has no credentials sent to it", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    expect(site.requests.filter(({ headers }) => headers.has("authorization"))).toEqual([]);
  });
});

describe("a published site without a sitemap", () => {
  test("is asked for what its pages link to, and for the addresses that the source tells", async () => {
    await using site = startFakeSite({
      "/": page("Home", {}, `<p><a href="/palette/colors.html">Colors</a></p>`),
      ...PUBLISHED,
    });
    using it = await openPublishedSource();
    it.write(FILES);
    expect((await it.run({ published: site.url })).published).toMatchObject({ found: 2 });
    expect(it.anchors()).toEqual(AS_PUBLISHED);
    expect((await it.run()).published).toMatchObject({ found: 2, kept: 0 });
  });

  test("is asked so as well where all that its sitemap lists is not there", async () => {
    await using site = startPublished();
    site.pages["/sitemap.xml"] = sitemapOf([`${site.url}/docs/start`, `${site.url}/docs/colors`]);
    site.pages["/"] = page("Home", {}, `<p><a href="/palette/colors.html">Colors</a></p>`);
    using it = await openPublishedSource();
    it.write(FILES);
    expect((await it.run({ published: site.url })).published).toMatchObject({ found: 2 });
    expect(it.anchors()).toEqual(AS_PUBLISHED);
  });

  test("has pages of which several come from one file", async () => {
    await using site = startFakeSite({
      "/p/a.html": page("Package a", { Use: "use-a" }),
      "/p/b.html": page("Package b", { Use: "use-b" }),
    });
    using it = await openPublishedSource();
    it.write({
      ".vitepress/config.js": "export default { title: 'Packages' };",
      "p/[name].md": "# Package {{ $params.name }}\n\nAbout it.\n\n## Use\n\nWords.\n",
      "p/[name].paths.js":
        "export default { paths: () => [{ params: { name: 'a' } }, { params: { name: 'b' } }] };",
    });
    const { published, docs } = await it.run({ published: site.url });
    expect([docs?.generator, published?.pages, published?.found]).toEqual(["VitePress", 2, 2]);
    expect(it.anchors()).toEqual({
      "p/a.html": ["top-of-it", "use-a"],
      "p/b.html": ["top-of-it", "use-b"],
    });
  });
});

describe("links, menus and old addresses", () => {
  test("lead to pages where they are published", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write({ ...FILES, "start.md": `${FILES["start.md"]}\nSee [colors](colors.md#x-blue).\n` });
    const { links } = await it.run({ published: site.url });
    expect(links).toEqual({ links: 1, lost: 0, examples: [] });
    expect((await it.it.page("start")).join()).toContain("](/palette/colors.html#x-blue)");
    const [source] = await it.runs.list(it.it.site.id);
    if (source === undefined) throw new Error("the source is not there");
    expect(await it.it.storage.ingest.redirects(source)).toEqual([
      { from: "colors", to: "palette/colors.html" },
    ]);
  });

  test("a curated answer beside the docs leads there, too", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write({
      ...FILES,
      "answers/mix.md": "---\nquestion: How do I mix?\n---\nSee [colors](../colors.md#x-mix).\n",
    });
    await it.run({ published: site.url });
    const stored = it.it.storage.database
      .query<{ markdown: string }, []>("SELECT markdown FROM pages WHERE kind = 'answer'")
      .all();
    expect(stored.map(({ markdown }) => markdown.trim())).toEqual([
      "See [colors](/palette/colors.html#x-mix).",
    ]);
  });

  test("a move of nearly all pages is none that loses them", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `page-${index}`);
    await using site = startPublished(
      Object.fromEntries(names.map((name) => [`/docs/${name}.html`, page(name, { [`On ${name}`]: "on" })])),
    );
    using it = await openPublishedSource();
    it.write(Object.fromEntries(names.map((name) => [`${name}.md`, markdown(name, `On ${name}`)])));
    expect(await it.run()).toMatchObject({ added: 30 });
    expect(await it.run({ published: site.url })).toMatchObject({ added: 30, removed: 30 });
    expect(Object.keys(it.anchors())).toContain("docs/page-7.html");
  });
});

describe("a site that cannot be read", () => {
  test("leaves the addresses of the last run that could", async () => {
    using it = await openPublishedSource();
    it.write(FILES);
    const address = await (async () => {
      await using site = startPublished();
      await it.run({ published: site.url });
      return site.url;
    })();
    const { published, unchanged, links } = await it.run();
    expect(published).toMatchObject({ address: `${address}/`, pages: 2, found: 0, kept: 2 });
    expect(published?.why).toContain("cannot be reached");
    expect([unchanged, links]).toEqual([2, undefined]);
    expect(it.anchors()).toEqual(AS_PUBLISHED);
  });

  test("that was never read leaves what the source tells, and the run says why", async () => {
    await using site = startFakeSite({ "/": { status: 503 }, "/robots.txt": { status: 503 } });
    using it = await openPublishedSource({ privateHosts: [] });
    it.write(FILES);
    const { published, added } = await it.run({ published: site.url });
    expect([added, published?.found, it.anchors()]).toEqual([2, 0, AS_WRITTEN]);
    expect(published?.why).toContain("private_hosts");
    expect(site.asked()).toEqual([]);
  });

  test("that is half built leaves what it does not have at the addresses that it had", async () => {
    await using site = startPublished();
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    const { "/palette/colors.html": colors = "", ...others } = site.pages;
    site.pages = { ...others, "/sitemap.xml": sitemapOf([`${site.url}/start`]) };
    expect(await it.run()).toMatchObject({ unchanged: 2, published: { found: 1, kept: 1 } });
    expect(it.anchors()).toEqual(AS_PUBLISHED);
    // Where the page is found again, it is there that it stands.
    site.pages["/moved/colors"] = colors;
    site.pages["/sitemap.xml"] = sitemapOf([`${site.url}/start`, `${site.url}/moved/colors`]);
    expect(await it.run()).toMatchObject({ published: { found: 2, kept: 0 } });
    expect(Object.keys(it.anchors())).toEqual(["moved/colors", "start"]);
  });

  test("whose pages are empty for now leaves their ids as the source tells them", async () => {
    await using site = startPublished({ ...PUBLISHED, "/start": page("Loading", {}) });
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    expect(it.anchors()["start"]).toEqual(AS_WRITTEN["start"]);
  });

  test("is not asked while Docent is sealed", async () => {
    await using site = startPublished();
    using it = await openPublishedSource({ seal: createSeal([]) });
    it.write(FILES);
    const error = await appErrorOf(() => it.add(site.url));
    expect([error.code, error.message]).toEqual(["forbidden", expect.stringContaining("sealed")]);
    const source = await it.add();
    await it.it.storage.sources.change(source.id, { options: { published: site.url } });
    expect((await it.run()).published?.why).toContain("sealed");
    expect([it.anchors(), site.asked()]).toEqual([AS_WRITTEN, []]);
  });
});

describe("a hostile site", () => {
  test("that lists other hosts, and leads to them, is asked alone", async () => {
    await using other = startFakeSite({ "/start": PUBLISHED["/start"], "/x": PUBLISHED["/start"] });
    await using site = startPublished();
    site.pages["/sitemap.xml"] = sitemapOf([`${other.url}/start`, `${site.url}/start`]);
    site.pages["/start"] = { status: 302, headers: { location: `${other.url}/x` } };
    using it = await openPublishedSource();
    it.write(FILES);
    expect((await it.run({ published: site.url })).published).toMatchObject({ found: 0 });
    expect([it.anchors(), other.asked()]).toEqual([AS_WRITTEN, []]);
  });

  test("whose sitemap leads on without end is read within bounds", async () => {
    await using site = startPublished();
    const onward = (number: number) =>
      sitemapOf([`${site.url}/maps/${number}.xml`, `${site.url}/maps/${number}-b.xml`], "sitemapindex");
    site.pages["/sitemap.xml"] = onward(0);
    for (let number = 0; number < 200; number++) site.pages[`/maps/${number}.xml`] = onward(number + 1);
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    expect(site.requests.length).toBeLessThan(20);
    // Nothing is listed in them, so that the addresses are asked for that the source tells.
    expect(it.anchors()).toEqual({ colors: AS_WRITTEN.colors, start: AS_PUBLISHED.start });
  });

  test("with more pages than a source may have is read no further, and what was read counts", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `/z${index}`);
    await using site = startPublished({
      ...PUBLISHED,
      ...Object.fromEntries(many.map((path) => [path, page(path, {})])),
    });
    using it = await openPublishedSource({ pagesMax: 10 });
    it.write(FILES);
    const { published } = await it.run({ published: site.url });
    expect([published?.found, published?.why]).toEqual([2, expect.stringContaining("more than 10 pages")]);
    expect(it.anchors()).toEqual(AS_PUBLISHED);
    expect(site.asked().length).toBeLessThan(15);
  });

  test("that lists a page by a query has none of the source's there", async () => {
    await using site = startPublished({ "/start?x=1": PUBLISHED["/start"] });
    using it = await openPublishedSource();
    it.write(FILES);
    expect((await it.run({ published: site.url })).published).toMatchObject({ found: 0 });
    expect(it.anchors()).toEqual(AS_WRITTEN);
  });

  test("with a page of any size, or that is no text, has no such page", async () => {
    await using site = startPublished({
      "/start": page("Start", { "Install it": "x-install" }, "x".repeat(2_000_000)),
      "/palette/colors.html": { headers: { "content-type": "text/html" }, body: new Uint8Array(500).fill(0) },
    });
    using it = await openPublishedSource();
    it.write(FILES);
    expect((await it.run({ published: site.url })).published).toMatchObject({ found: 0 });
    expect(it.anchors()).toEqual(AS_WRITTEN);
  });

  test("whose ids are script, or end what they stand in, has no such id", async () => {
    await using site = startPublished({
      "/start": page("Start", {
        "Install it": "a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
        "Run it": "x} ](javascript:alert(1)) {#y",
      }),
    });
    using it = await openPublishedSource();
    it.write(FILES);
    await it.run({ published: site.url });
    expect(it.anchors()["start"]).toEqual(["top-of-it", "", ""]);
    expect((await it.it.page("start")).join()).not.toMatch(/script|alert/);
  });

  test("is found fault with when it is named: no address, a password in it, a website that is read itself", async () => {
    using it = await openPublishedSource();
    const source = await it.add();
    for (const address of [
      "docs",
      "ftp://a.example/",
      "file:///etc",
      "https://a.example/?x=1",
      "https://a\nb/",
    ])
      expect((await appErrorOf(() => it.runs.publish(source, address))).code).toBe("invalid_request");
    const secret = await appErrorOf(() => it.runs.publish(source, "https://a:b@docs.example.com/"));
    expect([secret.code, secret.message]).toEqual(["invalid_request", expect.stringContaining("password")]);
    const website = { ...source, kind: "website", location: "https://docs.example.com/" } as const;
    expect((await appErrorOf(() => it.runs.publish(website, "https://docs.example.com/"))).code).toBe(
      "invalid_request",
    );
  });
});
