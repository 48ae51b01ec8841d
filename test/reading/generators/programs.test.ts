import { describe, expect, test } from "bun:test";
import { type Files, siteOf } from "./open-files.ts";

/** What is asked of a site's owner. */
const asked = async (files: Files) => (await siteOf(files)).unknowns.map(({ question }) => question);

const changedBy = (names: string) => `Are pages changed by ${names}? Programs are not run.`;
const GEMS = { Gemfile: 'gem "jekyll"\n', "a.md": "---\ntitle: A\n---\n" };
const starlightWith = (more: string) =>
  `import starlight from "@astrojs/starlight"; import remarkOwn from "./own.mjs"; import math from "remark-math";
   export default { integrations: [starlight({ title: "T" })], ${more} };`;

describe("code of a site's own that would change pages is asked about", () => {
  const cases: [string, Files, string][] = [
    [
      "Docusaurus' plugins",
      {
        "docusaurus.config.js":
          "import own from './own'; import math from 'remark-math'; export default { presets: [['classic', { docs: { remarkPlugins: [math, [own, {}]] } }]], markdown: { preprocessor: (x) => x } };",
        "docs/a.md": "# A\n",
      },
      changedBy("own, markdown.preprocessor"),
    ],
    [
      "Docusaurus' numbers",
      {
        "docusaurus.config.js":
          "export default { presets: [['classic', { docs: { numberPrefixParser: (name) => strip(name) } }]] };",
        "docs/a.md": "# A\n",
      },
      "Which numbers does numberPrefixParser take off the names of files? It is a program.",
    ],
    [
      "VitePress' plugins",
      {
        ".vitepress/config.ts": "export default { markdown: { config(md) { md.use(own) } } };",
        "a.md": "# A\n",
      },
      changedBy("markdown.config"),
    ],
    [
      "VitePress' ids",
      {
        ".vitepress/config.ts":
          "export default { markdown: { anchor: { slugify: (words) => own(words) } } };",
        "a.md": "# A\n",
      },
      "How does markdown.anchor.slugify make ids of headings? It is a program.",
    ],
    [
      "Starlight's plugins",
      {
        "astro.config.mjs": starlightWith("markdown: { remarkPlugins: [remarkOwn, math] }"),
        "src/content/docs/a.md": "---\ntitle: A\n---\n",
      },
      changedBy("remarkOwn"),
    ],
    [
      "Starlight's patterns of redirects",
      {
        "astro.config.mjs": starlightWith('redirects: { "/old/[a]-[b]": "/new/[b]" }'),
        "src/content/docs/a.md": "---\ntitle: A\n---\n",
      },
      "Which addresses does the redirect old/[a]-[b] mean?",
    ],
    [
      "Nextra's plugins",
      {
        "mdx-components.js": "",
        "next.config.mjs":
          "import nextra from 'nextra'; export default nextra({ mdxOptions: { remarkPlugins: [own] } })({})",
        "content/index.mdx": "# A\n",
      },
      changedBy("own"),
    ],
    [
      "Mintlify's patterns of redirects",
      {
        "docs.json": JSON.stringify({
          $schema: "https://mintlify.com/docs.json",
          name: "T",
          redirects: [
            { source: "/old/:slug(a|b)", destination: "/new/:slug" },
            { source: "/x/:n*/:m*", destination: "/y" },
          ],
        }),
        "a.mdx": "# A\n",
      },
      "Which addresses does the redirect /old/:slug(a|b), and 1 more, mean?",
    ],
    [
      "Jekyll's plugins",
      { "_config.yml": "title: T\n", ...GEMS, "_plugins/own.rb": "module Own; end\n" },
      changedBy("_plugins/own.rb"),
    ],
    [
      "Jekyll's processor",
      { "_config.yml": "title: T\nmarkdown: Own\n", ...GEMS },
      "How does Own make ids of headings? It is a program.",
    ],
    [
      "MkDocs' extensions",
      {
        "mkdocs.yml": "site_name: x\nmarkdown_extensions: [pymdownx.tabbed, scripts.own]\n",
        "docs/a.md": "# A\n",
      },
      changedBy("scripts.own"),
    ],
    [
      "Sphinx' functions",
      {
        "conf.py":
          "myst_heading_slug_func = own.slug\nextensions = []\ndef setup(app):\n    app.connect('source-read', own)\n",
        "index.rst": "Home\n====\n",
      },
      changedBy("the functions that conf.py connects"),
    ],
    [
      "Sphinx' ids",
      {
        "conf.py": "myst_heading_slug_func = own.slug\nextensions = []\n",
        "index.rst": "Home\n====\n",
      },
      "How does myst_heading_slug_func make ids of headings? It is a program.",
    ],
    [
      "HonKit's plugins",
      {
        "book.json": '{"plugins": ["own@1.0.0", "-search", "theme-x"]}',
        "SUMMARY.md": "* [A](a.md)\n",
        "a.md": "# A\n",
      },
      changedBy("own@1.0.0"),
    ],
  ];

  test.each(cases)("%s", async (_, files, question) => {
    expect(await asked(files)).toContain(question);
  });
});

test.each<[string, Files, string]>([
  [
    "Docusaurus",
    {
      "docusaurus.config.js": "export default { presets: [['classic', { docs: { path: '../docs' } }]] };",
      "README.md": "# Not a page\n",
      "src/pages/a.md": "# A\n",
    },
    "Where are the pages? ../docs is outside of this source.",
  ],
  [
    "VitePress",
    { ".vitepress/config.ts": "export default { srcDir: '../docs' };", "a.md": "# A\n" },
    "Where are the pages? ../docs is outside of this source.",
  ],
  [
    "Jekyll",
    { "_config.yml": "title: T\nsource: ../docs\n", ...GEMS },
    "Where are the pages? ../docs is outside of this source.",
  ],
  [
    "MkDocs",
    { "mkdocs.yml": "site_name: x\nINHERIT: ../base.yml\n", "docs/a.md": "# A\n" },
    "What is in ../base.yml? mkdocs.yml builds on it, and it is not in this source.",
  ],
])("what a configuration of %s names outside of the source is asked about", async (_, files, question) => {
  const site = await siteOf(files);
  expect(site.unknowns.map((unknown) => unknown.question)).toContain(question);
  expect(site.pages).toHaveLength(1);
});
