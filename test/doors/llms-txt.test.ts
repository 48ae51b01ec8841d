import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { splitFullText } from "../../src/reading/sources/llms-txt/full-text.ts";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages, readPages } from "../helpers/public-site.ts";

const PAGES = {
  "index.md": "---\ndescription: Docs of\n  everything.\n---\n\n# Start\n\nHello.",
  "changes.md": "# Changes [1]\n\nWhat\n# changed\n",
  "guide/index.md": "# The *guide*\n\nThe guide.",
  "guide/a b.md": `---\ndescription: ${"long ".repeat(100)}\n---\n\nNo heading (of its own).`,
  "guide/deep/c.md": "# C\n\n```md\n# Not a page\n\nSource: https://elsewhere.example/\n```\n",
  "how-to/do.md": "# Do\n\nDo it.",
  "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nSecret.",
  "guide/hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nSecret.",
  "issues/1.md": "---\nkind: question\nanswered: 2024-05-03\n---\n\n# Why?\n\nBecause.",
  "answers/one.md": "---\nquestions:\n  - What is plugh?\n---\n\nSecret answer.",
};

let docent: TestDocent;
let root: string;
beforeAll(async () => {
  docent = await startDocent();
  await addSiteWithPages(docent, "open", PAGES);
  await addSiteWithPages(docent, "closed", PAGES, { isPublic: false });
  root = `${docent.url}/sites/open/`;
});
afterAll(() => docent.close());

const read = async (address: string) => (await fetch(address)).text();

describe("llms.txt", () => {
  test("is a name, a summary, and lists of links, those at the top first and then each folder's", async () => {
    const text = await read(`${root}llms.txt`);
    const long = "long ".repeat(100).slice(0, 299);
    expect(text).toBe(
      [
        "# Open",
        "",
        "> Docs of everything.",
        "",
        `Each link leads to a page as Markdown. All of them in one file: [llms-full.txt](${root}llms-full.txt)`,
        "",
        "## Docs",
        "",
        `- [Start](${root}index.md): Docs of everything.`,
        `- [Changes \\[1\\]](${root}changes.md)`,
        `- [The guide](${root}guide.md)`,
        "",
        "## The guide",
        "",
        `- [a b](${root}guide/a%20b.md): ${long}…`,
        `- [C](${root}guide/deep/c.md)`,
        "",
        "## How to",
        "",
        `- [Do](${root}how-to/do.md)`,
        "",
      ].join("\n"),
    );
  });

  test("goes by the menu where the docs have one, with the pages that it leaves out at the end", async () => {
    await docent.app.parts.people.sites.add({ domain: "ordered", settings: { public: true } });
    const { people, sources } = docent.app.parts;
    const site = await people.sites.get("ordered");
    const embedded = createEmbeddedReader({
      "b.md": "# B",
      "a.md": "# A",
      "z.md": "# Z",
      "left-out.md": "# L",
    });
    const entry = (path: string) => ({ label: path, path, children: [] });
    await sources.ingest.run({
      source: { siteId: site.id, kind: "demo", location: "ordered", version: "", language: "" },
      reader: {
        list(context) {
          const menu = [{ label: "Last things", children: [entry("z"), entry("a")] }, entry("b")];
          const docs = { generator: "Some generator", pages: 4, samples: [], redirects: [], unknowns: [] };
          context.onRecognized?.({ ...docs, menu });
          return embedded.list(context);
        },
      },
      generation: site.generation,
      signal: new AbortController().signal,
    });
    const lines = (await read(`${docent.url}/sites/ordered/llms.txt`)).split("\n");
    expect(lines.filter((line) => /^(?:##|-) /.test(line)).map((line) => line.replace(/\].*/, "]"))).toEqual([
      "## Docs",
      "- [B]",
      "## Last things",
      "- [Z]",
      "- [A]",
      "## Other pages",
      "- [L]",
    ]);
  });

  test("every link leads to the Markdown of its page", async () => {
    const links = [...(await read(`${root}llms.txt`)).matchAll(/^- \[.*?\]\((http[^)]+)\)/gm)];
    expect(links).toHaveLength(6);
    for (const [, link = ""] of links) {
      const reply = await fetch(link);
      expect([reply.status, reply.headers.get("content-type")]).toEqual([
        200,
        "text/markdown; charset=utf-8",
      ]);
    }
  });

  test("a site without pages, or whose first page says nothing of itself, has a summary all the same", async () => {
    await docent.app.parts.people.sites.add({
      domain: "empty",
      name: "Empty\n# one",
      settings: { public: true },
    });
    const text = await read(`${docent.url}/sites/empty/llms.txt`);
    expect(text).toStartWith("# Empty # one\n\n> The documentation of Empty # one.\n");
    expect(text).not.toContain("\n## ");
    expect(await read(`${docent.url}/sites/empty/llms-full.txt`)).toBe("");
  });

  test("of several versions and languages of a page it has the site's default one", async () => {
    const { people, sources } = docent.app.parts;
    const site = await people.sites.add({
      domain: "versions",
      settings: { public: true, defaultVersion: "2" },
    });
    for (const version of ["1", "2", "3"]) {
      const { generation } = await people.sites.get("versions");
      await sources.ingest.run({
        source: { siteId: site.id, kind: "demo", location: version, version, language: "" },
        reader: createEmbeddedReader({
          "page.md": `# Page of ${version}\n\nText ${version}.`,
          [`only${version}.md`]: "# Only\n\nX.",
        }),
        generation,
        signal: new AbortController().signal,
      });
    }
    const text = await read(`${docent.url}/sites/versions/llms.txt`);
    expect(text.match(/^- .*$/gm)).toHaveLength(4);
    expect(text).toContain("[Page of 2]");
    expect(await read(`${docent.url}/sites/versions/page.md?version=1`)).toContain("Text 1.");
    await people.sites.set("versions", { hostNames: ["versions.example"] });
    const own = await fetch(`${docent.url}/page.md?version=3`, { headers: { host: "versions.example" } });
    expect(await own.text()).toContain("Text 3.");
    const full = await read(`${docent.url}/sites/versions/llms-full.txt`);
    expect(full).toContain("Text 2.");
    expect(full).not.toContain("Text 1.");
  });
});

describe("llms-full.txt", () => {
  test("has every page with its address, in a form from which the pages are read again", async () => {
    const text = await read(`${root}llms-full.txt`);
    const pages = splitFullText(text);
    expect(pages.map(({ title, address }) => [title, address])).toEqual([
      ["Start", `${root}index.md`],
      ["Changes [1]", `${root}changes.md`],
      ["The *guide*", `${root}guide.md`],
      ["a b", `${root}guide/a%20b.md`],
      ["C", `${root}guide/deep/c.md`],
      ["Do", `${root}how-to/do.md`],
    ]);
    expect(pages[3]?.markdown).toContain("No heading (of its own).");
    expect(pages[4]?.markdown).toContain("# Not a page");
  });

  test("ends at a page where the next would pass the bound, and says so; so does llms.txt", async () => {
    const small = await startDocent({ settings: { llms_full_bytes: "10000", llms_txt_pages: "3" } });
    try {
      const pages = Array.from({ length: 30 }, (_, i) => [
        `p${i + 10}.md`,
        `# Page ${i}\n\n${"ü ".repeat(300)}`,
      ]);
      await addSiteWithPages(small, "open", Object.fromEntries(pages));
      const full = await read(`${small.url}/sites/open/llms-full.txt`);
      expect(Buffer.byteLength(full)).toBeLessThanOrEqual(10_000);
      expect(Buffer.byteLength(full)).toBeGreaterThan(8000);
      expect(full.trimEnd().split("\n").at(-1)).toBe(
        `This file ends here: it has at most 10000 bytes. All pages are listed in ${small.url}/sites/open/llms.txt`,
      );
      const list = await read(`${small.url}/sites/open/llms.txt`);
      expect(list.match(/^- /gm)).toHaveLength(3);
      expect(list).toEndWith("\n## More\n\nThere are more pages than the 3 listed here.\n");
    } finally {
      await small.close();
    }
  });

  test("a site of many pages is whole, and a reader who leaves in the middle disturbs nobody", async () => {
    const pages = Array.from({ length: 500 }, (_, i) => [
      `a/p${i}.md`,
      `# Page ${i}\n\n${"text ".repeat(200)}`,
    ]);
    await addSiteWithPages(docent, "large", Object.fromEntries(pages));
    const address = `${docent.url}/sites/large/llms-full.txt`;
    const abort = new AbortController();
    const reply = await fetch(address, { signal: abort.signal });
    await reply.body?.getReader().read();
    abort.abort();
    const full = await read(address);
    expect(full.match(/^Source: /gm)).toHaveLength(500);
    expect((await read(`${docent.url}/sites/large/llms.txt`)).match(/^- /gm)).toHaveLength(500);
  });
});

describe("both", () => {
  const NAMES = ["llms.txt", "llms-full.txt"];

  test.each(NAMES)("%s leaves out what is hidden, curated, or another site's", async (name) => {
    const text = await read(`${root}${name}`);
    expect(text).not.toMatch(/[Hh]idden|Secret|plugh|Install Acme/);
  });

  test.each(NAMES)("%s is plain text that is not indexed and read anew when it has changed", async (name) => {
    await addSiteWithPages(docent, `tag-${name.length}`, { "index.md": "# One\n\nText." });
    const address = `${docent.url}/sites/tag-${name.length}/${name}`;
    const first = await fetch(address);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    });
    const etag = first.headers.get("etag") ?? "";
    const again = (known: string) => fetch(address, { headers: { "if-none-match": known } });
    for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const reply = await again(known);
      expect([reply.status, await reply.text(), reply.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await again('"other"')).status).toBe(200);
    await readPages(docent, `tag-${name.length}`, { "index.md": "# Two\n\nNew text." });
    const changed = await again(etag);
    expect([changed.status, (await changed.text()).includes("Two")]).toEqual([200, true]);
    await docent.app.parts.people.sites.set(`tag-${name.length}`, { name: "Renamed" });
    expect((await again(changed.headers.get("etag") ?? "")).status).toBe(200);
  });

  test.each(NAMES)(
    "%s of a site that is not public is exactly that of one that is not there",
    async (name) => {
      const seen = async (domain: string) => {
        const reply = await fetch(`${docent.url}/sites/${domain}/${name}`, {
          headers: { authorization: `Bearer ${docent.key}` },
        });
        const headers = Object.fromEntries(reply.headers);
        for (const each of ["x-request-id", "date"]) delete headers[each];
        return { status: reply.status, body: await reply.text(), headers };
      };
      const closed = await seen("closed");
      expect(closed.status).toBe(404);
      expect(await seen("acme")).toEqual(closed);
      expect(await seen("nowhere")).toEqual(closed);
    },
  );
});
