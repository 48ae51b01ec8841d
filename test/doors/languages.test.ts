import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createFolderReader } from "../../src/reading/sources/folder/folder.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

// Docs of a generator in two languages, through every door that shows or searches them.

const FILES = {
  "astro.config.mjs":
    "import starlight from '@astrojs/starlight'; export default { integrations: [starlight({ title: 'X', locales: { root: { label: 'English', lang: 'en' }, es: { label: 'Español' } } })] }",
  "src/content/docs/index.md": "---\ntitle: Welcome\n---\nHello.",
  "src/content/docs/guide.md": "---\ntitle: Guide\n---\nThe zebra is striped.",
  "src/content/docs/only.md": "---\ntitle: Only English\n---\nThe zebra runs.",
  "src/content/docs/es/index.md": "---\ntitle: Bienvenida\n---\nHola.",
  "src/content/docs/es/guide.md":
    "---\ntitle: Guía\n---\nLa zebra es rayada. [English](/guide/) [más](/es/only/) [inicio](/es/)",
};

let docent: TestDocent;
const folder = temporaryDirectory();
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) await Bun.write(join(folder.path, name), text);
  docent = await startDocent();
  const { people, sources } = docent.app.parts;
  const site = await people.sites.add({ domain: "two", name: "Two", settings: { public: true } });
  await sources.ingest.run({
    source: { siteId: site.id, kind: "folder", location: folder.path, version: "", language: "" },
    reader: createFolderReader({ root: folder.path, fileBytesMax: 10_000 }),
    generation: site.generation,
    signal: new AbortController().signal,
  });
});
afterAll(async () => {
  await docent.close();
  folder[Symbol.dispose]();
});

async function post(path: string, body: unknown) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${docent.key}` };
  const reply = await fetch(`${docent.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
}

const found = async (language?: string) => {
  const { body } = await post("/v1/search/two", { query: "zebra", filter: { language } });
  return body.map(({ path }: { path: string }) => path).sort();
};

const html = async (path: string) => (await fetch(`${docent.url}/sites/two/${path}`)).text();
/** The addresses that the menu leads to. */
const menuOf = (page: string) => {
  const menu =
    /<nav class="menu"[\s\S]*?<\/nav>/
      .exec(page)?.[0]
      .replace(/<details class="choice">.*?<\/details>/gs, "") ?? "";
  return [...menu.matchAll(/href="\/sites\/two\/([^"]*)"/g)].map(([, path]) => path);
};

describe("search", () => {
  test("without a filter finds pages of all languages", async () => {
    expect(await found()).toEqual(["es/guide", "guide", "only"]);
  });

  test("finds for a language its pages, and those that are not translated into it", async () => {
    expect(await found("es")).toEqual(["es/guide", "only"]);
    expect(await found("en-US")).toEqual(["guide", "only"]);
    expect(await found("fr")).toEqual(["guide", "only"]);
  });
});

test("a page is given in the language that is asked for", async () => {
  const given = async (path: string, language?: string) =>
    (await post("/v1/page/two", { path, language })).body.path;
  expect(await given("guide", "es")).toBe("es/guide");
  expect(await given("only", "es")).toBe("only");
  expect(await given("guide")).toBe("guide");
  expect(await given("es/guide")).toBe("es/guide");
});

test("the widget is told of all languages, the main one too", async () => {
  const headers = { authorization: `Bearer ${docent.key}` };
  const reply = await fetch(`${docent.url}/v1/widget/two`, { headers });
  expect(await reply.json()).toMatchObject({ languages: ["en", "es"], versions: [] });
});

describe("the reader site", () => {
  test("shows the menu of a page's language, and a newcomer that of the main one", async () => {
    expect(menuOf(await html("only"))).toEqual(menuOf(await html("guide")));
    expect(menuOf(await html("guide"))).toEqual(["", "guide", "only"]);
    const spanish = ["es?language=es", "es/guide?language=es", "only?language=es"];
    expect(menuOf(await html("es/guide"))).toEqual(spanish);
    expect(menuOf(await html("only?language=es"))).toEqual(spanish);
  });

  test("leads from a page to what it is in another language", async () => {
    expect(await html("guide")).toContain('href="/sites/two/es/guide?language=es" lang="es"');
    expect(await html("es/guide")).toContain('href="/sites/two/guide" lang="en"');
    expect(await html("only?language=es")).toContain('href="/sites/two/only" lang="en"');
  });

  test("follows a link to another language, and one to what is not translated", async () => {
    const page = await html("es/guide");
    expect(page).toContain('<a href="/sites/two/guide">English</a>');
    expect(page).toContain('<a href="/sites/two/only?language=es">más</a>');
    expect(page).toContain('<a href="/sites/two/es?language=es">inicio</a>');
  });

  test("shows a page in its own language where it is in no other", async () => {
    expect(await html("es/guide?language=fr")).toContain("La zebra");
  });

  test("says in which language a page is", async () => {
    expect(await html("guide")).toContain('<html lang="en"');
    expect(await html("es/guide")).toContain('<html lang="es"');
    expect(await html("only?language=es")).toContain('<html lang="en"');
  });

  test("searches in the language that it shows, while one types as well", async () => {
    const typed = async (query: string) => {
      const reply = await fetch(`${docent.url}/sites/two/search.json?q=zebra${query}`);
      const { results }: { results: { href: string }[] } = await reply.json();
      return results.map(({ href }) => href.split("/sites/two/")[1]).sort();
    };
    expect(await typed("")).toEqual(["guide", "only"]);
    expect(await typed("&language=es")).toEqual(["es/guide?language=es", "only?language=es"]);
  });
});

test("llms.txt lists each page once, the main language first", async () => {
  const text = await (await fetch(`${docent.url}/sites/two/llms.txt`)).text();
  const listed = [...text.matchAll(/\(\S+\/sites\/two\/(\S+)\.md\)/g)].map(([, path]) => path);
  expect(listed).toEqual(["index", "guide", "only", "es", "es/guide"]);
});
