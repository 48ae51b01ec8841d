import { describe, expect, test } from "bun:test";
import { hugo } from "../../../src/reading/generators/hugo/hugo.ts";
import { htmlToText } from "../../../src/reading/markdown/html-text.ts";
import { plainText } from "../../../src/reading/markdown/plain-text.ts";
import { type Files, openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const CONFIG = "baseURL: https://docs.example.org/\nparams: {version: v1.32, latest: v1.32}\n";

const hugoSite = (files: Files) => siteOf({ "hugo.yaml": CONFIG, ...files });

/** What becomes of a page's body. */
async function read(body: string, files: Record<string, string> = {}) {
  const site = await hugoSite({ ...files, "content/docs/page.md": `---\ntitle: Page\n---\n${body}` });
  const page = site.pages.find(({ path }) => path === "docs/page");
  if (page === undefined) throw new Error("the page is not published");
  const { markdown, faults } = await site.read(page);
  return { markdown: markdown.trim(), faults };
}

describe("shortcodes", () => {
  test("a note is a callout, and inside of a list a quote", async () => {
    expect((await read('{{< note title="Mind" >}}\nWords.\n{{< /note >}}')).markdown).toBe(
      ":::note[Mind]\n\nWords.\n\n:::",
    );
    expect((await read("- An item\n\n  {{< warning >}}\n  Words.\n  {{< /warning >}}\n")).markdown).toBe(
      "- An item\n\n  > [!WARNING]\n  > Words.",
    );
  });

  test("Docsy's tabs hold code unless they say that they hold text", async () => {
    const code = '{{< tabpane >}}\n{{< tab header="Go" lang="go" >}}\n# x\n{{< /tab >}}\n{{< /tabpane >}}';
    expect((await read(code)).markdown).toBe(":::tab[Go]\n\n```go\n# x\n```\n\n:::");
    const text = '{{< tabpane text=true >}}\n{{% tab header="A" %}}\nWords.\n{{% /tab %}}\n{{< /tabpane >}}';
    expect((await read(text)).markdown).toBe(":::tab[A]\n\nWords.\n\n:::");
  });

  test("Hextra's callouts, cards, details and file trees are words", async () => {
    const body = [
      '{{< callout type="error" >}}\n  No.\n{{< /callout >}}',
      '{{< cards >}}\n  {{< card link="../b/" title="B" subtitle="About b" >}}\n{{< /cards >}}',
      '{{% details title="More" %}}\nHidden.\n{{% /details %}}',
      '{{< filetree/container >}}\n{{< filetree/folder name="src" >}}\n{{< filetree/file name="a.ts" >}}\n{{< /filetree/folder >}}\n{{< /filetree/container >}}',
    ].join("\n\n");
    const { markdown, faults } = await read(body);
    expect(markdown).toContain(":::error\n\nNo.\n\n:::");
    expect(markdown).toContain("[B](/docs/b)\n\nAbout b");
    expect(markdown).toContain("**More**\n\nHidden.");
    expect(markdown).toContain("- src\n  - a.ts");
    expect(faults).toEqual([]);
  });

  test("what Kubernetes' docs use is read from where it stands", async () => {
    const { markdown, faults } = await read(
      [
        '## {{% heading "whatsnext" %}}',
        '{{< glossary_tooltip term_id="pod" text="pods" >}} and {{< glossary_tooltip term_id="node" >}}',
        '{{< glossary_definition term_id="pod" length="short" prepend="A pod is" >}}',
        '{{% code_sample file="pods/simple.yaml" %}}',
        '{{< feature-state state="beta" for_k8s_version="v1.30" >}}',
        '{{< feature-state feature_gate_name="Fast" >}}',
        "{{< skew currentVersion >}} {{< skew nextMinorVersion >}} {{< skew currentVersionAddMinor -1 >}}",
        '{{< include "shared.md" >}}',
      ].join("\n\n"),
      {
        "i18n/en.toml": '[whatsnext_heading]\nother = "What\'s next"\n',
        "content/docs/reference/glossary/index.md": "---\ntitle: Glossary\n---\n",
        "content/docs/reference/glossary/pod.md":
          "---\ntitle: Pod\nfull_link: /docs/pods/\n---\nThe smallest unit.\n\n<!--more-->\nMore.",
        "content/docs/reference/glossary/node.md": "---\ntitle: Node\n---\nA machine.",
        "content/docs/reference/command-line-tools-reference/feature-gates/Fast.md":
          '---\ntitle: Fast\nstages:\n  - {stage: alpha, fromVersion: "1.20"}\n  - {stage: stable, fromVersion: "1.25"}\n---\n',
        "content/examples/pods/simple.yaml": "kind: Pod\n",
        "content/includes/index.md": "---\nheadless: true\n---\n",
        "content/includes/shared.md": "---\ntitle: Shared\n---\nShared words.\n",
      },
    );
    expect(markdown).toContain("## What's next {#whats-next}");
    expect(markdown).toContain(
      "[pods](/docs/pods/) and [Node](/docs/reference/glossary/?all=true#term-node)",
    );
    expect(markdown).toContain("A pod is the smallest unit.");
    expect(markdown).toContain("```yaml\nkind: Pod\n```");
    expect(markdown).toContain("v1.30 \\[beta\\]");
    expect(markdown).toContain("v1.25 \\[stable\\] (feature gate `Fast`)");
    expect(markdown).toContain("1.32 1.33 1.31");
    expect(markdown).toContain("Shared words.");
    expect(faults).toEqual([]);
  });

  test("a part may be in a folder of parts beside the page, or above it", async () => {
    const { markdown, faults } = await read('{{% include near.md %}}\n\n{{% include "far.md" %}}', {
      "content/docs/_includes/near.md": "Near.",
      "content/_includes/near.md": "Not this one.",
      "content/_includes/far.md": "Far.",
    });
    expect([markdown, faults]).toEqual(["Near.\n\nFar.", []]);
  });

  test("a plain template of the site is read", async () => {
    const { markdown, faults } = await read(
      'Kind {{< kind "large" >}}, {{< kind >}}, v{{< own-version >}}.',
      {
        "layouts/shortcodes/kind.html": "{{- with .Get 0 -}}<b>{{ . | upper }}</b>{{- else -}}any{{- end -}}",
        "layouts/shortcodes/own-version.html": "{{ $v := site.Params.version }}{{ $v }}",
      },
    );
    expect(markdown).toBe("Kind **LARGE**, any, vv1.32.");
    expect(faults).toEqual([]);
  });

  test("of a site's own callout no word is lost: only what stands alone above the others is its title", async () => {
    const said = (html: string) =>
      read("{{< box >}}", { "layouts/shortcodes/box.html": html }).then(({ markdown }) =>
        plainText(markdown),
      );
    const sentences = [
      "You must <b>not</b> delete the options.",
      "<b>Never</b> delete the options.",
      "<p>You must <strong>not</strong> delete the options.</p>",
      "<p><strong>Never</strong> delete the options.</p>",
      "<ul><li><b>Never</b> delete the options.</li></ul>",
      "<p>Keep them. <b>Never delete the options.</b></p>",
    ];
    for (const sentence of sentences) {
      const words = htmlToText(sentence).replace(/\s+/g, " ").trim();
      const shown = (await said(`<div class="callout">${sentence}</div>`)).replace(/\s+/g, " ");
      expect(shown).toContain(words);
    }
    const titled = '<div class="alert"><h4>Careful</h4><p>You must <b>not</b> delete it.</p></div>';
    expect((await read("{{< box >}}", { "layouts/shortcodes/box.html": titled })).markdown).toBe(
      ":::note[Careful]\n\nYou must **not** delete it.\n\n:::",
    );
  });

  test("what a site's own template highlights is code, in which no line is a heading and no word a tag", async () => {
    const template =
      '{{ $code := trim .Inner "\\n" }}<td>{{ highlight $code (.Get "lang") "" }}</td><textarea>{{ $code }}</textarea>';
    const body = '{{< codeFrom lang="sh" >}}\n# not a heading\ncat <<EOF > a.yaml\n{{< /codeFrom >}}';
    const { markdown, faults } = await read(body, { "layouts/shortcodes/codeFrom.html": template });
    expect(markdown).toBe("```sh\n# not a heading\ncat <<EOF > a.yaml\n```");
    expect(faults).toEqual([]);
  });

  test.each([
    ["toml", "[params]\n  # A comment\n  color = 'red'"],
    ["toml", "title = 'A'"],
    ["yaml", "# A comment\ntitle: A\nparams:\n  <b>: '*x*'"],
    ["yaml", "title: A"],
    ["yaml", "---\ntitle: A\n---"],
    ["yaml", "- name: a\n  weight: 1\n- name: b"],
    ["json", '{\n  "title": "A"\n}'],
  ])("of one that is not known, data is code in its language: %s", async (language, data) => {
    const code = `\`\`\`${language}\n${data}\n\`\`\``;
    const { markdown, faults } = await read(`{{< switch >}}\n${data}\n{{< /switch >}}`);
    expect(markdown).toBe(code);
    expect(faults).toEqual(['the shortcode "switch" is not known: what is inside of it is kept as code']);
    const nested = data.replaceAll("\n", "\n  ");
    expect((await read(`- An item\n\n  {{< switch >}}\n  ${nested}\n  {{< /switch >}}`)).markdown).toBe(
      `- An item\n\n  ${code.replaceAll("\n", "\n  ")}`,
    );
  });

  test.each([
    "Note: some words.",
    "Pros: fast.\nCons: large.",
    "- A list\n- of words",
    "- [ ] Note: a task",
    "**Bold**: words",
    "[A link](https://example.org/)",
    "```yaml\na: 1\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "# A heading\n\ntext",
    "1. One",
  ])("of one that is not known, words are no code: %p", async (words) => {
    expect((await read(`{{< odd >}}\n${words}\n{{< /odd >}}`)).markdown.replace(/ \{#[^}]*\}/, "")).toBe(
      words,
    );
  });

  test("of one that is not known, what it says to be of a language is code, below the name of its file", async () => {
    const { markdown } = await read(
      '{{< sample lang="go" >}}\nfunc a()\n{{< /sample >}}\n\n{{< sample file="layouts/page.html" >}}\n<b>{{ .Title }}</b>\n{{< /sample >}}',
    );
    expect(markdown).toBe(
      "```go\nfunc a()\n```\n\n\n**layouts/page.html**\n\n```html\n<b>{{ .Title }}</b>\n```",
    );
  });

  test("what a site's own template highlights is of the language that it is data of, below the name of its file", async () => {
    const { markdown } = await read("{{< toggle file=hugo >}}\ntitle = 'A'\n{{< /toggle >}}", {
      "layouts/shortcodes/toggle.html":
        "{{ range slice `yaml` `toml` }}{{ highlight ($.Inner | transform.Remarshal .) . }}{{ end }}",
    });
    expect(markdown).toBe("**hugo**\n\n```toml\ntitle = 'A'\n```");
  });

  test("what is dropped of one that is not known is said by name", async () => {
    const { markdown, faults } = await read('{{< option name="--port" type="number" default="80" >}}');
    expect(markdown).toBe("--port");
    expect(faults).toEqual([
      'the shortcode "option" is not known: the words that it is given are kept, but not type, default',
    ]);
    expect((await read("{{< settings config=build />}}")).faults).toEqual([
      'the shortcode "settings" is not known: it is left out, with config',
    ]);
  });

  test("a template of the site may lead to another page, by its name or by looking it up", async () => {
    const { markdown, faults } = await read(
      '{{< see ref="b.md#x" caption="About B" >}}\n\n{{< page-ref page="b" >}}\n\n{{< page-ref page="gone" >}}',
      {
        "content/docs/b.md": "---\ntitle: Page B\n---\nB.",
        "layouts/shortcodes/see.html":
          '<a href="{{ relref . (.Get "ref") }}" class="see">\n  <div><svg><path d="M4"/></svg></div>\n  {{ .Get "caption" | markdownify }}\n</a>',
        "layouts/shortcodes/page-ref.html":
          '{{- $page := .Site.GetPage (.Get "page") -}}\n{{- with $page -}}\n<a href="{{ .RelPermalink }}">{{ .Title }}</a>\n{{- end -}}',
      },
    );
    expect(faults).toEqual([]);
    expect(markdown.replace(/\n{3,}/g, "\n\n")).toBe("[About B](/docs/b#x)\n\n[Page B](/docs/b)");
  });

  test("code with a fence of its own inside of a shortcode stays one block, with its title", async () => {
    const { markdown } = await read('{{< code title="a.rb excerpt" >}}\n```ruby\nx = 1\n```\n{{< /code >}}');
    expect(markdown).toBe("**a.rb excerpt**\n\n```ruby\nx = 1\n```");
  });

  test("of one that is not known, and of a template that computes, the words are kept and it is said", async () => {
    const { markdown, faults } = await read(
      '{{< odd title="A title" id="x1" >}}\nInner *words*.\n{{< /odd >}}\n\n{{< computing >}}',
      { "layouts/shortcodes/computing.html": "{{ range seq 3 }}x{{ end }}" },
    );
    expect(markdown).toContain("**A title**\n\nInner *words*.");
    expect(faults).toHaveLength(2);
    expect(faults.join()).toContain('"odd" is not known');
    expect(faults.join()).toContain('"computing" is not known');
  });

  test("an argument may be a path, on lines of its own", async () => {
    const body = "Before.\n\n{{% list-of-pages\n  path=/methods/page\n  filter=a/b\n%}}\n\nAfter.";
    const { markdown, faults } = await read(body);
    expect(markdown.replace(/\n+/g, "\n")).toBe("Before.\nAfter.");
    expect(faults).toHaveLength(1);
  });

  test("one that is shown stays, and one that is not closed stands beside what follows", async () => {
    expect((await read("`{{</* note */>}}`")).markdown).toBe("`{{< note >}}`");
    expect(
      (await read("{{< version-check >}} before {{< note >}}\n\nAfter {{< unfinished")).markdown,
    ).toContain("After {{< unfinished");
  });

  test("an include of itself, of a missing file and of one outside of the source is said", async () => {
    const { markdown, faults } = await read(
      '{{% include "loop.md" %}}\n\n{{% include "gone.md" %}}\n\n{{% include "../../../etc/passwd" %}}',
      { "content/docs/loop.md": '---\ntitle: Loop\n---\nOnce.\n\n{{% include "loop.md" %}}\n' },
    );
    expect(markdown).toBe("Once.");
    expect(faults).toEqual([
      'loop.md, which the shortcode "include" includes, includes itself, or is nested too deeply',
      'gone.md, which the shortcode "include" includes, is not in this source',
      '../../../etc/passwd, which the shortcode "include" includes, is not in this source',
    ]);
  });

  test("what a shortcode of the < kind includes has ids of its own, and one of the % kind the page's", async () => {
    const files = { "content/docs/part.md": "---\ntitle: Part\n---\n### Setup\n" };
    const apart = await read('## Setup\n\n{{< include "part.md" >}}\n\n## Setup', files);
    expect(apart.markdown.replace(/\n{3,}/g, "\n\n")).toBe(
      "## Setup {#setup}\n\n### Setup {#setup}\n\n## Setup {#setup-1}",
    );
    const within = await read('## Setup\n\n{{% include "part.md" %}}', files);
    expect(within.markdown).toBe("## Setup {#setup}\n\n### Setup {#setup-1}");
  });

  test("code in tabs is code where a site's own tabs do not take off its indent", async () => {
    const body = '{{< tabs >}}\n{{% tab name="A" %}}\n    # a comment\n    run\n{{% /tab %}}\n{{< /tabs >}}';
    const own = '{{ $name := trim (.Get "name") " " }}{{ .Parent.Scratch.Add (dict $name .Inner) }}';
    expect((await read(body, { "layouts/shortcodes/tab.html": own })).markdown).toBe(
      ":::tab[A]\n\n    # a comment\n    run\n\n:::",
    );
    const trimming = "{{ .InnerDeindent | markdownify }}{{ range .Params }}{{ end }}";
    expect((await read(body, { "layouts/shortcodes/tab.html": trimming })).markdown).toContain(
      "# a comment {#a-comment}",
    );
  });

  test("a card leads where it says, and a link of the page's to the page in its own language", async () => {
    const site = await siteOf({
      "hugo.yaml": "baseURL: https://docs.example.org/\nlanguages: {en: {weight: 1}, fr: {weight: 2}}\n",
      "content/docs/a.md": "---\ntitle: A\n---\n",
      "content/docs/a.fr.md":
        '---\ntitle: A\n---\n{{< card link="/docs/a" title="English" >}}\n\n[French](/docs/a)\n',
    });
    const { markdown } = await readPageOf(site, "content/docs/a.fr.md");
    expect(markdown.trim().replace(/\n{3,}/g, "\n\n")).toBe("[English](/docs/a)\n\n[French](/fr/docs/a)");
  });

  test("includes that multiply end at a bound", async () => {
    const files: Record<string, string> = { "content/docs/f6.md": "x".repeat(100_000) };
    for (let depth = 0; depth < 6; depth++)
      files[`content/docs/f${depth}.md`] = `{{% include "f${depth + 1}.md" %}}\n\n`.repeat(20);
    const { markdown, faults } = await read('{{% include "f1.md" %}}', files);
    expect(markdown.length).toBeLessThan(30_000_000);
    expect(faults.join()).toContain("too");
  });
});

describe("a site", () => {
  test("with Blackfriday's ids has those", async () => {
    const config = `${CONFIG}markup: {goldmark: {parser: {autoHeadingIDType: blackfriday}}}\n`;
    const { markdown } = await read("## What's new? (v1.2)\n\n## snake_case\n\n## --flag", {
      "hugo.yaml": config,
    });
    expect(markdown).toBe(
      "## What's new? (v1.2) {#what-s-new-v1-2}\n\n## snake_case {#snake-case}\n\n## --flag {#flag}",
    );
  });

  test("shows a title with one space for several, and takes a slash in it for no folder", async () => {
    const site = await hugoSite({
      "hugo.yaml": `${CONFIG}permalinks: {blog: "/blog/:slug/"}\n`,
      "content/blog/a.md": '---\ntitle: "SSL/TLS  in \u00a0depth"\n---\n',
      "content/blog/b.md": "Words.\n",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["blog/ssl-tls-in-depth", "blog/b"]);
    // A page without a title has nothing to show in a menu.
    expect(site.menu).toEqual([
      {
        label: "Blogs",
        children: [{ label: "SSL/TLS in depth", path: "blog/ssl-tls-in-depth", children: [] }],
      },
    ]);
  });

  test("may have addresses that end in .html in the sections alone that its configuration names", async () => {
    const site = await hugoSite({
      "hugo.yaml": `${CONFIG}uglyURLs: {Post: true, docs: false}\n`,
      "content/post/a.md": "---\ntitle: A\n---\n",
      "content/post/2024/b.md": "---\ntitle: B\n---\n",
      "content/post/_index.md": "---\ntitle: Posts\n---\n",
      "content/docs/c.md": "---\ntitle: C\n---\n",
      "content/post.md": "---\ntitle: D\n---\n",
      "content/about.md": "---\ntitle: E\n---\n",
    });
    expect(site.pages.map(({ path }) => path).toSorted()).toEqual([
      "about",
      "docs/c",
      "post",
      "post/2024/b.html",
      "post/a.html",
    ]);
  });

  test("reads links as words whose target its own template of links takes for no address", async () => {
    const hook =
      '{{ $u := urls.Parse .Destination }}{{ $level := "warning" }}\n' +
      '{{- if eq $u.String "g" }}{{ partial "term" .Text }}{{ else if eq .Destination "tbd" }}{{ .Text }}' +
      '{{ else if eq $level "warning" }}{{ warnf "x" }}{{ end }}';
    const body =
      "A [term](g) and a [`code` of [two] words](g), [later](tbd), [one more][1].\n\n[1]: g\n\n" +
      "A [page](warning), `[term](g)`, ![picture](g).\n\n```md\n[term](g)\n```";
    const files = { "content/docs/page/warning.md": "---\ntitle: W\n---\n" };
    const { markdown } = await read(body, { ...files, "layouts/docs/_markup/render-link.html": hook });
    expect(markdown).toBe(
      "A term and a `code` of [two] words, later, [one more][1].\n\n[1]: g\n\n" +
        "A [page](/docs/page/warning), `[term](g)`, ![picture](g).\n\n```md\n[term](g)\n```",
    );
    expect((await read("A [term](g).")).markdown).toBe("A [term](/docs/page/g).");
  });

  test("takes attributes of a heading that are no id off it", async () => {
    expect((await read("## Setup {anchor=false}\n\n## Use {.big weight=1}")).markdown).toBe(
      "## Setup {#setup}\n\n## Use {#use}",
    );
  });

  test("gives no id to an empty heading, and one hash too many is none of an id", async () => {
    expect((await read("##\n\n## Setup {##first-steps}")).markdown).toBe(
      "##  {#}\n\n## Setup {#first-steps}",
    );
  });

  test("is recognized by folders for the content of each language alone", async () => {
    const site = await siteOf({
      "hugo.toml":
        "[languages.en]\ncontentDir = 'content.en'\nweight = 1\n[languages.zh]\ncontentDir = 'content.zh'\n",
      "content.en/docs/a.md": "---\ntitle: A\n---\n",
      "content.zh/docs/a.md": "---\ntitle: A\n---\n",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["docs/a", "zh/docs/a"]);
  });

  test("takes the date and slug in a file's name where front matter has none before", async () => {
    const site = await hugoSite({
      "hugo.yaml": `${CONFIG}frontmatter: {date: [date, ":filename"]}\npermalinks: {blog: "/:year/:month/:slug/"}\n`,
      "content/blog/2024-01-02-named.md": '---\ntitle: "By its name "\n---\n',
      "content/blog/2024-01-02-dated.md": "---\ntitle: By its title\ndate: 2023-05-06\n---\n",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["2023/05/by-its-title", "2024/01/named"]);
  });

  test("with a configuration that does not parse is read with the defaults, and asks", async () => {
    const site = await hugoSite({
      "hugo.yaml": "baseURL: https://x.invalid/",
      "config/_default/params.toml": "= broken",
      "content/a.md": "---\ntitle: A\n---\n",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["a"]);
    expect(site.unknowns[0]?.question).toContain("config/_default/params.toml cannot be read");
  });

  test("whose one file of configuration does not parse is Hugo's by that file's name", async () => {
    const site = await recognizeFiles({ "hugo.toml": "[[[", "content/a.md": "Text" });
    expect(site?.pages.map(({ path }) => path)).toEqual(["a"]);
    expect(site?.unknowns[0]?.question).toContain("hugo.toml cannot be read");
  });

  test("says which files make pages that cannot be known, and which pages are left out", async () => {
    const site = await hugoSite({
      "content/a.md": "---\ntitle: A\naliases: [/old]\n---\n",
      "content/b.md": "---\ntitle: B\ndraft: true\n---\n",
      "content/docs/_content.gotmpl": "{{ range . }}{{ end }}",
      "content/docs/c.adoc": "= C",
    });
    expect(site.leftOut.map(({ location }) => location)).toEqual([
      "content/docs/_content.gotmpl",
      "content/docs/c.adoc",
      "content/b.md",
    ]);
    expect(site.redirects).toEqual([{ from: "old", to: "a" }]);
  });

  test("does not run costly patterns of ignoreFiles, and asks instead", async () => {
    const site = await hugoSite({
      "hugo.yaml": `${CONFIG}ignoreFiles: ["(a+)+$", "b\\\\.md$"]\n`,
      [`content/${"a".repeat(60)}!.md`]: "---\ntitle: A\n---\n",
      "content/b.md": "---\ntitle: B\n---\n",
    });
    expect(site.pages).toHaveLength(1);
    expect(site.unknowns[0]?.question).toContain("(a+)+$");
  });

  test("is not Zola's", async () => {
    const config = 'base_url = "https://x.invalid"\ntheme = "y"';
    const site = await recognizeFiles({ "config.toml": config, "content/a.md": "# A" });
    expect(site?.generator).toBe("Zola");
  });

  test("reads front matter in a comment", async () => {
    const site = await hugoSite({
      "content/a.md": '<!--\n---\ntitle: "A page"\nweight: 3\n---\n-->\n\nWords.\n',
      "content/b.md": "<!-- only a comment -->\n\nWords.\n",
    });
    const read = await Promise.all(site.pages.map((page) => site.read(page)));
    expect(read.map(({ data, markdown }) => [data["title"], markdown.trim()])).toEqual([
      ["A page", "Words."],
      [undefined, "<!-- only a comment -->\n\nWords."],
    ]);
  });

  test("may say what concerns a language in a file of that language", async () => {
    const site = await siteOf({
      "config/_default/hugo.toml": 'baseURL = "https://docs.example.org/"\ndefaultContentLanguage = "en"\n',
      "config/_default/languages.en.toml": 'contentDir = "content/en"\nweight = 1\n',
      "config/_default/languages.fr.toml": 'contentDir = "content/fr"\nweight = 2\n',
      "content/en/a.md": "---\ntitle: A\n---\n",
      "content/fr/a.md": "---\ntitle: A\n---\n",
    });
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["a", "fr/a"]);
  });

  test("has languages in folders of their names where what says so is made at the build", async () => {
    const config = "baseURL: https://docs.example.org/\nlanguages: {en: {weight: 1}, fr: {weight: 2}}\n";
    const files = {
      "hugo.yaml": config,
      "content/en/_index.md": "---\ntitle: Home\n---\n",
      "content/en/a.md": "---\ntitle: A\n---\n",
      "content/fr/_index.md": "---\ntitle: Accueil\n---\n",
    };
    const site = await siteOf(files);
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["", "a", "fr"]);
    expect(site.unknowns.map(({ guess }) => guess)).toEqual([
      "the folders that have their names, such as content/en",
    ]);
    const withHome = await siteOf({ ...files, "content/_index.md": "---\ntitle: Home\n---\n" });
    expect(withHome.pages.map(({ path }) => path).sort()).toEqual(["", "en", "en/a", "fr"]);
  });
});

describe("versions in folders", () => {
  const NAMES = ["_index", "install", "use", "more"];
  const inVersion = (folder: string, names = NAMES) =>
    Object.fromEntries(names.map((name) => [`content/${folder}/${name}.md`, `---\ntitle: ${name}\n---\n`]));
  const DOCS = {
    ...inVersion("docs/v1.9"),
    ...inVersion("docs/v1.10", [...NAMES, "new"]),
    ...inVersion("docs/v2.0-beta"),
    ...inVersion("docs/archive/v1.8"),
  };
  const pathsOf = async (params: string, version?: string) => {
    const config = `baseURL: https://docs.example.org/\nparams: ${params}\n`;
    const site = await openFiles(hugo, { ...DOCS, "hugo.yaml": config }, { version });
    return [...new Set(site.pages.map(({ path }) => path.replace(/\/(?:install|use|more|new)$/, "")))];
  };

  test("are one for readers: the one that the site calls its current one, or the highest", async () => {
    expect(await pathsOf("{}")).toEqual(["docs/v2.0-beta"]);
    expect(await pathsOf("{latest_stable_version: 1.10}")).toEqual(["docs/v2.0-beta"]);
    expect(await pathsOf("{latest_stable_version: v1.10}")).toEqual(["docs/v1.10"]);
    expect(await pathsOf("{versions: {next: '2.0', current: '1.9'}}")).toEqual(["docs/v1.9"]);
    expect(await pathsOf("{versions: [{version: main}, {version: v1.10}, {version: v1.9}]}")).toEqual([
      "docs/v1.10",
    ]);
  });

  test("are read in the one that is asked for, the others with an entry in the ledger", async () => {
    expect(await pathsOf("{}", "1.9")).toEqual(["docs/v1.9"]);
    expect(await pathsOf("{}", "v1.8")).toEqual(["docs/archive/v1.8"]);
    expect(await pathsOf("{latest: v1.10}", "7.0")).toEqual(["docs/v1.10"]);
    const site = await hugoSite(DOCS);
    expect(site.leftOut.find(({ location }) => location === "content/docs/v1.9/use.md")?.detail).toBe(
      "is of version 1.9, and not of 2.0-beta: a source with --version 1.9 reads it",
    );
    expect(site.menu.flatMap(({ children }) => children).map(({ path }) => path)).not.toContain("docs/v1.9");
  });

  test("are old ones where the latest lies in no such folder", async () => {
    const files = {
      ...inVersion("docs/guide"),
      ...inVersion("v1.9/docs/guide"),
      ...inVersion("v1.10/docs/guide"),
    };
    const paths = async (version?: string) => {
      const site = await openFiles(hugo, { "hugo.yaml": CONFIG, ...files }, { version });
      return site.pages.map(({ path }) => path).filter((path) => path.endsWith("/use"));
    };
    expect(await paths()).toEqual(["docs/guide/use"]);
    expect(await paths("1.9")).toEqual(["v1.9/docs/guide/use"]);
    expect(await paths("7.0")).toEqual(["docs/guide/use"]);
  });

  test("are none where folders of such names hold different pages", async () => {
    const site = await hugoSite({
      ...inVersion("releases/1.0", ["_index", "a", "b"]),
      ...inVersion("releases/1.1", ["_index", "c", "d"]),
      ...inVersion("blog/2024", NAMES),
      ...inVersion("blog/2025", NAMES),
      ...inVersion("api/v1", NAMES),
      ...inVersion("api/v2", NAMES),
    });
    expect(site.leftOut).toEqual([]);
  });
});
