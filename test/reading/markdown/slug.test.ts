import { describe, expect, test } from "bun:test";
import {
  ANCHOR_STYLES,
  type AnchorStyle,
  createSlugger,
  slug,
} from "../../../src/reading/markdown/anchors.ts";

describe("anchors", () => {
  const cases: Array<[words: string, anchor: string]> = [
    ["Hello World", "hello-world"],
    ["Hello,  World!", "hello--world"],
    ["snake_case and kebab-case", "snake_case-and-kebab-case"],
    ["C++ & C#", "c--c"],
    ["v1.10.2 (beta)", "v1102-beta"],
    ["What's new?", "whats-new"],
    ["Größe ändern", "größe-ändern"],
    ["ÉCOLE", "école"],
    ["安装指南", "安装指南"],
    ["インストール・手順", "インストール手順"],
    ["Привет, мир", "привет-мир"],
    ["नमस्ते दुनिया", "नमस्ते-दुनिया"],
    ["I ♥ unicode", "i--unicode"],
    ["😄 emoji", "-emoji"],
    ["a‿b", "a‿b"],
    ["tab\there", "tabhere"],
    ["½ and ²", "-and-"],
    ["no\u00a0break", "nobreak"],
    ["--already-slugged--", "--already-slugged--"],
    ["", ""],
  ];
  test.each(cases)("%j is %j, as on GitHub", (words, anchor) => {
    expect(slug(words)).toBe(anchor);
  });

  test("are numbered when they repeat", () => {
    const slugger = createSlugger();
    expect(["A", "a", "A!"].map(slugger.unique)).toEqual(["a", "a-1", "a-2"]);
  });

  test("step over a number that is a heading's own", () => {
    const slugger = createSlugger();
    expect(["a", "a-1", "a", "a-1", "a"].map(slugger.unique)).toEqual(["a", "a-1", "a-2", "a-1-1", "a-3"]);
  });

  test("of headings without words are numbered too", () => {
    const slugger = createSlugger();
    expect(["", "", "!"].map(slugger.unique)).toEqual(["", "-1", "-2"]);
  });

  test("are safe with the names of an object's own members", () => {
    const slugger = createSlugger();
    expect(["constructor", "__proto__", "__proto__"].map(slugger.unique)).toEqual([
      "constructor",
      "__proto__",
      "__proto__-1",
    ]);
  });

  test("that an author chose are given as they are, and not given again", () => {
    const slugger = createSlugger();
    expect(slugger.claim("Chosen")).toBe("Chosen");
    expect(slugger.claim("install")).toBe("install");
    expect(slugger.unique("Install")).toBe("install-1");
  });
});

describe("anchors of a generator", () => {
  const cases: Array<[words: string, anchors: Partial<Record<AnchorStyle, string>>]> = [
    [
      "What's new?",
      {
        docusaurus: "whats-new",
        vitepress: "what-s-new",
        mkdocs: "whats-new",
        mintlify: "what’s-new",
        sphinx: "what-s-new",
      },
    ],
    [
      "Fees & billing",
      {
        docusaurus: "fees--billing",
        vitepress: "fees-billing",
        mkdocs: "fees-billing",
        mintlify: "fees-&-billing",
        sphinx: "fees-billing",
      },
    ],
    [
      "Config.json options",
      {
        github: "configjson-options",
        vitepress: "config-json-options",
        mkdocs: "configjson-options",
        mintlify: "config-json-options",
        sphinx: "config-json-options",
      },
    ],
    [
      "Rate limits (per minute)",
      {
        mintlify: "rate-limits-per-minute",
        vitepress: "rate-limits-per-minute",
        sphinx: "rate-limits-per-minute",
      },
    ],
    [
      "Read/write access",
      { mintlify: "read/write-access", vitepress: "read-write-access", mkdocs: "readwrite-access" },
    ],
    [
      "my_snake_case",
      {
        vitepress: "my-snake-case",
        mkdocs: "my_snake_case",
        mintlify: "my_snake_case",
        sphinx: "my-snake-case",
      },
    ],
    [
      "2. Install",
      {
        github: "2-install",
        vitepress: "_2-install",
        mkdocs: "2-install",
        mintlify: "2-install",
        sphinx: "install",
      },
    ],
    [
      "Größe – ÉCOLE",
      { vitepress: "große-–-ecole", mkdocs: "groe-ecole", mintlify: "größe-–-école", sphinx: "grosze-ecole" },
    ],
    ["安装指南", { github: "安装指南", vitepress: "安装指南", mkdocs: "", mintlify: "安装指南", sphinx: "" }],
    ["🚀 Launch", { github: "-launch", mintlify: "-launch", mkdocs: "launch", sphinx: "launch" }],
    ['Set "x": y, z!', { mintlify: "set-“x”-y-z", vitepress: "set-x-y-z", mkdocs: "set-x-y-z" }],
  ];
  for (const [words, anchors] of cases) {
    for (const style of ANCHOR_STYLES) {
      const anchor = anchors[style];
      if (anchor === undefined) continue;
      test(`${style}: ${JSON.stringify(words)} is ${JSON.stringify(anchor)}`, () => {
        expect(slug(words, style)).toBe(anchor);
      });
    }
  }

  test.each([
    ["github", ["a", "a-1", "a-2", "", "-1"]],
    ["docusaurus", ["a", "a-1", "a-2", "", "-1"]],
    ["vitepress", ["a", "a-1", "a-2", "", "-1"]],
    ["mintlify", ["a", "a-2", "a-3", "", "-2"]],
    ["mkdocs", ["a", "a_1", "a_2", "_1", "_2"]],
    ["sphinx", ["a", "id1", "id2", "id3", "id4"]],
  ] as const)("of %s are numbered its way", (style, expected) => {
    expect(["A", "A", "A", "!", "!"].map(createSlugger(style).unique)).toEqual([...expected]);
  });

  test("of mkdocs are counted on from a number of their own", () => {
    expect(["a_1", "a_1", "a", "a"].map(createSlugger("mkdocs").unique)).toEqual(["a_1", "a_2", "a", "a_3"]);
  });
});
