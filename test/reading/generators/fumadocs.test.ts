import { expect, test } from "bun:test";
import { fumadocs } from "../../../src/reading/generators/fumadocs/fumadocs.ts";
import { openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const CONFIG =
  'import { defineDocs } from "fumadocs-mdx/config";\nexport const docs = defineDocs({ dir: "content/docs" });';
const loaderOf = (more: string) =>
  `import { loader } from "fumadocs-core/source";
  export const source = loader({ baseUrl: "/docs", source: docs.toFumadocsSource(), ${more} });`;
const page = (title: string, body = "") => `---\ntitle: ${title}\n---\n\n${body}`;

test("a file called source.config is no sign by itself", async () => {
  const files = { "source.config.ts": "export default {};", "content/docs/index.mdx": "# Hello" };
  expect(await recognizeFiles(files)).toBeUndefined();
});

test("without a loader, the address of the pages is asked for", async () => {
  const files = { "source.config.ts": CONFIG, "content/docs/a.mdx": page("A") };
  const site = await openFiles(fumadocs, files);
  expect(site.pages).toEqual([{ location: "content/docs/a.mdx", path: "docs/a" }]);
  expect(site.unknowns).toMatchObject([{ name: "baseUrl", guess: "/docs" }]);
  const answered = await openFiles(fumadocs, files, { answers: { baseUrl: "/" } });
  expect(answered.pages.map(({ path }) => path)).toEqual(["a"]);
  expect(answered.unknowns).toEqual([]);
});

test("languages are in names, the main one in addresses unless it is hidden, and what is not translated leads to it", async () => {
  const files = {
    "source.config.ts": CONFIG,
    "lib/i18n.ts": `export const i18n = defineI18n({ defaultLanguage: "en", languages: ["en", "fr"], hideLocale: "default-locale" });`,
    "lib/source.ts": `import { i18n } from "@/lib/i18n";\n${loaderOf("i18n")}`,
    "content/docs/index.mdx": page("Home"),
    "content/docs/index.fr.mdx": page("Accueil"),
    "content/docs/only.mdx": page("Only"),
    "content/docs/index.de.mdx": page("Start"),
    "content/docs/meta.fr.json": '{ "pages": ["only", "index"] }',
  };
  const site = await openFiles(fumadocs, files);
  expect(site.pages.map(({ path }) => path).sort()).toEqual(["docs", "docs/only", "fr/docs"]);
  expect(site.redirects).toContainEqual({ from: "fr/docs/only", to: "docs/only" });
  expect(site.leftOut).toEqual([
    { location: "content/docs/index.de.mdx", detail: 'is in "de", which is no language of the site' },
  ]);
  const [home, only, french] = site.menu;
  expect([home?.label, only?.label, french?.label]).toEqual(["Home", "Only", "fr"]);
  expect(french?.children.map(({ label }) => label)).toEqual(["Only", "Accueil"]);
});

test("a loader may be in any file that is called source, with the languages that another file has the words of", async () => {
  const site = await siteOf({
    "source.config.ts": CONFIG,
    "site.tsx":
      'export const Logo = () => <b>Logo</b>;\nexport const translations = { en: { name: "English" }, cn: { name: "Chinese" } };',
    "lib/site/i18n.ts":
      'import { translations } from "@/site";\nexport const i18n = defineI18n({ defaultLanguage: "en", languages: Object.keys(translations), hideLocale: "default-locale" });',
    "lib/data-source.ts": "export const source = 1;",
    "lib/site/source.ts": `import { i18n } from "./i18n";\n${loaderOf("i18n").replace('"/docs"', '"/guide"')}`,
    "content/docs/api.mdx": page("API"),
    "content/docs/api.cn.mdx": page("API"),
    "content/docs/in/index.cn.mdx": page("In"),
    "content/docs/v1.2.mdx": page("1.2"),
  });
  expect(site.pages.map(({ path }) => path).sort()).toEqual([
    "cn/guide/api",
    "cn/guide/in",
    "guide/api",
    "guide/v1.2",
  ]);
  expect(site.unknowns).toEqual([]);
});

test("languages that a program computes are those that names of files have beside the page itself", async () => {
  const site = await openFiles(fumadocs, {
    "source.config.ts": CONFIG,
    "lib/source.ts": `const i18n = defineI18n({ defaultLanguage: "en", languages: all() });\n${loaderOf("i18n")}`,
    "content/docs/api.mdx": page("API"),
    "content/docs/api.pt-BR.mdx": page("API"),
    "content/docs/api.ja.mdx": page("API"),
  });
  expect(site.pages.map(({ path }) => path).sort()).toEqual(["en/docs/api", "ja/docs/api", "pt-BR/docs/api"]);
  expect(site.unknowns).toEqual([
    {
      question: "Which languages does the site have? lib/source.ts computes it.",
      guess: "those in the names of files: en, ja, pt-BR",
    },
  ]);
});

test("a folder that a menu names in another belongs to that, and one that names itself ends", async () => {
  const site = await openFiles(fumadocs, {
    "lib/source.ts": loaderOf(""),
    "content/docs/meta.json": '{ "pages": ["guide", "..."] }',
    "content/docs/guide/meta.json": '{ "pages": ["../other", "../guide", "..."] }',
    "content/docs/guide/a.mdx": page("A"),
    "content/docs/other/b.mdx": page("B"),
  });
  const b = { label: "Other", children: [{ label: "B", path: "docs/other/b", children: [] }] };
  expect(site.menu).toEqual([
    { label: "Guide", children: [b, { label: "A", path: "docs/guide/a", children: [] }] },
  ]);
});

test("pages that programs make are asked about", async () => {
  const site = await openFiles(fumadocs, {
    "lib/source.ts": `import { loader } from "fumadocs-core/source";
      const docs = defineDocs({ dir: "content/guide" });
      export const source = loader({ docs: docs.toFumadocsSource(), api: await openapi.staticSource({}) }, { baseUrl: "/" });`,
    "content/guide/a.mdx": page("A"),
  });
  expect(site.pages.map(({ path }) => path)).toEqual(["a"]);
  expect(site.unknowns.map(({ question }) => question)).toEqual([
    "Which pages are made by api? Programs are not run.",
  ]);
});

test("includes that are not there, that include themselves, and tables of types are faults of their page", async () => {
  const site = await openFiles(fumadocs, {
    "lib/source.ts": loaderOf(""),
    "content/docs/a.mdx": page(
      "A",
      '<include>../../../etc/passwd</include>\n\n<include>./a.mdx</include>\n\n<auto-type-table path="a.ts" name="A" />',
    ),
  });
  const { markdown, faults } = await readPageOf(site, "content/docs/a.mdx");
  expect(markdown.trim()).toBe("");
  expect(faults).toEqual([
    "../../../etc/passwd, which it includes, is not in this source",
    "./a.mdx, which it includes, includes itself",
    "1 of its tables are made from TypeScript, which is not done here",
  ]);
});

test("examples of components in code stay as they are written", async () => {
  const example = "```mdx title=\"page.mdx\"\n<Tabs items={['A']}>\n<include>./a.mdx</include>\n```";
  const site = await openFiles(fumadocs, {
    "lib/source.ts": loaderOf(""),
    "content/docs/a.mdx": page("A", example),
  });
  const { markdown } = await readPageOf(site, "content/docs/a.mdx");
  expect(markdown).toContain("<Tabs items={['A']}>\n<include>./a.mdx</include>");
});

test("a page of tags that are never closed, and a menu that repeats all pages, end", async () => {
  const tags = [
    "<Files>\n",
    "<Tabs ",
    "<Callout ",
    "<auto-type-table ",
    "# a".padEnd(3_000, " "),
    "<TypeTable type={{",
  ];
  const site = await openFiles(fumadocs, {
    "lib/source.ts": loaderOf(""),
    "content/docs/meta.json": JSON.stringify({ pages: Array.from({ length: 100_000 }, () => "...") }),
    ...Object.fromEntries(
      tags.map((tag, index) => [`content/docs/${index}.mdx`, page("A", tag.repeat(200_000 / tag.length))]),
    ),
  });
  expect(site.menu.length).toBeLessThanOrEqual(50_000);
  for (const { location } of site.pages)
    expect((await readPageOf(site, location)).markdown.length).toBeLessThan(400_000);
});
