import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createMarkdownView } from "../../../src/faces/markdown/markdown.ts";
import { readUrl } from "../../../src/kernel/text/safe-url.ts";
import { splitSuggestions } from "../../../src/kernel/text/suggestions.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { registerDom } from "../../helpers/dom.ts";

let unregister: () => Promise<void>;
beforeAll(() => {
  unregister = registerDom();
});
afterAll(() => unregister());

const ELEMENTS = new Set(
  (
    "A BLOCKQUOTE BR CODE DEL DIV EM H1 H2 H3 H4 H5 H6 HR IMG INPUT KBD LI OL P PRE STRONG SUB SUP TABLE TBODY TD TH " +
    "THEAD TR UL"
  ).split(" "),
);
/** What each attribute may say. */
const ATTRIBUTES: Record<string, RegExp> = {
  alt: /^/,
  title: /^/,
  class: /^(?:code|table|task)$/,
  checked: /^$/,
  disabled: /^$/,
  type: /^checkbox$/,
  "data-align": /^(?:left|center|right)$/,
  "data-language": /^[\w+#.-]{1,30}$/,
  href: /^(?:https?:\/\/[^/@\\]+(?:[/?#]|$)|mailto:|(?!\/\/)[^:\\]*$|[^:\\]*[/?#])/,
  src: /^(?:https:\/\/docs\.example\/|(?!\/\/)[^:\\]*$|[^:\\]*[/?#])/,
  loading: /^lazy$/,
  referrerpolicy: /^no-referrer$/,
  rel: /^noopener noreferrer$/,
  start: /^\d{1,9}$/,
  tabindex: /^0$/,
  target: /^_blank$/,
};

/** What stands in the page that must not. */
function faults(container: Element): string[] {
  return [...container.querySelectorAll("*")].flatMap((element) => {
    const attributes = [...element.attributes].filter(({ name, value }) => !ATTRIBUTES[name]?.test(value));
    const protocol =
      element instanceof HTMLAnchorElement ? new URL(element.href, "http://localhost/").protocol : "http:";
    return [
      ...(ELEMENTS.has(element.tagName) ? [] : [element.tagName]),
      ...attributes.map(({ name, value }) => `${element.tagName} ${name}=${value}`),
      ...(["http:", "https:", "mailto:"].includes(protocol) ? [] : [protocol]),
    ];
  });
}

/** Shows a text letter by letter, then whole: what must not stand in the page at any moment. */
function faultsOf(text: string): string[] {
  const container = document.createElement("div");
  const view = createMarkdownView(container, { imageOrigins: ["https://docs.example"] });
  const found = new Set<string>();
  for (let at = 1; at <= text.length; at++) {
    view.write(text.slice(0, at));
    for (const fault of faults(container)) found.add(fault);
  }
  view.end();
  return [...found, ...faults(container)];
}

const ADDRESSES = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "java\u0000script:alert(1)",
  "java\u00adscript:alert(1)",
  "javascript\u003aalert(1)",
  "javascript&colon;alert(1)",
  "javascript&#58;alert(1)",
  "javascript&#x3A;alert(1)",
  "java&#x09;script:alert(1)",
  "java&#10;script:alert(1)",
  "&#106;&#97;vascript:alert(1)",
  "&#x6A&#x61;vascript:alert(1)",
  "java\\script:alert(1)",
  "javascript\\:alert(1)",
  "javascript:%61lert(1)",
  "javascript://docs.example/%0aalert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "blob:https://docs.example/x",
  "file:///etc/passwd",
  "ftp://evil.example/x",
  "about:blank",
  "view-source:javascript:alert(1)",
  "intent://x#Intent;end",
  "//evil.example/x",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/&#x5c;evil.example",
  "/\t/evil.example",
  "https:evil.example",
  "https:/evil.example",
  "https:\\\\evil.example",
  "https:///evil.example",
  "https://user:password@evil.example",
  "https://docs.example@evil.example",
  "https://",
  "http://[::1",
  "mailto",
  "x:y",
];

describe("no address of a script, of another host in disguise, or with a password becomes a link or an image", () => {
  for (const address of ADDRESSES)
    test(JSON.stringify(address), () => {
      const written = [
        `[x](${address})`,
        `[x](<${address}>)`,
        `[x](${address} "title")`,
        `![x](${address})`,
        `![x](<${address}>)`,
        `<${address}>`,
        address,
        `[![x](${address})](${address})`,
        `[x][1]\n\n[1]: ${address}`,
        `| [x](${address}) |\n|---|\n| ![y](${address}) |`,
      ];
      for (const text of written) expect({ text, faults: faultsOf(text) }).toEqual({ text, faults: [] });
      expect(
        splitSuggestions(`A\n\n\`\`\`suggestions\n(x)[${address}]\n\`\`\``).suggestions.filter(
          ({ path }) => readUrl(path) === undefined,
        ),
      ).toEqual([]);
    });

  test("and these that are meant well do", () => {
    for (const address of [
      "https://docs.example/a?b=c:d#e",
      "a:b".replace(":", "/"),
      "/a:b",
      "?q=a:b",
      "#a:b",
      "mailto:a@b.example",
      "./a",
      "../a",
    ])
      expect({ address, isSafe: readUrl(address) !== undefined }).toEqual({ address, isSafe: true });
  });
});

describe("tags are text, whatever they hold and wherever they stand", () => {
  const TAGS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)//",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href=javascript:alert(1)>x",
    "<style>@import 'https://evil.example'</style>",
    "<base href='https://evil.example/'>",
    "<form action='https://evil.example'><button>x</button></form>",
    "<details open ontoggle=alert(1)>",
    "<kbd onmouseover=alert(1)>x</kbd>",
    "<sub><img src=x onerror=alert(1)></sub>",
    "<br onclick=alert(1)>",
    "<br/onclick=alert(1)>",
    "<kbd>x</sub>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo 1 ?>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x onerror=alert(1)&#62;",
    "<scr<script>ipt>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<x-element></x-element>",
  ];
  for (const tag of TAGS)
    test(tag, () => {
      const written = [
        tag,
        `# ${tag}`,
        `- ${tag}\n\n  ${tag}`,
        `> ${tag}`,
        `| ${tag} |\n|---|\n| ${tag} |`,
        `**${tag}** \`${tag}\``,
        `[${tag}](/x "${tag}")`,
        `[x](/x '${tag}')`,
        `[x](/${tag})`,
        `![${tag}](/x (${tag}))`,
        `![${tag}](${tag})`,
        `\`\`\`${tag}\n${tag}\n\`\`\``,
        `    ${tag}`,
        `1${tag}. x`,
      ];
      for (const text of written) expect({ text, faults: faultsOf(text) }).toEqual({ text, faults: [] });
    });
});

test("an image of another origin is not loaded, and neither is one that hides in a link or another image", () => {
  for (const text of [
    "![x](https://evil.example/x.png)",
    "![x](http://docs.example/x.png)",
    "![x](https://docs.example.evil.example/x.png)",
    "![![x](https://evil.example/a)](https://evil.example/b)",
    "[![x](https://evil.example/a)](/b)",
    "![x](https://docs.example\\@evil.example/x.png)",
    "<img src=https://evil.example/x>",
  ]) {
    const container = document.createElement("div");
    const view = createMarkdownView(container, { imageOrigins: ["https://docs.example"] });
    view.write(text);
    view.end();
    expect({ text, images: container.querySelectorAll("img").length }).toEqual({ text, images: 0 });
  }
});

test("no link stands in another", () => {
  for (const text of [
    "[a [b](/b) c](/a)",
    "[<https://b.example>](/a)",
    "[https://b.example](/a)",
    "[![x](https://evil.example/x)](/a)",
  ]) {
    const container = document.createElement("div");
    const view = createMarkdownView(container);
    view.write(text);
    view.end();
    expect({ text, nested: container.querySelectorAll("a a").length }).toEqual({ text, nested: 0 });
  }
});

test("anything at all that is put together from the marks of Markdown and HTML is harmless", () => {
  const random = seededRandom(20261121);
  const words = [
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "<",
    ">",
    "`",
    "```",
    "\n",
    "\n\n",
    "    ",
    "- ",
    "> ",
    "1. ",
    "|",
    "|-|",
    "**",
    "_",
    "~~",
    "\\",
    "&#58;",
    "&lt;",
    '"',
    "'",
  ].concat([
    "javascript:",
    "data:",
    "https://",
    "//",
    "@",
    "evil.example",
    "alert(1)",
    "onerror=",
    "<script>",
    "<img ",
    "<kbd>",
    "</kbd>",
    "a",
    " ",
    "\t",
    "\u0000",
    "#",
  ]);
  for (let round = 0; round < 600; round++) {
    const length = 3 + Math.floor(random() * 40);
    const text = Array.from({ length }, () => words[Math.floor(random() * words.length)]).join("");
    const container = document.createElement("div");
    const view = createMarkdownView(container, { imageOrigins: ["https://docs.example"] });
    for (let at = 5; at < text.length; at += 7) view.write(text.slice(0, at));
    view.write(text);
    const coming = faults(container);
    view.end();
    expect({ text, faults: [...coming, ...faults(container)] }).toEqual({ text, faults: [] });
  }
});
