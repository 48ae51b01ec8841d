import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createMarkdownView } from "../../../src/faces/markdown/markdown.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { registerDom } from "../../helpers/dom.ts";
import { html, show } from "./show.ts";

const DOCS = join(import.meta.dir, "../../../docs");
const PIECES_MAX = 60;

let unregister: () => Promise<void>;
beforeAll(() => {
  unregister = registerDom();
});
afterAll(() => unregister());

/** The text so far, cut at places that look like chance. */
function* cutAtRandom(text: string, random: () => number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    at += 1 + Math.floor(random() * Math.max(8, (2 * text.length) / PIECES_MAX));
    yield text.slice(0, at);
  }
}

describe("markdown that comes in pieces", () => {
  const ODD = [
    "Para\n#\n#foo\n-\n- x\n\n1.\n2. y\n> a\nb\n>\n> c\n***\n`` ` ``\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\ntext\n\n    code\n\n    more\nend\n```\n~~~\n```\n",
    "- a\n\n  b\n- c\n\n\n      d\n\ne\n- [ ] f\n  > g\n  h\n\t- i\n",
    '**a [b](c "d") ![e](f) `g` <https://h.example> &amp; ~~i~~ [[1]](/j) *k*\\\nl  \nm**\nT\n=\nU\n-\n',
  ];

  test("is in the end what it is in one piece", () => {
    const random = seededRandom(7);
    const files = readdirSync(DOCS).filter((file) => file.endsWith(".md") && file !== "benchmarks.md");
    const texts = files.map((file) => readFileSync(join(DOCS, file), "utf8").slice(0, 6000));
    expect(texts.length).toBeGreaterThan(20);
    for (const text of [
      ...texts,
      ...ODD,
      ...ODD,
      ...ODD,
      ...ODD.map((odd) => odd.replaceAll("\n", "\r\n")),
    ]) {
      const container = document.createElement("div");
      const view = createMarkdownView(container);
      for (const soFar of cutAtRandom(text, random)) view.write(soFar);
      view.end();
      expect(container.innerHTML).toBe(show(text).innerHTML);
    }
  });

  test("every letter on its own gives the same as well", () => {
    for (const text of ODD) {
      const container = document.createElement("div");
      const view = createMarkdownView(container);
      for (let at = 1; at <= text.length; at++) view.write(text.slice(0, at));
      view.end();
      expect(container.innerHTML).toBe(show(text).innerHTML);
    }
  });

  test("keeps the nodes of what is finished, and of what goes on", () => {
    const text =
      "# Title\n\nFirst *one* here.\n\n- a\n- b [x](/x) c\n\n```js\nlet a = 1;\nlet b = 2;\n```\n\nThe end.";
    const container = document.createElement("div");
    const view = createMarkdownView(container);
    const first = new Map<string, Node | null>();
    const watched = { h1: 0, "p em": 0, "ul li": 0, "ul a": 0, "pre code": 0 };
    for (let at = 1; at <= text.length; at++) {
      view.write(text.slice(0, at));
      for (const selector of Object.keys(watched)) {
        const found = container.querySelector(selector);
        if (!first.has(selector) && found) first.set(selector, found);
        if (first.has(selector))
          expect({ at, selector, isSame: found === first.get(selector) }).toEqual({
            at,
            selector,
            isSame: true,
          });
      }
    }
    view.end();
    expect([...first.keys()].sort()).toEqual(Object.keys(watched).sort());
    expect(container.querySelector("pre code")).toBe(first.get("pre code") as Element);
  });

  test("grows the same text, so that a selection in it survives", () => {
    const container = document.createElement("div");
    const view = createMarkdownView(container);
    view.write("One two");
    const text = container.querySelector("p")?.firstChild;
    view.write("One two three **four");
    expect(container.querySelector("p")?.firstChild).toBe(text as ChildNode);
    expect(text?.textContent).toBe("One two three ");
  });

  test("what a hook has done to a link or to code stays", () => {
    const container = document.createElement("div");
    let calls = 0;
    const view = createMarkdownView(container, {
      onLink: (link) => {
        calls++;
        link.textContent = "chip";
      },
      onCode: (pre, code) => {
        calls++;
        code.replaceChildren(document.createElement("span"));
        pre.before(document.createElement("button"));
      },
    });
    const text = "- See [x](/x) and\n\n  ```js\n  code\n  ```\n\n  more\n- and\n\nThe end.";
    for (let at = 1; at <= text.length; at++) view.write(text.slice(0, at));
    view.end();
    expect(calls).toBe(2);
    expect(container.querySelector("a")?.textContent).toBe("chip");
    expect(container.querySelector(".code")?.innerHTML).toBe(
      '<button></button><pre tabindex="0" data-language="js"><code><span></span></code></pre>',
    );
    expect(container.textContent).toContain("The end.");
  });

  test("a text that is not the one before goes on is shown anew", () => {
    const container = document.createElement("div");
    const view = createMarkdownView(container);
    view.write("# One\n\ntwo");
    view.write("three");
    view.end();
    expect(container.innerHTML).toBe("<p>three</p>");
  });
});

describe("what is half written looks calm", () => {
  const CASES: [coming: string, html: string][] = [
    ["a **b", "<p>a <strong>b</strong></p>"],
    ["a **b *c", "<p>a <strong>b <em>c</em></strong></p>"],
    ["**bold*", "<p><strong>bold</strong></p>"],
    ["a **", "<p>a</p>"],
    ["`co", "<p><code>co</code></p>"],
    ["see [li", "<p>see li</p>"],
    ["see [link]", "<p>see link</p>"],
    ["see [link](htt", "<p>see link</p>"],
    ['see [link](https://x.example "ti', "<p>see link</p>"],
    ["so [[1", "<p>so </p>"],
    ["so [[1]](https://x", "<p>so </p>"],
    ["a ![al", "<p>a </p>"],
    ["a ![al](/x", "<p>a </p>"],
    ["https://exa", "<p>https://exa</p>"],
    ["x &am", "<p>x</p>"],
    ["x <b", "<p>x</p>"],
    ["| a | b", ""],
    ["| a | b |\n|--", ""],
    [
      "| a | b |\n|---|---|\n| 1",
      '<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead></table></div>',
    ],
    ["``", ""],
    ["```ts", ""],
    ["```ts\nlet", '<div class="code"><pre data-language="ts"><code>let</code></pre></div>'],
    ["```ts\nlet\n``", '<div class="code"><pre data-language="ts"><code>let</code></pre></div>'],
    ["para\n-", "<p>para</p>"],
    ["para\n--", "<p>para</p>"],
    ["- a\n- [", "<ul><li><p>a</p></li><li></li></ul>"],
    ["- a\n-", "<ul><li><p>a</p></li></ul>"],
    ["1. a\n2", "<ol><li><p>a</p></li></ol>"],
    ["#", ""],
    ["> ", ""],
  ];
  for (const [coming, expected] of CASES)
    test(JSON.stringify(coming), () =>
      expect(html(coming, { isComing: true }).replaceAll(" </p>", "</p>")).toBe(
        expected.replaceAll(" </p>", "</p>"),
      ),
    );

  test("and shows as it is when nothing more comes", () => {
    expect(html("see [li")).toBe("<p>see [li</p>");
    expect(html("a **b")).toBe("<p>a **b</p>");
    expect(html("| a | b")).toBe("<p>| a | b</p>");
    expect(html("para\n-")).toBe("<h2>para</h2>");
  });
});

describe("time and depth have a bound", () => {
  /** How deep the deepest element is. */
  function depthOf(element: Element): number {
    let depth = 0;
    for (let level: Element[] = [element]; level.length > 0; depth++)
      level = level.flatMap((each) => [...each.children]);
    return depth - 1;
  }

  const N = 10_000;
  const NESTED: Record<string, string> = {
    quotes: ">".repeat(N),
    "quotes with words": `${"> ".repeat(N)}x`,
    lists: "- ".repeat(N),
    "numbered lists": "1. ".repeat(N),
    "indented lists": Array.from({ length: 400 }, (_, depth) => `${" ".repeat(2 * depth)}- x`).join("\n"),
    brackets: "[".repeat(N),
    "closed brackets": "[".repeat(N) + "]".repeat(N),
    links: "[a](".repeat(N),
    "links with titles": '[a](b "'.repeat(N),
    "links around links": `${"[".repeat(N)}a${"](b)".repeat(N)}`,
    images: `${"![".repeat(N)}a${"](b)".repeat(N)}`,
    stars: "*".repeat(N),
    "strong words": `${"**a ".repeat(N)}${"b** ".repeat(N)}`,
    "mixed emphasis": `${"*a _b ".repeat(N)}${"c* d_ ".repeat(N)}`,
    backticks: Array.from({ length: 400 }, (_, length) => "`".repeat(length)).join(" "),
    "half entities": "&".repeat(N),
    "half tags": "<kbd>".repeat(N),
    addresses: "https://".repeat(N),
    "closing parentheses": `https://a.example/${")".repeat(N)}`,
    "hash marks": `# ${"#".repeat(N)}x`,
    "table cells": `${"|a".repeat(N)}\n${"|-".repeat(N)}`,
    "table lines": "|-|-|\n".repeat(N),
    fences: "```\n".repeat(N),
    spaces: `a${" ".repeat(N)}\n`.repeat(10),
    "tabs in quotes": ">\t".repeat(N),
  };
  for (const [name, text] of Object.entries(NESTED))
    test(`${N} ${name} nest to a bounded depth, coming or whole`, () => {
      expect(depthOf(show(text))).toBeLessThan(150);
      expect(depthOf(show(text, { isComing: true }))).toBeLessThan(150);
    });

  /** How many links are looked at again, while a text comes in pieces: what is read again has its links read again. */
  function looks(text: string, pieces: number): number {
    let count = 0;
    const view = createMarkdownView(document.createElement("div"), {
      resolveLink: () => {
        count++;
        return undefined;
      },
    });
    for (let piece = 1; piece <= pieces; piece++)
      view.write(text.slice(0, Math.ceil((text.length * piece) / pieces)));
    view.end();
    return count;
  }

  test("what is finished is not read again: paragraphs take time by their length alone", () => {
    const paragraphs = (count: number) => "Words with [a link](/a) in them, and some more.\n\n".repeat(count);
    expect(looks(paragraphs(500), 500)).toBeLessThan(500 * 4);
    expect(looks(paragraphs(1000), 1000)).toBeLessThan(1000 * 4);
  });

  test("one endless paragraph takes time by its length, and not by its square", () => {
    const line = (characters: number) => "and [a link](/a) ".repeat(characters / 17);
    const small = looks(line(120_000), 600);
    const large = looks(line(480_000), 2400);
    expect(large / small).toBeLessThan(6);
  });

  test("a megabyte on one line is shown", () => {
    const container = show("word ".repeat(200_000));
    expect(container.textContent?.length).toBe(999_999);
  });
});
