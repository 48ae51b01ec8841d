import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sitemapText } from "../../src/doors/public-site/sitemap.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

const PAGES = {
  "index.md": "# Start",
  "a&b c.md": "# A & B",
  "guide/deep.md": "# Deep",
  "hidden.md": "---\nhidden: true\n---\n\n# Hidden",
};

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ settings: { public_url: "https://docent.example" } });
  await addSiteWithPages(docent, "open", PAGES);
  await addSiteWithPages(docent, "published", PAGES, { url: "https://docs.example.com/v1" });
  await addSiteWithPages(docent, "closed", PAGES, { isPublic: false });
  await docent.app.parts.people.sites.set("open", { hostNames: ["open.example"] });
  await docent.app.parts.people.sites.set("closed", { hostNames: ["closed.example"] });
});
afterAll(() => docent.close());

const ask = (path: string, host = "docent.example", method = "GET") =>
  fetch(docent.url + path, { method, headers: { host } });
const read = async (path: string, host?: string) => {
  const reply = await ask(path, host);
  return { status: reply.status, type: reply.headers.get("content-type"), text: await reply.text() };
};
const locationsIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location]) => location);

describe("sitemap.xml", () => {
  test("lists the pages at the reader's addresses, with when each last changed", async () => {
    const { status, type, text } = await read("/sites/open/sitemap.xml");
    expect([status, type]).toEqual([200, "application/xml; charset=utf-8"]);
    const root = "https://docent.example/sites/open/";
    expect(locationsIn(text)).toEqual([root, `${root}a%26b%20c`, `${root}guide/deep`]);
    expect(text.match(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/g)).toHaveLength(3);
    expect(text).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<urlset ');
  });

  test("lists them where the site is published, if it is elsewhere", async () => {
    const root = "https://docs.example.com/v1/";
    const { text } = await read("/sites/published/sitemap.xml");
    expect(locationsIn(text)).toEqual([root, `${root}a%26b%20c`, `${root}guide/deep`]);
  });

  test("is at the root of a site's own host name, with addresses of that host that lead to its pages", async () => {
    const { text } = await read("/sitemap.xml", "open.example");
    const root = "https://open.example/sites/open/";
    expect(locationsIn(text)).toEqual([root, `${root}a%26b%20c`, `${root}guide/deep`]);
    for (const location of locationsIn(text)) {
      const reply = await ask(new URL(location ?? "").pathname, "open.example");
      expect([location, reply.status, reply.headers.get("x-robots-tag")]).toEqual([location, 200, null]);
    }
  });

  test("is known again, and has a head alone where that is asked", async () => {
    const reply = await ask("/sites/open/sitemap.xml");
    const headers = { "if-none-match": reply.headers.get("etag") ?? "" };
    expect((await fetch(`${docent.url}/sites/open/sitemap.xml`, { headers })).status).toBe(304);
    const head = await ask("/sites/open/sitemap.xml", "docent.example", "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("is an index of parts where it would be larger than one file may be", async () => {
    const { content, people } = docent.app.parts;
    const site = await people.sites.get("open");
    const generation = await content.pages.visibleGeneration(site.id);
    const root = "https://docent.example/sites/open/";
    const textOf = (number: number, bounds: { addresses: number; bytes: number }) =>
      sitemapText(
        { audience: "everything", pages: content.pages, site, generation, root, bounds, readerRoot: root },
        number,
      );
    for (const bounds of [
      { addresses: 2, bytes: 1_000_000 },
      { addresses: 1000, bytes: 500 },
    ]) {
      const index = (await textOf(0, bounds)) ?? "";
      expect(index).toContain("<sitemapindex ");
      expect(locationsIn(index)).toEqual([`${root}sitemap-1.xml`, `${root}sitemap-2.xml`]);
      const parts = await Promise.all([1, 2].map((number) => textOf(number, bounds)));
      expect(parts.flatMap((part) => locationsIn(part ?? ""))).toHaveLength(3);
      for (const part of parts) expect(part?.length).toBeLessThan(bounds.bytes);
      expect(await textOf(3, bounds)).toBeUndefined();
    }
    expect(await textOf(1, { addresses: 50_000, bytes: 50_000_000 })).toBeUndefined();
  });
});

test("robots.txt names the sitemap beside it", async () => {
  expect(await read("/robots.txt", "open.example")).toEqual({
    status: 200,
    type: "text/plain; charset=utf-8",
    text: "User-agent: *\nAllow: /\n\nSitemap: https://open.example/sitemap.xml\n",
  });
  expect((await read("/sites/open/robots.txt")).text).toContain(
    "Sitemap: https://docent.example/sites/open/sitemap.xml\n",
  );
});

test("a site that is not public has neither: the answer is that of a missing one", async () => {
  for (const name of ["robots.txt", "sitemap.xml", "sitemap-1.xml"]) {
    const missing = await read(`/sites/none/${name}`);
    expect(missing.status).toBe(404);
    expect(await read(`/sites/closed/${name}`)).toEqual(missing);
    expect((await read(`/${name}`, "closed.example")).status).toBe(404);
    expect((await read(`/${name}`)).status).toBe(404);
  }
});

test("search engines are told of the one address at which a page is published, and of no other", async () => {
  const tagAt = async (path: string) => (await ask(path)).headers.get("x-robots-tag");
  expect(await tagAt("/sites/open/guide/deep")).toBeNull();
  for (const path of [
    "/sites/open/guide/deep?theme=dark",
    "/sites/open/guide/deep.md",
    "/sites/open/?q=deep",
    "/sites/open/none",
    "/sites/published/guide/deep",
    "/sites/closed/guide/deep",
  ])
    expect([path, await tagAt(path)]).toEqual([path, "noindex"]);
});
