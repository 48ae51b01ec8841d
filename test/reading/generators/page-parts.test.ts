import { describe, expect, test } from "bun:test";
import { type Files, readPageOf, siteOf } from "./open-files.ts";

async function markdownOf(files: Files, location: string): Promise<string> {
  return (await readPageOf(await siteOf(files), location)).markdown;
}

const PAGE = "# T\n\nTerm\n: What it means.\n";

describe("lines that begin with a colon are definitions", () => {
  const WITH: [string, Files, string][] = [
    ["Hugo", { "hugo.toml": 'title = "x"', "content/a.md": PAGE }, "content/a.md"],
    [
      "Jekyll",
      { "_config.yml": "title: x", Gemfile: 'gem "jekyll"', "index.md": `---\n---\n${PAGE}` },
      "index.md",
    ],
    ["mdBook", { "book.toml": "", "src/SUMMARY.md": "- [A](a.md)", "src/a.md": PAGE }, "src/a.md"],
    [
      "MkDocs with def_list",
      { "mkdocs.yml": "site_name: x\nmarkdown_extensions: [def_list]", "docs/index.md": PAGE },
      "docs/index.md",
    ],
    [
      "MyST with deflist",
      {
        "conf.py": 'extensions = ["myst_parser"]\nmyst_enable_extensions = ["deflist"]',
        "index.md": PAGE,
      },
      "index.md",
    ],
  ];
  for (const [name, files, location] of WITH)
    test(`for ${name}`, async () =>
      expect(await markdownOf(files, location)).toContain("- **Term**\\\n  What it means."));

  const WITHOUT: [string, Files, string][] = [
    [
      "Hugo, where they are switched off",
      { "hugo.toml": "[markup.goldmark.extensions]\ndefinitionList = false", "content/a.md": PAGE },
      "content/a.md",
    ],
    ["MkDocs without an extension", { "mkdocs.yml": "site_name: x", "docs/index.md": PAGE }, "docs/index.md"],
    ["MyST without deflist", { "conf.py": 'extensions = ["myst_parser"]', "index.md": PAGE }, "index.md"],
    [
      "VitePress",
      { "docs/.vitepress/config.ts": "export default {}", "docs/index.md": PAGE },
      "docs/index.md",
    ],
  ];
  for (const [name, files, location] of WITHOUT)
    test(`but not for ${name}`, async () =>
      expect(await markdownOf(files, location)).toContain("Term\n: What it means."));
});

test("carets and tildes in formulas are no marks of MkDocs' extensions", async () => {
  const files = {
    "mkdocs.yml":
      "site_name: x\nmarkdown_extensions: [admonition, pymdownx.caret, pymdownx.tilde, pymdownx.arithmatex]",
    "docs/index.md":
      "# T\n\nA^2^ and $a^2 + b^2$.\n\n$$\n\\sum_{k=0}^{n} (-1)^k x^{2k}\n$$\n\n!!! note\n\n    $$\n    x^2 = y^2\n    $$\n",
  };
  const markdown = await markdownOf(files, "docs/index.md");
  expect(markdown).toContain("$`a^2 + b^2`$");
  expect(markdown).toContain("```math\n\\sum_{k=0}^{n} (-1)^k x^{2k}\n```");
  expect(markdown).toContain("```math\nx^2 = y^2\n```");
});
