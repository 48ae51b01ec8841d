import { describe, expect, test } from "bun:test";
import type { PageMarks } from "../../../src/reading/page/page-marks.ts";
import { type Files, recognizeFiles, siteOf } from "./open-files.ts";

/** The marks of a site's pages, by path. */
async function marksOf(files: Files, wanted: { version?: string; within?: string } = {}) {
  const site = await recognizeFiles(files, wanted);
  return Object.fromEntries((site?.pages ?? []).map(({ path, marks }) => [path, marks]));
}

const LANGUAGES: [name: string, files: Files, marks: Record<string, Partial<PageMarks> | undefined>][] = [
  [
    "VitePress",
    {
      ".vitepress/config.ts":
        "export default { cleanUrls: true, lang: 'en-US', locales: { root: { label: 'English' }, de: { label: 'Deutsch', lang: 'de-DE' } } }",
      "index.md": "# Home",
      "guide.md": "# Guide",
      "de/index.md": "# Start",
    },
    {
      "": { language: "en-US", translations: { "de-DE": "de" } },
      guide: { language: "en-US", translations: {} },
      de: { language: "de-DE" },
    },
  ],
  [
    "Starlight",
    {
      "astro.config.mjs":
        "import starlight from '@astrojs/starlight'; export default { integrations: [starlight({ title: 'X', defaultLocale: 'en', locales: { en: { label: 'English' }, es: { label: 'Español' } } })] }",
      "src/content/docs/en/guide.md": "---\ntitle: Guide\n---\n",
      "src/content/docs/en/only.md": "---\ntitle: Only\n---\n",
      "src/content/docs/es/guide.md": "---\ntitle: Guía\n---\n",
      "src/content/docs/es/extra.md": "---\ntitle: Extra\n---\n",
    },
    {
      "en/guide": { language: "en", translations: { es: "es/guide" } },
      "en/only": { language: "en", translations: {} },
      "es/guide": { language: "es" },
      "es/extra": { language: "es" },
    },
  ],
  [
    "MkDocs with languages by suffix",
    {
      "mkdocs.yml":
        "plugins:\n  - i18n:\n      languages:\n        - {locale: en, default: true}\n        - {locale: fr}\n",
      "docs/index.md": "# Home",
      "docs/guide.md": "# Guide",
      "docs/guide.fr.md": "# Guide",
    },
    {
      "": { language: "en", translations: {} },
      guide: { language: "en", translations: { fr: "fr/guide" } },
      "fr/guide": { language: "fr" },
    },
  ],
  [
    "Hugo",
    {
      "hugo.toml": "[languages.en]\n[languages.ja]\n",
      "content/docs/a.md": "---\ntitle: A\n---\n",
      "content/docs/a.ja.md": "---\ntitle: A\n---\n",
      "content/docs/b.md": "---\ntitle: B\ntranslationKey: same\n---\n",
      "content/docs/c.ja.md": "---\ntitle: B\ntranslationKey: same\n---\n",
    },
    {
      "docs/a": { language: "en", translations: { ja: "ja/docs/a" } },
      "ja/docs/a": { language: "ja" },
      "docs/b": { language: "en", translations: { ja: "ja/docs/c" } },
      "ja/docs/c": { language: "ja" },
    },
  ],
  [
    "Nextra",
    {
      "mdx-components.js": "",
      "next.config.mjs":
        "import nextra from 'nextra'\nexport default nextra({})({ i18n: { locales: ['de', 'en'], defaultLocale: 'en' } })",
      "content/en/index.mdx": "# Home",
      "content/en/guide.mdx": "# Guide",
      "content/de/guide.mdx": "# Anleitung",
    },
    {
      en: { language: "en", translations: {} },
      "en/guide": { language: "en", translations: { de: "de/guide" } },
      "de/guide": { language: "de" },
    },
  ],
  [
    "Fumadocs",
    {
      "source.config.ts":
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });",
      "lib/i18n.ts":
        'export const i18n = defineI18n({ defaultLanguage: "en", languages: ["en", "fr"], hideLocale: "default-locale" });',
      "lib/source.ts":
        'import { loader } from "fumadocs-core/source";\nimport { i18n } from "@/lib/i18n";\nexport const source = loader({ baseUrl: "/docs", i18n, source: docs.toFumadocsSource() });',
      "content/docs/guide.mdx": "---\ntitle: Guide\n---\n",
      "content/docs/guide.fr.mdx": "---\ntitle: Guide\n---\n",
      "content/docs/only.mdx": "---\ntitle: Only\n---\n",
    },
    {
      "docs/guide": { language: "en", translations: { fr: "fr/docs/guide" } },
      "fr/docs/guide": { language: "fr" },
      "docs/only": { language: "en", translations: {} },
    },
  ],
  [
    "Mintlify, where menus also name pages that are not translated, and pages may be in no menu",
    {
      "docs.json": JSON.stringify({
        $schema: "https://mintlify.com/docs.json",
        navigation: {
          languages: [
            { language: "en", groups: [{ group: "Start", pages: ["index", "guide"] }] },
            { language: "es", groups: [{ group: "Inicio", pages: ["es/index", "guide"] }] },
          ],
        },
      }),
      "index.mdx": "Hello",
      "guide.mdx": "Guide",
      "es/index.mdx": "Hola",
      "es/unlisted.mdx": "Nada",
      "unlisted.mdx": "Nothing",
    },
    {
      "": { language: "en", translations: { es: "es" } },
      guide: { language: "en", translations: {} },
      es: { language: "es" },
      "es/unlisted": { language: "es" },
      unlisted: { language: "en", translations: { es: "es/unlisted" } },
    },
  ],
];

describe("a page says its language, and one in the main language where its translations are", () => {
  test.each(LANGUAGES)("%s", async (_name, files, marks) => {
    expect(await marksOf(files)).toEqual(marks);
  });
});

const VERSIONED = {
  "docusaurus.config.js": "module.exports = { presets: [['classic', {}]] };",
  "versions.json": '["2.0", "1.0"]',
  "docs/a.md": "# A",
  "versioned_docs/version-2.0/a.md": "# A",
  "versioned_docs/version-1.0/a.md": "# A",
  "src/pages/about.md": "# About",
};

describe("a page says its version where the docs have several", () => {
  test("the latest one of Docusaurus as well, and what is in no version has none", async () => {
    expect(await marksOf(VERSIONED)).toEqual({ "docs/a": { version: "2.0" }, about: undefined });
  });

  test("one that was asked for is called as the source is", async () => {
    const marks = await marksOf(VERSIONED, { version: "1.0" });
    expect(marks).toEqual({ "docs/1.0/a": undefined, about: undefined });
  });

  test("Antora's components", async () => {
    const marks = await marksOf({
      "new/antora.yml": "name: a\nversion: '2.0'\n",
      "new/modules/ROOT/pages/x.adoc": "= X",
      "old/antora.yml": "name: a\nversion: '1.0'\n",
      "old/modules/ROOT/pages/x.adoc": "= X",
      "other/antora.yml": "name: b\nversion: '7'\n",
      "other/modules/ROOT/pages/x.adoc": "= X",
    });
    expect(marks).toEqual({ "a/2.0/x.html": { version: "2.0" }, "b/7/x.html": undefined });
  });

  test("folders of Hugo", async () => {
    const pages = ["a", "b", "c"].flatMap((name) =>
      ["v1.9", "v1.10"].map((version) => [
        `content/docs/${version}/${name}.md`,
        `---\ntitle: ${name}\n---\n`,
      ]),
    );
    const marks = await marksOf({ "hugo.toml": "title = 'X'", ...Object.fromEntries(pages) });
    expect(marks["docs/v1.10/a"]).toEqual({ version: "1.10" });
    expect(Object.keys(marks)).not.toContain("docs/v1.9/a");
  });

  test("menus of Mintlify, which are read all, and what several of them name has none", async () => {
    const marks = await marksOf({
      "docs.json": JSON.stringify({
        $schema: "https://mintlify.com/docs.json",
        navigation: {
          versions: [
            { version: "v2", default: true, pages: ["v2/a", "both"] },
            { version: "v1", pages: ["v1/a", "both"] },
          ],
        },
      }),
      "v2/a.mdx": "A",
      "v1/a.mdx": "A",
      "both.mdx": "B",
    });
    expect(marks).toEqual({ "v2/a": { version: "v2" }, "v1/a": { version: "v1" }, both: undefined });
  });
});

describe("no page is marked with a language", () => {
  const config = (locales: string) =>
    `export default { cleanUrls: true, locales: { root: { label: 'x', lang: 'en' }, ${locales} } }`;

  test("of docs that have one alone", async () => {
    const files = { ".vitepress/config.ts": config("de: { label: 'Deutsch' }"), "a.md": "# A" };
    expect(await marksOf(files)).toEqual({ a: undefined });
  });

  test("that is none: a locale may be anything", async () => {
    const files = { ".vitepress/config.ts": config("handbook: { label: 'Handbook' }") };
    const marks = await marksOf({ ...files, "a.md": "# A", "handbook/a.md": "# A" });
    expect(marks["handbook/a"]).toBeUndefined();
  });
});

test("of a part of docs, pages name the translations that are in it", async () => {
  const [, files = {}] = LANGUAGES[1] ?? [];
  const marks = await marksOf(files, { within: "src/content/docs/en" });
  expect(marks).toEqual({ "en/guide": undefined, "en/only": undefined });
});

test("the menu says which of its parts are for a language or a version", async () => {
  const [, files = {}] = LANGUAGES[1] ?? [];
  const { menu } = await siteOf(files);
  expect(menu.map(({ label, language }) => [label, language])).toEqual([
    ["English", "en"],
    ["Español", "es"],
  ]);
});
