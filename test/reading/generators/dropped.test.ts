import { expect, test } from "bun:test";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { recognizeSite } from "../../../src/reading/generators/generators.ts";
import { type Contents, sentOf, treeOf } from "./dropped.ts";

const PAGE = "# Title\n\nWords.\n";

const FOLDERS: readonly [generator: string, files: Contents][] = [
  ["VuePress", { "docs/.vuepress/config.ts": "export default { title: 'A' }", "docs/a.md": PAGE }],
  ["Rspress", { "rspress.config.ts": "export default { root: 'docs' }", "docs/a.mdx": PAGE }],
  ["Quarto", { "_quarto.yml": "project:\n  type: website\n", "a.qmd": PAGE }],
  ["bookdown", { "_bookdown.yml": "book_filename: b\n", "index.Rmd": PAGE }],
  ["Eleventy", { ".eleventy.js": "module.exports = () => ({ dir: { input: 'docs' } })", "docs/a.md": PAGE }],
  [
    "ExDoc",
    {
      "mix.exs":
        'defmodule A do\n  def project do\n    [app: :a, docs: [extras: ["guides/a.md"]]]\n  end\nend\n',
      "guides/a.md": PAGE,
    },
  ],
  ["MyST", { "myst.yml": "version: 1\nproject:\n  toc:\n    - file: a.md\nsite: {}\n", "a.md": PAGE }],
  ["Jupyter Book", { "_toc.yml": "format: jb-book\nroot: a\n", "_config.yml": "title: A\n", "a.md": PAGE }],
  [
    "Zola",
    { "zola.toml": "base_url = 'https://a.example'\n", "content/a.md": "+++\ntitle = 'A'\n+++\nWords.\n" },
  ],
];

test.each(FOLDERS)(
  "docs of %s are recognized in a folder that is dropped into the browser",
  async (generator, files) => {
    const sent = await sentOf(files);
    const tree = treeOf(Object.fromEntries(Object.entries(files).filter(([location]) => sent.has(location))));
    const site = await recognizeSite(tree, { clock: systemClock });
    expect(site?.generator).toBe(generator);
    expect(site?.pages).toHaveLength(1);
  },
);
