import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages, readPages } from "../helpers/public-site.ts";
import { hrefs, select } from "../helpers/select-html.ts";

const PAGES = {
  "index.md": "# Start\n\n[Install](guide/install.md)",
  "guide/index.md": "---\nnav_order: 1\n---\n\n# The guide\n\nThe guide.",
  "guide/install.md":
    "---\nsidebar_position: 1\n---\n\n# Install\n\n## On Linux\n\nText.\n\n### With a package\n\nText.\n\n## On macOS\n\nText.",
  "guide/configure.md": "---\nsidebar_position: 2\nsidebar_label: Settings\n---\n\n# Configure\n\nText.",
  "reference/errors.md":
    "# Errors\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a;\n```\n\n![A plan](plan.png)",
};

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ docs: null, settings: { base_path: "/docs" } });
  await addSiteWithPages(docent, "open", PAGES);
  await addSiteWithPages(docent, "large", largeSite());
  await docent.app.parts.people.sites.add({ domain: "empty", settings: { public: true } });
  await addVersions();
});
afterAll(() => docent.close());

/** More pages than a menu holds: 40 folders of 20, and one of 700. */
function largeSite(): Record<string, string> {
  const folders = Array.from({ length: 40 }, (_, folder) =>
    Array.from({ length: 20 }, (_, page) => [
      `part-${folder}/page-${page}.md`,
      `# Page ${page} of ${folder}\n\nText.`,
    ]),
  );
  const flat = Array.from({ length: 700 }, (_, index) => [
    `flat/item-${index}.md`,
    `# Item ${index}\n\nText.`,
  ]);
  return Object.fromEntries([...folders.flat(), ...flat]);
}

async function addVersions(): Promise<void> {
  const { people, sources } = docent.app.parts;
  const { id } = await people.sites.add({
    domain: "many",
    name: "Many",
    settings: { public: true, defaultVersion: "2.0", defaultLanguage: "en" },
  });
  const add = async (version: string, language: string, files: Record<string, string>) => {
    const { generation } = await people.sites.get("many");
    const source = {
      siteId: id,
      kind: "demo",
      location: `${version} ${language}`,
      version,
      language,
    } as const;
    const signal = new AbortController().signal;
    await sources.ingest.run({ source, reader: createEmbeddedReader(files), generation, signal });
  };
  await add("1.0", "en", {
    "index.md": "# Old start\n\nText.",
    "old.md": "# Old\n\nOnly [there](index.md).",
  });
  await add("2.0", "en", { "index.md": "# New start\n\nText.", "new.md": "# New\n\nText." });
  await add("2.0", "ar", { "index.md": "# بداية\n\nنص." });
}

const get = (path: string) => fetch(`${docent.url}/sites/${path}`);
const read = async (path: string) => (await get(path)).text();
const texts = async (html: string, selector: string) =>
  (await select(html, selector)).map(({ text }) => text);

describe("the menu", () => {
  test("has every page in order, in folders that open without a script, and marks where one is", async () => {
    const html = await read("open/guide/install");
    expect(await texts(html, ".tree a, .tree summary")).toEqual([
      "Start",
      "The guide",
      "Overview",
      "Install",
      "Settings",
      "Reference",
      "Errors",
    ]);
    expect(await hrefs(html, ".tree a")).toEqual([
      "/docs/sites/open/",
      "/docs/sites/open/guide",
      "/docs/sites/open/guide/install",
      "/docs/sites/open/guide/configure",
      "/docs/sites/open/reference/errors",
    ]);
    expect(await texts(html, '.tree [aria-current="page"]')).toEqual(["Install"]);
  });

  test("calls a folder's own page by its title where a page below is called Overview", async () => {
    await addSiteWithPages(docent, "twice", {
      "docs/index.md": "# Manual\n\nText.",
      "docs/overview.md": "# Overview\n\nText.",
    });
    const shown = await texts(await read("twice/docs"), ".tree a, .tree summary");
    expect(shown).toEqual(["Manual", "Manual", "Overview"]);
  });

  test("follows the index: what was ingested is there at the next page, what is gone is not", async () => {
    await addSiteWithPages(docent, "moving", { "a.md": "# A\n\nText.", "b.md": "# B\n\nText." });
    expect(await texts(await read("moving/a"), ".tree a")).toEqual(["A", "B"]);
    await readPages(docent, "moving", {
      "a.md": "# A\n\nText.",
      "c.md": "---\nnav_order: 1\n---\n\n# C\n\nText.",
    });
    expect(await texts(await read("moving/a"), ".tree a")).toEqual(["C", "A"]);
  });

  test("is bounded in a large site: what is open, and ways into the rest", async () => {
    const html = await read("large/part-7/page-3");
    expect(await select(html, ".tree details[open]")).toHaveLength(1);
    expect(await select(html, ".tree details")).toHaveLength(1);
    expect(await hrefs(html, ".tree a.folder")).toContain("/docs/sites/large/part-8");
    expect((await select(html, ".tree a")).length).toBe(40 + 20);
  });

  test("shows the neighbourhood of a page in a folder that is too full, and leads to its list", async () => {
    const html = await read("large/flat/item-400");
    const entries = await texts(html, ".tree details a");
    expect(entries.length).toBe(151);
    expect(entries).toContain("Item 400");
    expect(entries.indexOf("Item 400")).toBeGreaterThan(50);
    const [more = ""] = await hrefs(html, ".tree a.more");
    const list = await (await fetch(new URL(more, docent.url))).text();
    expect((await select(list, ".contents a")).length).toBe(500);
    const [rest = ""] = await hrefs(list, "main a.more");
    const second = await (await fetch(new URL(rest, docent.url))).text();
    expect((await texts(second, ".contents a")).at(-1)).toBe("Item 699");
    expect(await select(second, "main a.more")).toEqual([]);
  });
});

describe("a page", () => {
  test("says where it is, what is on it, and what comes before and behind", async () => {
    const html = await read("open/guide/install");
    expect(await texts(html, ".crumbs a")).toEqual(["The guide"]);
    expect(await texts(html, "nav.outline a")).toEqual(["On Linux", "With a package", "On macOS"]);
    expect(await texts(html, "nav.outline li.inner a")).toEqual(["With a package"]);
    expect(await hrefs(html, "a.prev, a.next")).toEqual([
      "/docs/sites/open/guide",
      "/docs/sites/open/guide/configure",
    ]);
    expect(await texts(html, "title")).toEqual(["Install · Open"]);
  });

  test("has landmarks, one main heading, and a way past the menu", async () => {
    const html = await read("open/guide/install");
    for (const selector of ["header", "main", "h1", 'form[role="search"]', 'nav[aria-label="Pages"]'])
      expect(await select(html, selector), selector).toHaveLength(1);
    const [skip] = await select(html, "a");
    const target = skip?.attributes["href"]?.slice(1) ?? "";
    expect((await select(html, "main"))[0]?.attributes["id"]).toBe(target);
    const ids = (await select(html, "[id]")).map(({ attributes }) => attributes["id"]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("lets what is wide be scrolled by keyboard, links its headings, and says pictures in words", async () => {
    const html = await read("open/reference/errors");
    expect((await select(html, '.table[tabindex="0"] table, pre[tabindex="0"] code')).length).toBe(2);
    expect(await select(html, "article img")).toEqual([]);
    expect(await texts(html, "article .picture")).toEqual(["A plan"]);
    expect(await hrefs(await read("open/guide/install"), "article a.heading-link")).toEqual([
      "#on-linux",
      "#with-a-package",
      "#on-macos",
    ]);
  });

  test("is in the colours that its address names, and so are those it links to", async () => {
    const html = await read("open/?theme=dark");
    expect((await select(html, "html"))[0]?.attributes["data-theme"]).toBe("dark");
    for (const href of await hrefs(html, ".tree a, article p a, a.next, .name"))
      expect(href).toEndWith("?theme=dark");
    const themes = await select(html, ".top a[data-set-theme]");
    expect(themes.map(({ attributes }) => attributes["href"])).toEqual(["?", "?theme=light", "?theme=dark"]);
    expect(themes.map(({ attributes }) => attributes["aria-current"])).toEqual([
      undefined,
      undefined,
      "true",
    ]);
    expect((await select(await read("open/"), "html"))[0]?.attributes["data-theme"]).toBeUndefined();
  });
});

describe("a link to a file that is no page", () => {
  const page =
    "# Files\n\n[PDF](../files/a%20b.pdf#page=2) [Code](x.yml) [Page](api/node.js.md) [Old](gone.md)";
  const links = async (domain: string, url: string) => {
    const pages = { "guide/files.md": page, "guide/api/node.js.md": "# Node\n\nText." };
    await addSiteWithPages(docent, domain, pages, { url });
    return hrefs(await read(`${domain}/guide/files`), "article p a");
  };

  test("leads to where the site is published", async () => {
    expect(await links("published", "https://docs.acme.example")).toEqual([
      "https://docs.acme.example/files/a%20b.pdf#page=2",
      "https://docs.acme.example/guide/x.yml",
      "/docs/sites/published/guide/api/node.js",
      "/docs/sites/published/guide/gone",
    ]);
  });

  test("is its words where the site is published nowhere", async () => {
    expect(await links("unpublished", "")).toEqual([
      "/docs/sites/unpublished/guide/api/node.js",
      "/docs/sites/unpublished/guide/gone",
    ]);
    expect((await texts(await read("unpublished/guide/files"), "article p"))[0]).toBe("PDF Code Page Old");
  });
});

describe("a link from the site's root to a page that Docent does not have", () => {
  const page = `# Links

[Absolute](https://docs.acme.example/v2/other/it?a=1#part) [Rooted](/v2/tools/it.html) [Out](/else)

[Page](/v2/GUIDE/links) [Folder](https://docs.acme.example/v2/guide/)`;
  const links = async (domain: string, url: string) => {
    await addSiteWithPages(docent, domain, { "guide/links.md": page }, { url });
    return hrefs(await read(`${domain}/guide/links`), "article p a");
  };

  test("leads to where the site is published, whose other pages may be of another source", async () => {
    expect(await links("part", "https://docs.acme.example/v2/")).toEqual([
      "https://docs.acme.example/v2/other/it?a=1#part",
      "https://docs.acme.example/v2/tools/it.html",
      "https://docs.acme.example/v2/else",
      "/docs/sites/part/guide/links",
      "/docs/sites/part/guide",
    ]);
  });

  test("stays on the reader site where that is the only one", async () => {
    expect((await links("only", "")).slice(1)).toEqual([
      "/docs/sites/only/v2/tools/it",
      "/docs/sites/only/else",
      "/docs/sites/only/v2/GUIDE/links",
      "https://docs.acme.example/v2/guide/",
    ]);
  });
});

describe("what has no page", () => {
  test("a folder is a list of what is in it", async () => {
    const reply = await get("open/reference");
    expect(reply.status).toBe(200);
    const html = await reply.text();
    expect(await texts(html, "h1")).toEqual(["Reference"]);
    expect(await hrefs(html, ".contents a")).toEqual(["/docs/sites/open/reference/errors"]);
  });

  test("a site without a first page begins with cards of what is in it, and an empty one says that it is", async () => {
    expect((await texts(await read("large/"), ".cards a")).length).toBe(41);
    const empty = await get("empty/");
    expect(empty.status).toBe(200);
    expect(await texts(await empty.text(), "main .nothing")).toEqual(["There are no pages here yet."]);
  });

  test("anything else is not there, and says where to look", async () => {
    const reply = await get("open/guide/nothing");
    expect(reply.status).toBe(404);
    const html = await reply.text();
    expect((await select(html, ".tree a")).length).toBeGreaterThan(3);
    expect(await select(html, '[aria-current="page"]')).toEqual([]);
    expect(await select(html, "form.search")).toHaveLength(1);
  });

  test("a page that has moved is offered where it is now", async () => {
    const reply = await get("open/setup/INSTALL.html?theme=dark");
    expect(reply.status).toBe(404);
    expect((await hrefs(await reply.text(), "main .contents a"))[0]).toBe(
      "/docs/sites/open/guide/install?theme=dark",
    );
    expect((await texts(await read("open/setup/install"), "main .contents .pages"))[0]).toBe("guide/install");
  });

  test("an address that is written wrong has the nearest pages; one like nothing has none", async () => {
    expect((await hrefs(await read("open/guide/confgure"), "main .contents a"))[0]).toBe(
      "/docs/sites/open/guide/configure",
    );
    expect(await select(await read("open/zzzz"), "main .contents")).toEqual([]);
  });

  for (const list of ["-1", "1.5", "x", "1e400", "99999999999999999999"])
    test(`a list from ${list} on is one from its beginning`, async () => {
      const html = await read(`large/?list=${list}`);
      expect((await select(html, ".contents a")).length).toBe(41);
    });

  test("a list from behind its end is empty", async () => {
    expect(await select(await read("large/?list=5000"), ".contents a")).toEqual([]);
  });
});

describe("versions and languages", () => {
  test("are offered as links to the same page, or to the first one where it is not there", async () => {
    const html = await read("many/new");
    expect(await texts(html, ".top .choice summary")).toEqual(["2.0", "English"]);
    expect(await texts(html, ".top .choice a")).toEqual(["2.0", "1.0", "العربية", "English"]);
    expect(await hrefs(html, ".top .choice a")).toEqual([
      "/docs/sites/many/new",
      "/docs/sites/many/?version=1.0",
      "/docs/sites/many/?language=ar",
      "/docs/sites/many/new",
    ]);
    expect(await texts(html, '.top .choice [aria-current="true"]')).toEqual(["2.0", "English"]);
  });

  test("what was chosen is kept by every link, and the menu has that version alone", async () => {
    const html = await read("many/old?version=1.0");
    expect(await texts(html, ".tree a")).toEqual(["Old start", "Old"]);
    for (const href of await hrefs(html, ".tree a, article p a, a.prev"))
      expect(href).toEndWith("?version=1.0");
    expect(await texts(await read("many/"), ".tree a")).toEqual(["New start", "New"]);
  });

  test("a page that only another version has shows itself as of that one", async () => {
    const html = await read("many/old");
    expect(await texts(html, ".top .choice summary")).toEqual(["1.0", "English"]);
    expect(await texts(html, ".tree a")).toEqual(["Old start", "Old"]);
  });

  test("a page is in its language, written its way, and the reader speaks it where it can", async () => {
    const [arabic] = await select(await read("many/?language=ar"), "html");
    expect(arabic?.attributes).toMatchObject({ lang: "ar", dir: "rtl" });
    const { people } = docent.app.parts;
    await people.sites.set("open", { settings: { language: "de" } });
    const german = await read("open/guide/install");
    expect((await select(german, "html"))[0]?.attributes).toMatchObject({ lang: "de", dir: "ltr" });
    expect(await texts(german, "nav.outline h2")).toEqual(["Auf dieser Seite"]);
    await people.sites.set("open", { settings: { language: "en" } });
  });

  test("a site of one version offers none", async () => {
    expect(await select(await read("open/"), ".choice")).toEqual([]);
  });
});

describe("the first page", () => {
  const SECTIONS = {
    "api-reference/index.md": "---\ndescription: Every operation.\n---\n# Operations\n\nText.",
    "faqs/one.md": "# One & more\n\nText.",
    "faqs/two.md": "# Two\n\nText.",
    "plain.md": "# Plain\n\n## Part\n\nIts *first* [paragraph](faqs/one.md).\n\nThe second.",
  };
  const cards = async (path: string) => texts(await read(path), ".cards li");

  test("of a site without one has a card for each section, with what it is about", async () => {
    await addSiteWithPages(docent, "sections", SECTIONS);
    expect(await cards("sections/")).toEqual([
      "FAQsOne & more · Two",
      "OperationsEvery operation.",
      "PlainIts first paragraph.",
    ]);
    expect(await hrefs(await read("sections/"), ".cards a")).toEqual([
      "/docs/sites/sections/faqs",
      "/docs/sites/sections/api-reference",
      "/docs/sites/sections/plain",
    ]);
  });

  test("that says next to nothing has them below it, and one that says enough has not", async () => {
    await addSiteWithPages(docent, "thin", { "index.md": "---\ntitle: Acme\n---\n\nHello.", ...SECTIONS });
    expect(await cards("thin/")).toHaveLength(3);
    expect(await cards("thin/plain")).toEqual([]);
    const long = `# Acme\n\n${"Words that say what it is. ".repeat(20)}`;
    await addSiteWithPages(docent, "full", { "index.md": long, ...SECTIONS });
    expect(await cards("full/")).toEqual([]);
  });
});
