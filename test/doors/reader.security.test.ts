import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { hrefs, select } from "../helpers/select-html.ts";

// What docs, names and addresses may say without it ever being more than text; and what a page may do.

const ATTACK = `"'><script>alert(1)</script><img src=x onerror=alert(2)>{{7*7}}`;
const VERSION = `1"><script>alert(3)</script>`;

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ docs: null });
  const { people, sources } = docent.app.parts;
  await addSiteWithPages(docent, "open", {
    "index.md":
      "# Start\n\nHello [next](guide/evil.md). <script>alert(1)</script>\n\n[x](javascript:alert(1))",
    "guide/evil.md": `---\ntitle: ${JSON.stringify(ATTACK)}\ndescription: ${JSON.stringify(ATTACK)}\nsidebar_label: ${JSON.stringify(ATTACK)}\n---\n\n## ${ATTACK}\n\nWords ${ATTACK}\n\n\`\`\`js\n${ATTACK}\n\`\`\`\n\n![${ATTACK}](https://elsewhere.example/x.png "${ATTACK}")`,
    [`folder ${ATTACK.replaceAll("/", "")}/page.md`]: "# Page\n\nIn an odd folder.",
    "hidden.md": "---\nhidden: true\n---\n\n# Hidden title\n\nSecret plugh.",
    "secret/hidden.md": "---\nhidden: true\n---\n\n# Hidden below\n\nSecret xyzzy.",
  });
  await addSiteWithPages(
    docent,
    "closed",
    { "index.md": "# Closed\n\nSecret of the closed site: frobnicate." },
    { isPublic: false },
  );
  const named = await people.sites.add({ domain: "named", name: ATTACK, settings: { public: true } });
  await sources.ingest.run({
    source: { siteId: named.id, kind: "demo", location: "a", version: VERSION, language: 'xx"><script>' },
    reader: createEmbeddedReader({ "index.md": "# One\n\nText." }),
    generation: 0,
    signal: new AbortController().signal,
  });
  await sources.ingest.run({
    source: { siteId: named.id, kind: "demo", location: "b", version: "2", language: "de" },
    reader: createEmbeddedReader({ "index.md": "# Two\n\nText." }),
    generation: 1,
    signal: new AbortController().signal,
  });
});
afterAll(() => docent.close());

const get = (path: string) => fetch(`${docent.url}${path}`, { redirect: "manual" });
const read = async (path: string) => (await get(path)).text();

const nonceOf = (reply: Response) =>
  /'nonce-([^']+)'/.exec(reply.headers.get("content-security-policy") ?? "")?.[1] ?? "";

describe("a page of the reader", () => {
  test("may do what its policy says, and no more", async () => {
    const reply = await get("/sites/open/");
    const nonce = nonceOf(reply);
    expect(reply.headers.get("content-security-policy")).toBe(
      [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        `connect-src 'self' ${docent.url}`,
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "sandbox allow-scripts allow-forms allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox",
      ].join("; "),
    );
    for (const [name, value] of [
      ["x-content-type-options", "nosniff"],
      ["x-frame-options", "DENY"],
      ["referrer-policy", "no-referrer"],
      ["x-robots-tag", null],
      ["set-cookie", null],
      ["access-control-allow-origin", null],
    ] as const)
      expect(reply.headers.get(name), name).toBe(value);
  });

  test("names the address that it was asked at, as WebKit needs it, but nothing that would be a rule of its own", async () => {
    const connects = async (host: string) => {
      const reply = await fetch(`${docent.url}/sites/open/`, { headers: { host } });
      return /connect-src ([^;]*)/.exec(reply.headers.get("content-security-policy") ?? "")?.[1];
    };
    expect(await connects("docs.acme.example:8443")).toBe(
      `'self' ${docent.url} http://docs.acme.example:8443`,
    );
    expect(await connects("x;script-src")).toBe(`'self' ${docent.url}`);
  });

  test("has another number each time, of at least 128 bits", async () => {
    const numbers = await Promise.all([1, 2, 3].map(async () => nonceOf(await get("/sites/open/"))));
    expect(new Set(numbers).size).toBe(3);
    for (const each of numbers) expect(each).toMatch(/^[0-9A-Z]{26}$/);
  });

  const PAGES = [
    "/sites/open/",
    "/sites/open/guide/evil",
    "/sites/open/guide",
    "/sites/open/?list=0",
    `/sites/open/?q=${encodeURIComponent(ATTACK)}`,
    `/sites/open/?version=${encodeURIComponent(ATTACK)}&language=${encodeURIComponent(ATTACK)}`,
    `/sites/open/?theme=${encodeURIComponent(ATTACK)}`,
    `/sites/open/${encodeURIComponent(ATTACK)}`,
    `/sites/open/?list=${encodeURIComponent(ATTACK)}`,
    `/sites/open/?x=${encodeURIComponent(ATTACK)}`,
    "/sites/named/",
    `/sites/named/?version=${encodeURIComponent(VERSION)}`,
    "/sites/named/?version=2",
  ];
  for (const path of PAGES)
    test(`holds no element and no attribute that somebody else wrote: ${path.slice(0, 60)}`, async () => {
      const reply = await get(path);
      const nonce = nonceOf(reply);
      const html = await reply.text();
      const all = await select(html, "*");
      const scripts = all.filter(({ tag }) => tag === "script");
      expect(scripts.length).toBeGreaterThan(0);
      for (const { attributes, text } of scripts) {
        expect(attributes["nonce"]).toBe(nonce);
        expect(attributes["src"]).toMatch(/^\/(?:widget\.js|assets\/reader-\w+\.js)$/);
        expect(text).toBe("");
      }
      const names = all.flatMap(({ attributes }) => Object.keys(attributes));
      expect(names.filter((name) => /^on|^style$|^srcdoc$/.test(name))).toEqual([]);
      expect(all.filter(({ tag }) => ["img", "iframe", "base", "object", "style"].includes(tag))).toEqual([]);
      for (const href of await hrefs(html, "a"))
        expect(href).toMatch(/^(?:\/sites\/|#|\?|https:\/\/elsewhere\.example\/)/);
    });

  test("says labels and folders as they were written", async () => {
    const html = await read("/sites/open/guide/evil");
    const menu = (await select(html, ".tree a, .tree summary")).map(({ text }) => text);
    expect(menu).toContain(ATTACK);
    expect(menu.some((text) => text.startsWith("Folder ") && text.includes("<script>"))).toBe(true);
  });

  test("says versions and languages as they are named", async () => {
    const html = await read("/sites/named/?version=2&language=de");
    const offered = (await select(html, ".top .choice a")).map(({ text }) => text);
    expect(offered).toContain(VERSION);
    const [first = ""] = (await hrefs(html, ".top .choice a")).filter((href) => href.includes("script"));
    expect(new URL(first, docent.url).searchParams.get("version")).toBe(VERSION);
  });
});

describe("what must not be shown", () => {
  const PLACES = [
    "/sites/open/",
    "/sites/open/guide/evil",
    "/sites/open/?q=secret+plugh+xyzzy+hidden",
    "/sites/open/search.json?q=plugh",
    "/sites/open/search.json?q=frobnicate",
    "/sites/open/?q=frobnicate",
    "/sites/open/nothing",
    "/sites/open/?list=0",
  ];
  for (const path of PLACES)
    test(`is not in ${path}: hidden pages, and those of other sites`, async () => {
      const text = await read(path);
      for (const secret of ["Hidden title", "Hidden below", "Secret", "open/hidden", "open/secret", "Closed"])
        expect(text).not.toContain(secret);
    });

  test("a folder of hidden pages alone is not there", async () => {
    expect((await get("/sites/open/secret")).status).toBe(404);
  });

  for (const path of [
    "",
    "?q=frobnicate",
    "search.json?q=frobnicate",
    "?list=0",
    "index.md",
    "llms.txt",
    "nothing",
  ])
    test(`/sites/closed/${path} is exactly what a site that is not there gives`, async () => {
      const about = async (domain: string) => {
        const reply = await get(`/sites/${domain}/${path}`);
        const headers = Object.fromEntries(reply.headers);
        for (const name of ["x-request-id", "date"]) delete headers[name];
        return { status: reply.status, headers, body: await reply.text() };
      };
      const closed = await about("closed");
      expect(closed).toEqual(await about("nobody"));
      expect(closed.status).toBe(404);
      expect(closed.headers["content-security-policy"]).not.toContain("allow-");
    });

  test("a signed link opens its page without a way to any other", async () => {
    const { people } = docent.app.parts;
    const query = people.readerLinks.query(await people.sites.get("closed"), { groups: [], path: "" });
    const html = await read(`/sites/closed/${query}`);
    expect(html).toContain("frobnicate");
    expect(await select(html, "nav.menu, form, .crumbs, .neighbours, [data-key]")).toEqual([]);
    for (const more of ["&q=frobnicate", "&list=0"])
      expect(await select(await read(`/sites/closed/${query}${more}`), ".results, .contents")).toEqual([]);
    expect((await get(`/sites/closed/search.json${query}&q=frobnicate`)).status).toBe(404);
  });

  test("what a reader invents as a version costs nothing and shows nothing", async () => {
    for (let index = 0; index < 200; index++) {
      const reply = await get(`/sites/named/?version=none-${index}`);
      expect(reply.status).toBe(200);
      expect(await select(await reply.text(), ".tree a")).toEqual([]);
    }
  });
});
