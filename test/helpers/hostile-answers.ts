import { createCitationWriter } from "../../src/answering/answer/citations/citations.ts";
import { type Alive, FOREIGN_PARSERS } from "./foreign-markdown.ts";

export const PASSAGES = Array.from({ length: 5 }, (_, index) => ({
  number: index + 1,
  url: `https://docs.example/p${index + 1}#part`,
  path: `p${index + 1}`,
}));
const OWN_MAILBOX = "help@docs.example";
const LINKED = new Set(PASSAGES.flatMap(({ url }) => [url, url.replace("#part", "")]));
/** What looks like theirs and is at their host: a client that takes a mark before it for a part of its name misses, and harms nobody. */
const TO_OWN_HOST = /^mailto:[^@]*help@docs\.example$/i;
const HARMLESS_TAG = /^<\/?(?:br|sub|sup|kbd)\s{0,2}\/?>$/i;
const PIECES_MAX = 30;

/** What answers are made of that try to pass for something else, each mark and what has once gone together with it. */
const MARKS = [
  ..."[]()`\n~!<>\\#|:1a\"'*_-&;\t. /@=+^$%{}?,2".split(""),
  ..."```,~~~,````,```~,~~~`,``,` `,`` ` ``,`a`,``a``,`a | b`,`|`,\\`,\\\\,\\|,\\\\|".split(","),
  "\n\n",
  "\n    ",
  "\n  ",
  "\n   ",
  "\n\t",
  "\n# ",
  "\n## ",
  "\n---\n",
  "\n===\n",
  "***",
  "\r",
  "> ",
  "\n> ",
  "- ",
  "\n- ",
  "1. ",
  "\n1. ",
  "\n2. ",
  "\n10. ",
  "* ",
  "+ ",
  "\n* ",
  "[ ] ",
  "- [ ] ",
  "```js\n",
  "```suggestions\n",
  "\n```\n",
  "\n~~~\n",
  "\n```~~\n",
  "\n> ```\n",
  "\n- ```\n",
  "\n1. ```\n",
  "\n2. ```\n",
  "\n  ```\n",
  "\n   ```\n",
  "\n    ```\n",
  "\n      ```\n",
  "\n| ",
  "|-|\n",
  "\n|-|-|\n",
  "| a | b |\n|---|---|\n",
  "| --- | --- |\n",
  "a | b\n",
  "-|-\n",
  "\n:-:|-\n",
  "[1]",
  "[7]",
  "[^1]",
  "[^7]",
  "[1, 7]",
  "![7]",
  "【7】",
  "【1】",
  "[x]",
  "[a](",
  "![",
  "](",
  "]: ",
  "b`]: ",
  "<br>",
  "<br/>\n",
  "<kbd>",
  "</kbd>",
  "<sub>",
  "</a>",
  "<a href=x>",
  "<img src=x>",
  "<img src=x",
  "<div>",
  "<!--",
  "-->",
  "<?",
  "<![CDATA[",
  "<script>",
  "</script>",
  "<pre>",
  "<details>\n",
  "https://evil.example/",
  "http://evil.example/?q=a|b",
  "//evil.example",
  "www.evil.example",
  "https:",
  "//",
  "ftp://evil.example",
  "htt",
  "ps://evil.example",
  "http",
  "://",
  "www",
  ".evil.example",
  "javascript:x",
  "<https://evil.example>",
  "<mailto:a@evil.example>",
  "<a@evil.example>",
  "mailto:",
  "xmpp:",
  "a@evil.example",
  "john",
  "@evil.example",
  "@evil",
  ".com",
  OWN_MAILBOX,
  "[us](mailto:help@docs.example)",
  "\\@",
  "\\:",
  "\\/",
  "\\.",
  "\\_",
  "&#104;",
  "&#x68;",
  "&colon;",
  "&sol;",
  "&commat;",
  "&period;",
  "&lt;",
  "&amp;",
  "&#96;",
  "&#10;",
  "&NewLine;",
  "&Tab;",
  "&lbrack;",
  "&#91;",
  "&#40;",
  "&excl;",
  "&zwj;",
  "[x](http://evil.example)",
  "![p](http://evil.example/p.png)",
  "[x]`](http://evil.example)",
  "[a]: http://evil.example\n",
  "[a][]",
  "[a]",
  "[x][a]",
  "(http://evil.example)",
  "(<http://evil.example>)",
  "(/evil)",
  "/p1",
  "b",
  "p2.md",
  "[b](/p2)",
  "[`b`](/p2)",
  '[b](p3.md "t")',
  "![b](/p2)",
  "suggestions",
  "\u00a0",
  "\u2028",
  "漢字",
  "é",
  "🙂",
  "—",
  "“",
  "\0",
  "\ufeff",
  "\u200b",
];

/** What has passed a cleaner once. */
export const ATTACKS = [
  [
    "code that merges with an address",
    "``a ![p](http://evil.example/?q=S) [c](http://evil.example) ``http://x.example",
  ],
  ["a tag around a number that goes", "<[7]img src=http://evil.example>"],
  ["an address around a number that goes", "htt[7]ps://evil.example"],
  ["a link around an image that goes", "[x]![](u)(http://evil.example)"],
  ["a definition around a number that goes", "[x][7]: http://evil.example\n\n[x]"],
  ["a definition in a bracket", "[[a]: http://evil.example\n\n[a]"],
  ["code around a number that goes", "``a``[7]`x [l](http://evil.example)`"],
  ["an escaped address", "https\\://evil.example www\\.evil.example \\https://evil.example"],
  ["an address with an entity", "&#104;ttps://evil.example https&colon;//evil.example"],
  ["an address within a word", "xhttps://evil.example xwww.evil.example"],
  ["an address with a bar in a table", "| a |\n|---|\n| http://evil.example/?q=a|b |"],
  ["code in a table of which the head comes first", "` | [x](http://evil.example) `\n--- | ---\na | b"],
  ["a fence that is a table's head", "~~~`a | b\n| --- | --- |\n[x](http://evil.example)"],
  ["a fence that interrupts nothing", "a\n2. ```\n[x](http://evil.example)\n   ```"],
  ["a fence that one client ends early", "```\n```~~\n[x](http://evil.example)\n```"],
  ["a fence in an item that ends with a space that is none", "- ```\n\u00a0\n```\n<img src=x>"],
  ["a label in which code is not code", "[```[x]`](http://evil.example)```"],
  [
    "the docs' mailbox before an image that goes",
    "help@docs.example![| a | b |\n|---|---|\n[x]`](http://evil.example)",
  ],
  ["the docs' mailbox before a number that goes", "help@docs.example_【7】1"],
  ["the docs' mailbox before more of a host", "help@docs.example.+ help@docs.example......../x"],
  ["a tag behind a mark that nobody sees", "\ufeff<br>\n<img src=x>"],
  ["a tag alone on its line once what follows is gone", "<br>[7]\n<img src=x>"],
] as const;

/** A row of numbers below a bound, the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (below) => {
    for (const shift of [13, -17, 5]) state ^= shift > 0 ? state << shift : state >>> -shift;
    state >>>= 0;
    return state % below;
  };
}

/** A text in pieces, of all marks or of a few that then meet each other more often. */
export function hostileAnswer(random: (below: number) => number): string[] {
  const pick = (from: string[]) => from[random(from.length)] ?? "";
  const few = Array.from({ length: 3 + random(12) }, () => pick(MARKS));
  const marks = random(3) === 0 ? MARKS : few;
  return Array.from({ length: 1 + random(PIECES_MAX) }, () => pick(marks));
}

/** What a reader would be shown of a text that comes in these pieces. */
export function shownOf(pieces: string[]): string {
  const writer = createCitationWriter(PASSAGES, { mailboxes: [OWN_MAILBOX] });
  return pieces.map((piece) => writer.write(piece)).join("") + writer.end();
}

/** What any parser makes of a text that must not be: images, tags, links to anywhere but the passages' pages. */
export function harmIn(text: string, isLinked = (url: string) => LINKED.has(url)): Record<string, Alive> {
  const found = Object.entries(FOREIGN_PARSERS).map(([name, read]): [string, Alive] => {
    const { images, links, tags } = read(text);
    return [
      name,
      {
        images,
        links: links.filter((url) => !isLinked(url) && !TO_OWN_HOST.test(url)),
        tags: tags.filter((tag) => !HARMLESS_TAG.test(tag)),
      },
    ];
  });
  return Object.fromEntries(
    found.filter(([, { images, links, tags }]) => images.length + links.length + tags.length > 0),
  );
}

/** The fewest pieces of a harmful text that still do harm, for whoever has to mend it. */
export function shrunk(pieces: string[]): string[] {
  const without = pieces
    .map((_, index) => pieces.toSpliced(index, 1))
    .find((fewer) => Object.keys(harmIn(shownOf(fewer))).length > 0);
  return without === undefined ? pieces : shrunk(without);
}
