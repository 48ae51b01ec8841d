import { describe, expect, test } from "bun:test";
import { exdoc } from "../../../src/reading/generators/exdoc/exdoc.ts";
import { openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

/** A `mix.exs` with these options for docs, and functions beside them. */
const mix = (docs: string, more = "") => `defmodule My.MixProject do
  use Mix.Project
  @guides "guides"

  def project do
    [app: :my, version: "1.0.0", deps: deps(), docs: [${docs}]]
  end

  defp deps, do: [{:ex_doc, "~> 0.34", only: :dev}]
${more}
end
`;
const open = (files: Record<string, string>, docs = 'extras: ["a.md"]', more?: string) =>
  openFiles(exdoc, { "mix.exs": mix(docs, more), ...files });
const pathsOf = async (files: Record<string, string>, docs: string, more?: string) =>
  (await open(files, docs, more)).pages.map(({ path }) => path);
const markdownOf = async (text: string, files: Record<string, string> = {}) =>
  (await readPageOf(await open({ "a.md": text, ...files }), "a.md")).markdown.trim();

describe("extras", () => {
  const files = {
    "README.md": "# Read",
    "guides/b.md": "",
    "guides/a.md": "",
    "guides/deep/c.livemd": "",
    "guides/.hidden.md": "",
    "guides/picture.png": "",
  };

  test("are lists, words, patterns and functions, joined in all the ways that there are", async () => {
    const docs = 'main: "readme", extras: ["README.md" | more()] ++ guides()';
    expect(await pathsOf(files, 'extras: ["README.md"] ++ guides()', GUIDES)).toEqual([
      "readme.html",
      "b.html",
      "a.html",
      "c.html",
    ]);
    expect((await open(files, docs, GUIDES)).unknowns).toHaveLength(1);
    expect(await pathsOf(files, "extras: extras()", EXTRAS)).toEqual(["a.html", "b.html", "readme.html"]);
  });

  test("of which only a run would tell are asked about, and the others are read", async () => {
    const site = await open(
      files,
      'extras: ["README.md"] ++ if(Mix.env() == :dev, do: []) ++ found("x") ++ ["guides/a.md"]',
      "  defp found(kind), do: File.ls!(kind)",
    );
    expect(site.pages.map(({ path }) => path)).toContain("readme.html");
    expect(site.unknowns.map(({ question }) => question).join()).toContain("mix.exs computes it");
  });

  test("that are not there, of no kind that is shown, or not listed, are left out", async () => {
    const site = await open(files, 'extras: ["README.md", "gone.md", "guides/a.md", "guides/picture.png"]');
    expect(site.leftOut).toEqual([
      { location: "gone.md", detail: "is listed as an extra in mix.exs, and is not in this source" },
      { location: "guides/picture.png", detail: "is of a kind of which ExDoc makes no pages" },
      { location: "guides/.hidden.md", detail: "is not listed as an extra in mix.exs" },
      { location: "guides/b.md", detail: "is not listed as an extra in mix.exs" },
    ]);
  });

  test("of a project in a folder are written from there", async () => {
    const site = await siteOf({
      "README.md": "# Repository",
      "apps/one/mix.exs": mix('extras: ["../../README.md", "guide.md"]'),
      "apps/one/guide.md": "# Guide",
    });
    expect(site.root).toBe("apps/one");
    expect(site.pages).toEqual([
      { location: "README.md", path: "readme.html" },
      { location: "apps/one/guide.md", path: "guide.html" },
    ]);
  });
});

const GUIDES = `
  defp guides do
    # Names are given before they are used.
    first = "#{@guides}/b.md"
    all = [first] ++ Path.wildcard("guides/**/*.{md,livemd}")
    Enum.uniq(all)
  end
`;
const EXTRAS = `
  def extras(), do: (~w(guides/b.md guides/a.md) -- []) |> Enum.sort() |> Enum.concat(["README.md"])
`;

test("a project without docs, and one whose docs are another generator's, are none of ExDoc's", async () => {
  const bare = "defmodule A do\n  def project, do: [app: :a]\nend\n";
  expect(await recognizeFiles({ "mix.exs": bare, "README.md": "# A" })).toBeUndefined();
  const site = await siteOf({
    "mix.exs": mix('extras: ["README.md"]'),
    "README.md": "# A",
    "website/mkdocs.yml": "site_name: A",
    "website/docs/index.md": "# B",
  });
  expect(site.generator).toStartWith("MkDocs");
});

test("functions that call each other without end are no endless work", async () => {
  const more = "  defp one, do: two() ++ two()\n  defp two, do: one() ++ one()";
  const site = await open({ "a.md": "" }, 'extras: ["a.md"] ++ one()', more);
  expect(site.pages.map(({ path }) => path)).toEqual(["a.html"]);
});

test("a pattern whose matching could take long is asked about, and not used", async () => {
  const site = await open(
    { "a.md": "# A" },
    'extras: ["a.md"], groups_for_extras: [Slow: ~r/(a+)+$/, All: ~r"\\Aa.md\\z"]',
  );
  expect(site.unknowns.map(({ question }) => question)).toEqual([
    "What is the group Slow? mix.exs computes it: (?)(a+)+$",
  ]);
  expect(site.menu).toEqual([{ label: "All", children: [{ label: "A", path: "a.html", children: [] }] }]);
});

test("the page that it opens with, and old addresses, lead to pages", async () => {
  const site = await open(
    { "a.md": "" },
    'extras: ["a.md"], main: "a", redirects: [{"old", "a#x"}, {"b", "gone"}]',
  );
  expect(site.redirects).toEqual([
    { from: "", to: "a.html" },
    { from: "old.html", to: "a.html#x" },
  ]);
});

describe("markup", () => {
  test("callouts are quotes with a marked heading, and a heading of the third level keeps its id", async () => {
    expect(await markdownOf("> #### Look {: .error}\n> out\n>\n> > deep\n\nText")).toBe(
      ":::danger[Look]\n\nout\n\n> deep\n\n:::\n\n\nText",
    );
    expect(await markdownOf("> ### Look\n> {: .neutral}\n> out")).toBe(
      ':::note[Look]\n\n<a id="look"></a>\nout\n\n:::',
    );
    expect(await markdownOf("> #### Plain\n> out")).toBe("> #### Plain\n> out");
  });

  test("attributes are not shown, but in code", async () => {
    expect(await markdownOf('Text\n{: .lead}\n\n![a](b.png){: width="1"} `{: .x}`\n\n```\n{: .y}\n```')).toBe(
      "Text\n\n![a](b.png) `{: .x}`\n\n```\n{: .y}\n```",
    );
  });

  test("tabs are what stands between their comments", async () => {
    const tabs = "<!-- tabs-open -->\n### One\na\n### Two\n```\n### no\n```\n<!-- tabs-close -->\nAfter";
    expect(await markdownOf(tabs)).toBe(
      ":::tab[One]\n\na\n\n:::\n\n\n:::tab[Two]\n\n```\n### no\n```\n\n:::\n\nAfter",
    );
    expect(await markdownOf("<!-- tabs-open -->\n### One")).toContain("### One {#one}");
  });

  test("references lead to what is there, and the words of others stay", async () => {
    const lib =
      'defmodule My.App do\n  @doc """\n  def no(a)\n  """\n  def run(a), do: a\n  @doc false\n  def gone(a), do: a\nend\n';
    const text =
      "[run](`My.App.run/1`) `My.App` `m:My.App` [no](`My.App.no/1`) `My.App.gone/1` `t:My.App.t/0` [`a`](`b`)";
    expect(await markdownOf(text, { "lib/app.ex": lib })).toBe(
      "[run](/My.App.html#run/1) [`My.App`](/My.App.html) [`My.App`](/My.App.html) no `My.App.gone/1` `t:My.App.t/0` `a`",
    );
  });

  test("a notebook's comments are not shown, and text without marks is shown as it is", async () => {
    const site = await open(
      { "n.livemd": "# N\n\n## S\n", LICENSE: "# no\n\n{: .x}" },
      'extras: ["n.livemd", "LICENSE"]',
    );
    expect((await readPageOf(site, "n.livemd")).data).toEqual({ title: "N" });
    expect((await readPageOf(site, "LICENSE")).markdown).toBe("```\n# no\n\n{: .x}\n```");
  });
});
