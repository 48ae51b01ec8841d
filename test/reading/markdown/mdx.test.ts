import { describe, expect, test } from "bun:test";
import { unwrapMdx } from "../../../src/reading/markdown/mdx/mdx.ts";

const unwrap = (source: string): string => unwrapMdx(source).markdown.trim();

describe("MDX", () => {
  const cases: Array<[name: string, source: string, markdown: string]> = [
    [
      "imports go",
      "import A from 'a'\nimport { B,\n  C } from \"b\"\n\n# T\n\nimport D from 'd'\n\ntext",
      "# T\n\ntext",
    ],
    ["exports go, however long", "export const a = {\n  b: `}\n\n`,\n  c: () => <p>d</p>,\n}\n\n# T", "# T"],
    ["a heading right after an import stays", "import A from 'a'\n# T", "# T"],
    [
      "prose that begins like code stays",
      "import the module first.\n\nexport your data to a file.",
      "import the module first.\n\nexport your data to a file.",
    ],
    [
      "imports in code stay",
      "```js\nimport A from 'a'\nexport default A\n```",
      "```js\nimport A from 'a'\nexport default A\n```",
    ],
    [
      "a component's title becomes words",
      '<Card title="Start here" href="/start">\n  Go.\n</Card>',
      "**[Start here](/start)**\n\nGo.",
    ],
    ["a title in braces counts", "<Tab label={'One'}>\na\n</Tab>", ":::tab[One]\n\na\n\n:::"],
    ["a description counts", '<Card title="A" description="B c." />', "**A**\n\nB c."],
    [
      "a documented parameter keeps its name, type and default",
      '<ParamField path="id" type="Map<A>" required default="x">\n  The id.\n</ParamField>',
      "**`id`**, `Map<A>`, required, default: `x`\n\nThe id.",
    ],
    [
      "tags in a sentence leave its words",
      'Press <kbd>Enter</kbd> or <Key name="Esc"/> now',
      "Press Enter or  **Esc**  now",
    ],
    ["table cells stay apart", "<tr><td>a</td><td>b</td></tr>", "a b"],
    [
      "links and images stay",
      'See <a href="/x" class="y">the docs</a>.\n\n<img src="a.png" alt="A b" />',
      "See [the docs](/x).\n\n![A b](a.png)",
    ],
    [
      "indented children are no code",
      "<Steps>\n  <Step>\n    ## Head\n\n    - a\n      - b\n  </Step>\n</Steps>\n\nafter",
      "## Head\n\n- a\n  - b\n\nafter",
    ],
    [
      "fences in components are dedented whole",
      "<Tabs>\n    <Tab>\n        ```js\n        if (a) {\n          b();\n        }\n        ```\n    </Tab>\n</Tabs>",
      "```js\nif (a) {\n  b();\n}\n```",
    ],
    ["a component in a list item stays in it", "- a\n  <Note>\n    b\n  </Note>\n- c", "- a\n\n  b\n\n- c"],
    ["what is set apart stays so", "a\n<Warning>b</Warning>\nc", "a\n\n:::warning\n\nb\n\n:::\n\nc"],
    [
      "what says in an attribute how it is set apart, and its title",
      '<Steps>\n  <Aside type="tip" title="Look">\n    b\n  </Aside>\n</Steps>',
      ":::tip[Look]\n\nb\n\n:::",
    ],
    ["in a sentence nothing is set apart", "a <Note>b</Note> c", "a b c"],
    ["a block in a line leaves one gap", "## Style <div>iOS</div> or", "## Style iOS or"],
    ["what ends with what is around it", "<Card>\n<Note>\na\n</Card>\nb", ":::note\n\na\n\n:::\n\nb"],
    [
      "tags in code stay",
      "`<Card>` and ``<A b={c}>``\n\n```\n<Card>\n```",
      "`<Card>` and ``<A b={c}>``\n\n```\n<Card>\n```",
    ],
    ["escaped tags stay", "\\<Card> \\{x}", "\\<Card> \\{x}"],
    ["comments go", "a {/* b */} c\n\n{/*\n\nd\n\n*/}\n\ne", "a  c\n\ne"],
    ["a comment that names an anchor becomes one", "## T {/* #chosen */}", "## T {#chosen}"],
    ["anchors stay", "## T {#chosen}", "## T {#chosen}"],
    ["strings in braces are words", "a {'b'} {\"c\"} {`d`} {' '}e", "a b c d  e"],
    ["values that only the site knows stay as names", "version {props.version}", "version {props.version}"],
    ["words in a conditional stay", "{show && (\n  <>\n    Some prose.\n  </>\n)}", "Some prose."],
    ["attributes may hold anything", "<A b={{c: '}'}} d={`>`} e=\">\" {...f}>g</A>", "g"],
    ["styles and scripts go", "<style>{`.a { color: red }`}</style>b<script>c</script>", "b"],
    ["fragments go", "<>a</>", "a"],
    ["addresses in angles stay", "<https://x.y> <a@b.c>", "<https://x.y> <a@b.c>"],
    ["less-than is not a tag", "a < b, 1 <2, <3", "a < b, 1 <2, <3"],
    ["a version note keeps its name", '<p>\n<Since v="5.0.0" />\n</p>', "Since 5.0.0"],
    [
      "a tooltip is said behind its word",
      "An <Tooltip headline='API' tip=\"How programs talk.\">API</Tooltip> is.",
      "An API (API: How programs talk.) is.",
    ],
    [
      "an update is a heading, with its tags",
      '<Update label="May 2025" description="v1" tags={["New", "Fixes"]}>\n  ## Search\n</Update>',
      "# May 2025\n\nv1\n\nNew, Fixes\n\n## Search",
    ],
    [
      "an HTML heading is one",
      '<h2 id="own" className="x">\n  The <b>words</b>\n</h2>\nmore',
      "## The words {#own}\n\nmore",
    ],
    ["a component's heading is one", '<Heading level={3} id="own">Words</Heading>', "### Words {#own}"],
    ["a heading without an end keeps its words", "<h2>words of it", "words of it"],
    ["code in tags is code", "Press <code>a&lt;b</code>", "Press `a<b`"],
    [
      "a documented parameter keeps its description",
      '<ParamField body="n" type="a or b" description="Says it." />',
      "**`n`**, `a or b`\n\nSays it.",
    ],
    [
      "values in braces count",
      '<ParamField query="n" type={["string", "null"]} required={true} default={10} />',
      "**`n`**, `string, null`, required, default: `10`",
    ],
    [
      "a value that must be computed does not",
      '<ParamField query="n" required={false} default={limit} />',
      "**`n`**",
    ],
    ["a tab without a label has its value", '<TabItem value="npm">a</TabItem>', ":::tab[npm]\n\na \n\n:::"],
    [
      "what is several words is said, whatever it is called",
      '<Join cta="Join us" label="Chat" note="Bring a friend" />',
      "**Chat**\n\nJoin us\n\nBring a friend",
    ],
    [
      "what only machines read is not",
      '<Box className="a wide box" onClick="do it now" style="big red" href="/x" />',
      "",
    ],
    [
      "commands in properties are code, under the names that they have",
      '<Install\n  npm={["i -D -E @a/b", "@a/b format"]}\n  yarn={["add -D @a/b"]}\n/>\n\n<Run command="init"/>\n\n<Run cmd={"migrate all --write"} />',
      "npm: `i -D -E @a/b`, `@a/b format`\n\nyarn: `add -D @a/b`\n\ncommand: `init`\n\ncmd: `migrate all --write`",
    ],
    [
      "code of several lines in a property is a block",
      '- a\n\n  <Snippet title="A file" code={`if (a) {\n\n  b("\\`");\n}`} />\n\nafter',
      '- a\n\n  **A file**\n\n  ```\n  if (a) {\n\n    b("`");\n  }\n  ```\n\nafter',
    ],
    ["a command in a sentence stays in it", 'Run <Run command="a -b" /> now.', "Run  `a -b`  now."],
    [
      "what says where and how is no code",
      '<Box syncKey="pkg" gap="4 2" src="a b.png" of="/a b" className="a -b" mode="dark" />',
      "",
    ],
    ["blank lines do not pile up", "<A>\n<B>\n<C>\n\na\n\n</C>\n</B>\n</A>\n\nb", "a\n\nb"],
  ];
  test.each(cases)("%s", (_, source, markdown) => {
    expect(unwrap(source)).toBe(markdown);
  });

  test("says which properties of components are not shown", () => {
    const page =
      '<Rows data={rows} kinds={["a", "b"]} title="All" />\n<Rows kind="a" filter="open" size="lg" onClick={go} data={other} />\n' +
      '<Card title="A" icon="star" look="big" href="/x">b</Card>\n<Show when={isOpen} />\n\n`<Code a={b}>`\n<img data={x} />';
    expect(unwrapMdx(page).faults).toEqual([
      "<Rows> is not known: data, filter are not shown",
      "<Show> is not known: when is not shown",
    ]);
  });

  test("shows what the front matter says", () => {
    const page = "# {frontmatter.title} {frontMatter.year}\n\n{frontmatter.other} {frontmatter.constructor}";
    expect(unwrapMdx(page, { title: "A <b>", year: 2025 }).markdown.trim()).toBe(
      "# A &lt;b> 2025\n\n{frontmatter.other} {frontmatter.constructor}",
    );
  });

  const broken: Array<[name: string, source: string]> = [
    ["an open tag", "<Card title='x'\n\nwords of the page"],
    ["an open attribute", '<Card title="x>\n\nwords of the page'],
    ["an open brace", "{ a\n\nwords of the page"],
    ["an open expression in a tag", "<Card a={{b: 1}>\n\nwords of the page"],
    ["an element that is never closed", "<Card>\n\nwords of the page"],
    ["an element that was never opened", "</Card>\n\nwords of the page"],
    ["crossed elements", "<A><B></A>words of the page</B>"],
    ["an export that is never closed", "export const a = {\n\nwords of the page"],
    ["an open comment", "{/* a\n\nwords of the page"],
    ["an open template", "{`a\n\nwords of the page"],
    ["stray backticks", "a ``` b ` c\n\nwords of the page"],
    ["an apostrophe in an expression", "{a.map(b => <i>don't</i>)}\n\nwords of the page"],
  ];
  test.each(broken)("loses no words by %s", (_, source) => {
    expect(unwrap(source)).toContain("words of the page");
  });
});
