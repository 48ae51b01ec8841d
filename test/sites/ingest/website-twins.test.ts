import { describe, expect, test } from "bun:test";
import { htmlPage, sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { runReader, websiteReader } from "../../helpers/read-site.ts";

const markdown = (title: string, type = "text/markdown; charset=utf-8") => ({
  headers: { "content-type": type },
  body: `# ${title}\n\nAs Markdown.`,
});
const names = ["a", "b", "c", "d", "e", "f"];
const home = htmlPage(
  "Home",
  names.map((name) => `/${name}`),
);
const formats = (run: { items: Record<string, { format: string }> }) =>
  Object.entries(run.items).map(([path, { format }]) => `${path}: ${format}`);

describe("a page's Markdown twin is taken instead of its HTML", () => {
  const shapes: [string, (name: string) => string][] = [
    ["beside it", (name) => `/${name}.md`],
    ["inside its folder", (name) => `/${name}/index.md`],
    ["with its whole name", (name) => `/${name}/index.html.md`],
  ];
  for (const [where, place] of shapes) {
    test(`where it is ${where}`, async () => {
      await using site = startFakeSite({ "/": home });
      for (const name of names) {
        site.pages[`/${name}`] = htmlPage(name);
        site.pages[place(name)] = markdown(name);
      }
      const run = await runReader(websiteReader(site));
      expect(formats(run)).toEqual([": html", ...names.map((name) => `${name}: md`)]);
      expect(run.items["a"]?.location).toBe(`${site.url}/a`);
      expect(run.texts["a"]).toBe("# a\n\nAs Markdown.");
    });
  }

  test("where the page links to it", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a"], '<link rel="alternate" type="text/markdown" href="/raw/home.txt">'),
      "/raw/home.txt": markdown("Home", "text/plain"),
      "/a": htmlPage(
        "A",
        [],
        '<link rel="alternate" type="text/markdown" href="https://elsewhere.test/a.md">',
      ),
    });
    const run = await runReader(websiteReader(site));
    expect(formats(run)).toEqual([": md", "a: html"]);
  });

  test("where the server gives it to whoever prefers it", async () => {
    const either = (name: string) => (request: Request) =>
      request.headers.get("accept")?.startsWith("text/markdown") === true
        ? markdown(name)
        : htmlPage(name, ["/a"]);
    await using site = startFakeSite({ "/": either("Home"), "/a": either("a") });
    expect(formats(await runReader(websiteReader(site)))).toEqual([": md", "a: md"]);
  });

  test("in sitemap mode too, and the pages that it links to itself are not pages of their own", async () => {
    await using site = startFakeSite({ "/a": htmlPage("A", ["/a.md"]), "/a.md": markdown("A") });
    expect(formats(await runReader(websiteReader(site, { start: `${site.url}/a` })))).toEqual(["a: md"]);
    site.pages["/sitemap.xml"] = sitemapOf([`${site.url}/a`]);
    expect(formats(await runReader(websiteReader(site)))).toEqual(["a: md"]);
  });

  test("and an unchanged page costs one request without a body, not two", async () => {
    await using site = startFakeSite({
      "/": { headers: { "content-type": "text/html", etag: '"1"' }, body: htmlPage("Home") },
      "/index.md": markdown("Home"),
    });
    const first = await runReader(websiteReader(site));
    expect(formats(first)).toEqual([": md"]);
    site.asked();
    const second = await runReader(websiteReader(site), first.memory);
    expect(formats(second)).toEqual([": md"]);
    expect(second.texts).toEqual({});
    expect(site.asked().filter((path) => !/robots|sitemap/.test(path))).toEqual(["/"]);
  });
});

describe("what is no twin is not taken for one", () => {
  test("a page that says with status 200 that it is not there", async () => {
    await using site = startFakeSite({ "/": home });
    for (const name of names) {
      site.pages[`/${name}`] = htmlPage(name);
      site.pages[`/${name}.md`] = htmlPage("Not found");
      site.pages[`/${name}/index.md`] = {
        ...markdown("x"),
        body: "<!-- x -->\n<!DOCTYPE html><html>Not found</html>",
      };
    }
    expect(formats(await runReader(websiteReader(site)))).toEqual([
      ": html",
      ...names.map((name) => `${name}: html`),
    ]);
  });

  test("Markdown that the site has for every address", async () => {
    const pages: Record<string, string> = {
      "/": home,
      ...Object.fromEntries(names.map((name) => [`/${name}`, htmlPage(name)])),
    };
    await using site = startFakeSite({});
    site.pages = new Proxy<Record<string, ReturnType<typeof markdown> | string>>(pages, {
      get: (all, path) =>
        all[String(path)] ?? (String(path).endsWith(".md") ? markdown("Not found") : undefined),
    });
    expect(formats(await runReader(websiteReader(site)))).toEqual([
      ": html",
      ...names.map((name) => `${name}: html`),
    ]);
  });

  test("a redirect to the page itself, or an empty file", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a"]),
      "/a": htmlPage("A"),
      "/index.md": { status: 302, headers: { location: "/" } },
      "/a.md": { ...markdown("A"), body: "" },
    });
    expect(formats(await runReader(websiteReader(site)))).toEqual([": html", "a: html"]);
  });

  test("and a site that has none is soon no longer asked", async () => {
    await using site = startFakeSite({
      "/": home,
      ...Object.fromEntries(names.map((name) => [`/${name}`, htmlPage(name)])),
    });
    await runReader(websiteReader(site));
    const asked = site.asked().filter((path) => path.endsWith(".md"));
    expect(asked).toHaveLength(9);
    expect(asked.some((path) => path.includes("/f"))).toBe(false);
  });
});
