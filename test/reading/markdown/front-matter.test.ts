import { describe, expect, test } from "bun:test";
import { NOBODY } from "../../../src/kernel/text/groups/groups.ts";
import { pageGroups, splitFrontMatter } from "../../../src/reading/markdown/front-matter.ts";

describe("front matter", () => {
  test("is taken off, and the line on which the body starts is told", () => {
    const page = splitFrontMatter("---\ntitle: Hello\ntags: [a, b]\n---\n# Body\n");
    expect(page.data["title"]).toBe("Hello");
    expect(page.data["tags"]).toEqual(["a", "b"]);
    expect(page.body).toBe("# Body\n");
    expect(page.bodyLine).toBe(5);
    expect(page.fault).toBeUndefined();
  });

  test("is read behind a byte order mark and with Windows line ends", () => {
    const page = splitFrontMatter("\uFEFF---\r\ntitle: Hello\r\n---\r\nBody\r\nmore\r");
    expect(page.data["title"]).toBe("Hello");
    expect(page.body).toBe("Body\nmore\n");
  });

  test.each([
    ["an empty line", "\n"],
    ["blank lines", " \n\t\n\n"],
    ["a byte order mark and an empty line", "\uFEFF\n"],
    ["a comment", "<!-- vale off -->\n"],
    ["a comment of several lines and an empty line", "<!--\nCopyright\n---\n-->\n\n"],
    ["a comment of MDX", "{/* Copyright\n--- */}\n"],
  ])("is read behind %s", (_, before) => {
    const page = splitFrontMatter(`${before}---\ntitle: Hello\n---\n# Body\n`);
    expect(page.data["title"]).toBe("Hello");
    expect(page.body).toBe("# Body\n");
    expect(page.bodyLine).toBe(before.split("\n").length + 3);
  });

  test.each([
    ["prose between two rules", "\n---\nSome words.\n---\nmore\n"],
    ["a list between two rules", "\n---\n- One: two\n---\nmore\n"],
    ["two rules with nothing between them", "\n---\n\n---\nmore\n"],
    ["a comment with words behind it", "<!-- a --> words\n---\ntitle: Hello\n---\nmore\n"],
    ["a comment that holds it", "<!--\n---\ntitle: Hello\n---\n-->\nmore\n"],
    ["a comment that does not end", "<!--\n\n---\ntitle: Hello\n---\nmore\n"],
    ["a rule that is the only one", "\n---\ntitle: Hello\n"],
  ])("is not seen in %s", (_, source) => {
    expect(splitFrontMatter(source)).toMatchObject({ body: source, bodyLine: 1 });
  });

  test("that cannot be read behind an empty line stays in the page, which is for nobody where groups are named", () => {
    const source = "\n---\ngroups: [staff\n---\n# Body\n";
    const page = splitFrontMatter(source);
    expect(page.body).toBe(source);
    expect(pageGroups(page.data).groups).toEqual([NOBODY]);
  });

  test("may be empty, hold comments alone, or end in dots", () => {
    expect(splitFrontMatter("---\n---\nBody").body).toBe("Body");
    expect(splitFrontMatter("---\n# nothing\n---\nBody").body).toBe("Body");
    expect(splitFrontMatter("---\na: 1\n...\nBody").body).toBe("Body");
  });

  test("may be TOML between pluses, dates of every kind included", () => {
    const page = splitFrontMatter(
      '+++\n# Hugo\ntitle = "Hello"\ndate = 2024-01-02T10:00:00Z\nday = 2024-01-02\ntags = ["a", "b"]\n[params]\nhidden = true\n+++\n# Body\n',
    );
    expect(page.body).toBe("# Body\n");
    expect(page.bodyLine).toBe(10);
    expect(JSON.parse(JSON.stringify(page.data))).toEqual({
      title: "Hello",
      date: "2024-01-02T10:00:00Z",
      day: "2024-01-02",
      tags: ["a", "b"],
      params: { hidden: true },
    });
  });

  test.each([
    ["nesting without end", `a = ${"[".repeat(100_000)}`],
    ["a value that is none", "a = what"],
  ])("in TOML that is broken by %s loses no word of the page", (_, toml) => {
    const page = splitFrontMatter(`+++\n${toml}\n+++\n# Body\n`);
    expect(page.body).toBe("# Body\n");
    expect(page.fault).toStartWith("front matter is not valid TOML");
  });

  test("is not seen in pluses around prose", () => {
    const prose = "+++\nSome words.\n+++\nmore";
    expect(splitFrontMatter(prose)).toMatchObject({ body: prose, bodyLine: 1 });
  });

  test("may have lines that begin with tabs inside of a list or record, as YAML allows", () => {
    const yaml = 'title: A\naliases: [\n\t"/a[b",\n  "/b", # [\n\t\t"/c",\n]\nmenu: {\n\tdocs: 1\n}\nlast: x';
    const page = splitFrontMatter(`---\n${yaml}\n---\n# Body\n`);
    expect(page.fault).toBeUndefined();
    expect(page.data).toEqual({ title: "A", aliases: ["/a[b", "/b", "/c"], menu: { docs: 1 }, last: "x" });
  });

  const broken: Array<[name: string, yaml: string]> = [
    ["a colon too many", "title: Foo: bar"],
    ["a tab", "title:\n\tx: 1"],
    ["an open list", "tags: [a, b"],
    ["nesting without end", `a: ${"[".repeat(100_000)}`],
    ["an alias of itself", "a: &a [*a]"],
    ["an explosion of aliases", explosion()],
  ];
  test.each(broken)("that is broken by %s loses no word of the page", (_, yaml) => {
    const page = splitFrontMatter(`---\n${yaml}\n---\n# Body\n`);
    expect(page.body).toBe("# Body\n");
    expect(Object.keys(page.data)).toEqual([]);
    expect(page.fault).toBeString();
  });

  test("that is never closed is the page's own text", () => {
    const source = "---\ntitle: Hello\n\n# Body\n";
    const page = splitFrontMatter(source);
    expect(page.body).toBe(source);
    expect(page.bodyLine).toBe(1);
    expect(page.fault).toBe("front matter is not closed");
  });

  test("is not seen in prose between two rules, nor below words of the page", () => {
    const prose = "---\n\nSome words, and nothing more.\n\n---\nmore";
    expect(splitFrontMatter(prose)).toMatchObject({ body: prose, bodyLine: 1 });
    expect(splitFrontMatter("A\n---\na: 1\n---\n").body).toBe("A\n---\na: 1\n---\n");
    expect(splitFrontMatter("---\n").fault).toBeUndefined();
  });

  test("can't reach a prototype", () => {
    const { data } = splitFrontMatter(
      "---\n__proto__: {polluted: yes}\nconstructor: mine\nx: {__proto__: {y: 1}}\n---\n",
    );
    expect(Object.getPrototypeOf(data)).toBeNull();
    expect(data["polluted"]).toBeUndefined();
    expect(data["constructor"]).toBe("mine");
    expect(JSON.stringify(data)).toBe('{"constructor":"mine","x":{}}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("leaves no NUL and no lone surrogate in the page", () => {
    expect(splitFrontMatter("a\0b \ud800 c").body).toBe("a\uFFFDb \uFFFD c");
  });
});

function explosion(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 9; level++) {
    lines.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(7)}*a${level - 1}]`);
  }
  return lines.join("\n");
}
