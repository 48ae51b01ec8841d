import { describe, expect, test } from "bun:test";
import { createSlugger, slug } from "../../src/markdown/slug.ts";

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
