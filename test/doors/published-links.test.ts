import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { withFullLinks } from "../../src/doors/public-site/published-links.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages, readPages } from "../helpers/public-site.ts";

const URL_OF_SITE = "https://docs.open.example/en";
const PAGES = {
  "index.md": "# Start\n\n[Guide](guide/index.md)",
  "config.md": "# [Config](/guide/a%20b/) for all\n\nHello.",
  "guide/index.md": "# Guide\n\n[a](./a%20b.md#x) and [config](../config.md)",
  "guide/a b.md": "# A\n\nText.",
  "api/v1.2.md": "# API\n\nText.",
  "terms.md": "# Terms\n\nText.",
  "guide/hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nSecret.",
};

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
  await addSiteWithPages(docent, "open", PAGES, { url: URL_OF_SITE });
  await addSiteWithPages(docent, "bare", PAGES);
});
afterAll(() => docent.close());

const read = async (address: string) => (await fetch(address)).text();
const full = (domain: string) => read(`${docent.url}/sites/${domain}/llms-full.txt`);

/** What becomes of text in a page of a folder. */
async function written(domain: string, text: string, at: "llms-full.txt" | "guide/page.md") {
  await readPages(docent, domain, { ...PAGES, "guide/page.md": `# Page\n\n${text}\n` });
  const all = await read(`${docent.url}/sites/${domain}/${at}`);
  return /(?:^|\n)# Page\n\n(?:Source: .*\n\n)?([\s\S]*?)\n(?:\n|$)/.exec(all)?.[1];
}

describe("links in llms-full.txt", () => {
  test.each([
    ["[x](a%20b.md)", "[x](@guide/a%20b)"],
    ["[x](../config.md#linux 'T')", "[x](@config#linux 'T')"],
    ["[x](/guide/a%20b/)", "[x](@guide/a%20b)"],
    ["[x](/en/config)", "[x](@config)"],
    ["[x](#here:1)", "[x](@guide/page#here:1)"],
    ["[x](index.md) [y](..) [z](./)", "[x](@guide) [y](@) [z](@guide)"],
    ["[x](../config.md?tab=2#y)", "[x](@config?tab=2#y)"],
    ["[x](../terms.txt) [y](/robots.txt)", "[x](@terms) [y](@robots.txt)"],
    ["[x](../config.html) [y](../other.html)", "[x](@config) [y](@other.html)"],
    ["[x](../api/v1.2.md) [y](../api/v1.2)", "[x](@api/v1.2) [y](@api/v1.2)"],
    ["[x](files/a.zip) ![y](../b.png)", "[x](@guide/files/a.zip) ![y](@b.png)"],
    ["[![x](a.png)](<a b.md>)", "[![x](@guide/a.png)](<@guide/a%20b>)"],
    ["| <a href='../config.md'>x</a> |", "| [x](@config) |"],
    ["`[x](../config.md)` [y](https://y.example/a.md)", undefined],
    ["[x](mailto:a@b.example) [y]({{ base }}/y) [z]({y}.md)", undefined],
    ["![x](//cdn.example/x.png)", "![x](https://cdn.example/x.png)"],
  ])("%s", async (text, expected = text) => {
    expect(await written("open", text, "llms-full.txt")).toBe(
      expected.replaceAll(/@(?!b\.ex)/g, `${URL_OF_SITE}/`),
    );
  });

  test("lead behind the # of a site that has its pages there, and files do not", async () => {
    await addSiteWithPages(docent, "hashed", PAGES, { url: "https://docs.hashed.example/#/" });
    const text = "[x](../config.md#linux) [y](/) [z](a.zip) ![b](b.png)";
    const root = "https://docs.hashed.example";
    expect(await written("hashed", text, "llms-full.txt")).toBe(
      `[x](${root}/#/config?id=linux) [y](${root}/#/) [z](${root}/guide/a.zip) ![b](${root}/guide/b.png)`,
    );
  });

  test("say nothing of whether a page is there: a hidden one's are made as those of a missing one", async () => {
    for (const domain of ["open", "bare"]) {
      const links = (name: string) =>
        `[1](${name}.md#a) [2](/guide/${name}) [3](${name}.html) [4](${name}.txt)`;
      const hidden = await written(domain, links("hidden"), "llms-full.txt");
      const missing = await written(domain, links("missing"), "llms-full.txt");
      expect(hidden).toBe(missing?.replaceAll("missing", "hidden") ?? "");
    }
  });

  test("lead to the reader where the site has no URL; what only a published site has stays as written", async () => {
    const root = `${docent.url}/sites/bare/`;
    const text =
      "[x](../config.md#linux) [y](/api/v1.2) [z](../terms.txt) [a](a.zip) ![b](b.png) ![c](/badge)";
    expect(await written("bare", text, "llms-full.txt")).toBe(
      `[x](${root}config#linux) [y](${root}api/v1.2) [z](${root}terms) [a](a.zip) ![b](b.png) ![c](/badge)`,
    );
  });

  test.each([
    [
      undefined,
      "[c](/config) [x](b.html#y) [z](/docs/) ![p](../p.png) [f](/docs/f.pdf)",
      "http://d/sites/bare/config @docs/a/b.html#y @docs/ @docs/p.png @docs/f.pdf",
    ],
    [
      "https://acme.example/docs",
      "[x](b.html#y) [z](/docs/) ![p](../p.png) [f](/else/f.pdf)",
      "P/a/b.html#y P/ P/p.png @else/f.pdf",
    ],
  ])("of a page that was read at an address of a site whose URL is %s", async (url, text, expected) => {
    const { content, people } = docent.app.parts;
    const site = { ...(await people.sites.get("bare")), url };
    const page = {
      path: url === undefined ? "docs/a/c.html" : "a/c.html",
      location: "https://acme.example/docs/a/c.html",
    };
    const rewritten = await withFullLinks(text, {
      audience: "everything",
      pages: content.pages,
      site,
      page,
      root: "http://d/",
      readerRoot: "http://d/sites/bare/",
    });
    const links = [...rewritten.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link).join(" ");
    expect(links).toBe(expected.replaceAll("@", "https://acme.example/").replaceAll("P/", `${url}/`));
  });

  test("a title's are full, too", async () => {
    expect(await full("open")).toContain(`# [Config](${URL_OF_SITE}/guide/a%20b) for all\n`);
  });

  test("it is another text when the site's URL changes", async () => {
    await addSiteWithPages(docent, "moving", PAGES);
    const before = await fetch(`${docent.url}/sites/moving/llms-full.txt`);
    await docent.app.parts.people.sites.set("moving", { url: URL_OF_SITE });
    const headers = { "if-none-match": before.headers.get("etag") ?? "" };
    const after = await fetch(`${docent.url}/sites/moving/llms-full.txt`, { headers });
    expect([after.status, (await after.text()).includes(`${URL_OF_SITE}/config`)]).toEqual([200, true]);
  });
});

describe("links in a page's Markdown", () => {
  test("stay where they lead to a page's Markdown from its address, or to its own headings", async () => {
    const text = "[x](../config.md#linux) [y](<a b.md>) [z](#here) [i](../index.md) [m](missing.md)";
    for (const domain of ["open", "bare"]) expect(await written(domain, text, "guide/page.md")).toBe(text);
  });

  test("are full addresses where they would lead elsewhere", async () => {
    const text = "[x](/config.md) [y](../config) [z](index.md) ![p](p.png)";
    expect(await written("open", text, "guide/page.md")).toBe(
      `[x](${URL_OF_SITE}/config) [y](${URL_OF_SITE}/config) [z](${URL_OF_SITE}/guide) ![p](${URL_OF_SITE}/guide/p.png)`,
    );
  });

  test("all lead to something, of an index file and of a title, too", async () => {
    for (const name of ["index.md", "config.md", "guide.md", "guide/index.md"]) {
      const address = `${docent.url}/sites/bare/${name}`;
      const markdown = await read(address);
      const links = [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => new URL(link, address));
      expect(links.length).toBeGreaterThan(0);
      for (const link of links)
        expect([link.pathname, (await fetch(link)).status]).toEqual([link.pathname, 200]);
    }
  });
});
