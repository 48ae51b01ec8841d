import { describe, expect, test } from "bun:test";
import type { DocsSite } from "../../../src/reading/generators/docs-site.ts";
import { mintlify } from "../../../src/reading/generators/mintlify/mintlify.ts";
import { placesIn } from "../../../src/reading/markdown/anchors.ts";
import { openFiles } from "./open-files.ts";

const CONFIG = { $schema: "https://mintlify.com/docs.json", name: "Ours", theme: "mint", colors: {} };

const open = (files: Readonly<Record<string, string>>, config: Record<string, unknown> = {}) =>
  openFiles(mintlify, { "docs.json": JSON.stringify({ ...CONFIG, ...config }), ...files });

async function readAt(site: DocsSite, path: string) {
  const page = site.pages.find((each) => each.path === path);
  if (page === undefined) throw new Error(`there is no page at ${path}`);
  return site.read(page);
}

describe("configuration", () => {
  test("of another program with the same name is left alone", async () => {
    const files = { "docs.json": '{"title": "Ours", "navigation": []}', "index.md": "# Hello" };
    expect(openFiles(mintlify, files)).rejects.toThrow("does not recognize");
  });

  test("that does not parse keeps the pages, and is said", async () => {
    const broken = '{"$schema": "https://mintlify.com/docs.json", "navigation": ';
    const site = await openFiles(mintlify, { "docs.json": broken, "index.mdx": "Hello" });
    expect(site.pages.map(({ path }) => path)).toEqual([""]);
    expect(site.unknowns[0]?.question).toContain("docs.json cannot be read");
  });

  test("names other files only inside of the source, and no loop of them", async () => {
    const site = await open(
      { "a.json": '{"$ref": "b.json"}', "b.json": '{"$ref": "./a.json"}', "index.mdx": "" },
      { navigation: { groups: [{ $ref: "../outside.json" }, { $ref: "a.json" }, { $ref: "none.json" }] } },
    );
    const questions = site.unknowns.map(({ question }) => question);
    expect(questions[0]).toContain("../outside.json, which docs.json names? It is not in this source");
    expect(questions[1]).toContain("./a.json, which b.json names? It names itself");
    expect(questions[2]).toContain("none.json, which docs.json names? It is not in this source");
  });

  test("that makes pages from the description of an API asks for that", async () => {
    const site = await open(
      { "index.mdx": "" },
      { navigation: { groups: [{ group: "API", openapi: "openapi.json", pages: ["GET /users"] }] } },
    );
    expect(site.unknowns[0]?.question).toContain("from the descriptions of APIs");
  });

  test("of the older form has its groups below the tabs that hold their pages", async () => {
    const site = await openFiles(mintlify, {
      "mint.json": JSON.stringify({
        name: "Ours",
        colors: {},
        tabs: [
          { name: "API", url: "api" },
          { name: "Blog", url: "https://example.com" },
        ],
        navigation: [
          { group: "Start", pages: ["start"] },
          { group: "Calls", pages: ["api/one"] },
        ],
      }),
      "start.mdx": "",
      "api/one.mdx": "",
    });
    expect(site.menu).toEqual([
      {
        label: "Documentation",
        children: [{ label: "Start", children: [{ label: "Start", path: "start", children: [] }] }],
      },
      {
        label: "API",
        children: [{ label: "Calls", children: [{ label: "One", path: "api/one", children: [] }] }],
      },
    ]);
  });
});

describe("snippets", () => {
  test("that import each other, and that are not there, are faults of the page", async () => {
    const site = await open({
      "index.mdx": 'import A from "/snippets/a.mdx";\nimport B from "/snippets/none.mdx";\n\n<A />\n\nWords.',
      "snippets/a.mdx": 'import C from "./c.mdx";\n\nIn a.\n\n<C />',
      "snippets/c.mdx": 'import A from "./a.mdx";\n\nIn c.\n\n<A />',
    });
    const { markdown, faults } = await readAt(site, "");
    expect(markdown).toContain("In a.");
    expect(markdown).toContain("In c.");
    expect(faults).toEqual([
      "./a.mdx, which it imports, imports itself",
      "/snippets/none.mdx, which it imports, is not in this source",
    ]);
  });

  test("that would fill a page without end are cut off", async () => {
    const twice = (name: string) => `import X from "./${name}.mdx";\n\n${"<X />\n\n".repeat(60)}`;
    const site = await open({
      "index.mdx": twice("snippets/a").replace("./", "/"),
      "snippets/a.mdx": twice("b"),
      "snippets/b.mdx": twice("c"),
      "snippets/c.mdx": "Words and words and words and words. ".repeat(100),
    });
    const { markdown, faults } = await readAt(site, "");
    expect(markdown.length).toBeLessThan(10_000_000);
    expect(faults).toContain("it takes in more than can be read");
  });
});

describe("pages", () => {
  test("with an operation that no file describes show what is known, and say so", async () => {
    const site = await open({ "users.mdx": "---\nopenapi: GET /users\n---\n" });
    const { data, markdown, faults } = await readAt(site, "users");
    expect(data["title"]).toBe("Users");
    expect(markdown).toContain("`GET /users`");
    expect(faults[0]).toContain("in no OpenAPI file of this source");
  });

  test("with one address are published once", async () => {
    const site = await open({ "a.mdx": "", "a/index.mdx": "", "a/LICENSE.md": "", "skill.md": "" });
    expect(site.pages).toEqual([{ location: "a.mdx", path: "a" }]);
    expect(site.leftOut).toEqual([
      { location: "a/LICENSE.md", detail: "is never published by Mintlify" },
      { location: "a/index.mdx", detail: "has the address of a.mdx" },
      { location: "skill.md", detail: "is never published by Mintlify" },
    ]);
  });

  test("keep what is written between fences as it is", async () => {
    const body =
      'Text.\n\n````mdx page.mdx\nimport A from "/none.mdx";\n\n## Not a heading {#x}\n\n<Note>{{x}}</Note>\n````\n';
    const { markdown, faults } = await readAt(await open({ "index.mdx": body }), "");
    expect(faults).toEqual([]);
    expect(markdown).toContain(
      '**page.mdx**\n\n```mdx\nimport A from "/none.mdx";\n\n## Not a heading {#x}\n',
    );
  });
});

test("a page that only has the address of another site is an entry of the menu, and no page", async () => {
  const site = await open(
    {
      "index.mdx": "# Home",
      "forum.mdx": "---\ntitle: Forum\nurl: https://forum.example.com/\n---\n",
    },
    { navigation: { pages: ["index", "forum"] } },
  );
  expect(site.pages.map(({ path }) => path)).toEqual([""]);
  expect(site.menu[1]).toEqual({ label: "Forum", href: "https://forum.example.com/", children: [] });
  expect(site.leftOut).toEqual([
    { location: "forum.mdx", detail: "only leads to https://forum.example.com/" },
  ]);
});

test("code of a group is in tabs, where it has a title", async () => {
  const code = (info: string) => `\`\`\`${info}\nx\n\`\`\`\n`;
  const body = `<CodeGroup>\n${code("js index.js")}\n${code('py title="It is"')}</CodeGroup>\n\n${code("go main.go")}`;
  const { markdown } = await readAt(await open({ "index.mdx": body }), "");
  expect(markdown.replace(/\n+/g, "\n").trim()).toBe(
    ":::tab[index.js]\n```js\nx\n```\n:::\n:::tab[It is]\n```py\nx\n```\n:::\n**main.go**\n```go\nx\n```",
  );
});

test("parameters, tabs, steps and accordions are places that links lead to", async () => {
  const body =
    'See [it](#param-max-items).\n\n<ParamField query="maxItems" type="number">\n  How many.\n</ParamField>\n\n<ResponseField name="thumbnails.background" type="string">\n  Where.\n</ResponseField>\n\n<Accordion title="What is it?" id="chosen">\n  Words.\n</Accordion>\n\n<Tabs>\n  <Tab title="On macOS">\n    Words.\n  </Tab>\n</Tabs>\n\nA <ParamField path="inLine" /> field.\n';
  const { markdown } = await readAt(await open({ "index.mdx": body }), "");
  expect(placesIn(markdown)).toEqual([
    "param-max-items",
    "max-items",
    "param-thumbnails-background",
    "response-thumbnails-background",
    "thumbnails-background",
    "chosen",
    "on-macos",
  ]);
  expect(markdown).toContain(
    '<a id="param-max-items"></a><a id="max-items"></a>\n\n**`maxItems`**, `number`',
  );
});
