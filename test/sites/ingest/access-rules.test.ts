import { describe, expect, test } from "bun:test";
import { createAccessRules, readAccessRules } from "../../../src/reading/sources/files/access/access.ts";
import { readRuleFile } from "../../../src/reading/sources/files/access/rule-file.ts";
import { NOBODY } from "../../../src/sites/pages/audience.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function rulesOf(files: Readonly<Record<string, string>>) {
  const rules = createAccessRules();
  for (const [location, text] of Object.entries(files)) rules.add(location, bytes(text));
  return rules;
}

/** The groups that a rule at the top gives to a file. */
const given = (rule: string, location: string) => rulesOf({ "_access.yml": rule }).of(location)?.groups;

describe("a folder's rule", () => {
  const EXAMPLE = `"**": [staff]
"hr/**": [hr]
"public/*.md": everyone
"drafts/**": nobody
`;
  test.each([
    ["a.md", ["staff"]],
    ["x/y/a.md", ["staff"]],
    ["hr/a.md", ["hr"]],
    ["hr/deep/er/a.md", ["hr"]],
    ["x/hr/a.md", ["staff"]],
    ["public/a.md", []],
    ["public/x/a.md", ["staff"]],
    ["drafts/a.md", [NOBODY]],
  ])("gives %s to %j", (location, groups) => {
    expect(given(EXAMPLE, location)).toEqual(groups);
  });

  test.each([
    // Written as in a .gitignore: without a slash at any depth, a folder with all that is in it.
    ['"hr": [hr]', "hr/x/a.md", ["hr"]],
    ['"hr": [hr]', "x/hr/a.md", ["hr"]],
    ['"/hr": [hr]', "hr/a.md", ["hr"]],
    ['"/hr": [hr]', "x/hr/a.md", undefined],
    ['"hr/": [hr]', "x/hr/a.md", ["hr"]],
    ['"hr/": [hr]', "hr", undefined],
    ['"a.md": everyone', "x/a.md", []],
    ['"/a.md": everyone', "x/a.md", undefined],
    ['"*.md": [a]', "x/y.md", ["a"]],
    ['"x/*": [a]', "x/y/z.md", ["a"]],
    ['"**/x/*.md": [a]', "q/x/z.md", ["a"]],
    ['"x/**/z.md": [a]', "x/z.md", ["a"]],
    ['"[0-9]*.md": [a]', "1.md", ["a"]],
    ['"[!0-9]*.md": [a]', "1.md", undefined],
    ['"?.md": [a]', "ü.md", ["a"]],
    ['"HR/**": [hr]', "hr/a.md", undefined],
    // The last one that matches decides.
    ['"**": [a]\n"x/**": [b]', "x/y.md", ["b"]],
    ['"x/**": [b]\n"**": [a]', "x/y.md", ["a"]],
    ['"x/y.md": [c]\n"x/": [b]', "x/y.md", ["b"]],
    // Also where a name is a number, which an object would put first.
    ['"**": everyone\n2024: [hr]', "2024/a.md", ["hr"]],
    ["'hr/**': hr, legal", "hr/a.md", ["hr", "legal"]],
    ["hr/**: # a comment\n  - hr\n", "hr/a.md", ["hr"]],
    ["hr/**:\n- hr\n", "hr/a.md", ["hr"]],
    ['\uFEFF---\n# Whom it is for\n\n"**": [a]\r\n', "a.md", ["a"]],
    ['"**": Everyone', "a.md", ["Everyone"]],
    ['"**": (nobody)', "a.md", [NOBODY]],
    // The same name, composed in one way and in the other.
    ['"für/**": [a]', "fu\u0308r/a.md", ["a"]],
    ['"fu\u0308r/**": [a]', "für/a.md", ["a"]],
  ])("%j gives %s to %j", (rule, location, groups) => {
    expect(given(rule, location)).toEqual(groups);
  });

  test.each([
    ["", "names no glob"],
    ["# nothing yet\n", "names no glob"],
    ["{}", "names no glob"],
    ["- a\n", "is not a map of globs to groups"],
    ["hr", "is not a map of globs to groups"],
    ["a: b\n---\nc: d\n", "is not a map of globs to groups"],
    ["**: [staff]\n", "is not valid YAML, in which globs stand in quotes"],
    ['"a": [b\n', "is not valid YAML"],
    ['"a": [x]\n"b": [y]\n"a": everyone\n', 'names "a" twice'],
    ['{"a": [x], "b": [y]}', "is not written with each glob on a line of its own"],
    ['  "a": [x]\n', "is not written with each glob on a line of its own"],
    ["? [a]\n: b\n", "is not written with each glob on a line of its own"],
    ["0x10: [a]\n", "is not written with each glob on a line of its own"],
    ["<<: {a: everyone}\n", "is not written with each glob on a line of its own"],
    ["!hr/**: [hr]\n", "is not a map"],
    ['"a": 5', "has groups of which one is not a list of texts"],
    ['"a": true', "has groups of which one is not a list of texts"],
    ['"a": {b: c}', "has groups of which one is not a list of texts"],
    ['"a": [b, 5]', "names something that is not text"],
    ['"a": ["", b]', "names a group without a name"],
    ['"a": ""', "names a group without a name"],
    ['"a":', "has no groups"],
    ['"a": []', "has no groups"],
    ['"a": [everyone]', "each stands alone"],
    ['"a": [nobody, hr]', "each stands alone"],
    ['"a": everyone, hr', "each stands alone"],
    [`"a": [${"x".repeat(201)}]`, "more than 200 characters"],
    ['"": [a]', "has a glob without a name"],
    ['"/": [a]', "has a glob without a name"],
    ['"a//b": [a]', "has a glob without a name"],
    ['"!a": [a]', "begins with an exclamation mark"],
    ['"{a,b}": [a]', "write a line for each"],
    ['"@(a|b)": [a]', "write a line for each"],
    ["'hr\\docs': [a]", "backslash"],
    ['"./a": [a]', ". or .. as a folder"],
    ['"../a": [a]', ". or .. as a folder"],
    ['"a/../b": [a]', ". or .. as a folder"],
    ['" a": [a]', "spaces around it"],
    ['"[a": [a]', "square bracket that is not closed"],
    ['"a]": [a]', "square bracket that is not closed"],
    ['"[a/b]": [a]', "square bracket that is not closed"],
    [`"${"a".repeat(301)}": [a]`, "more than 300 characters"],
    [Array.from({ length: 1_001 }, (_, index) => `"a${index}": [a]`).join("\n"), "more than 1000 globs"],
    [`# ${"x".repeat(100_000)}\n"a": [a]`, "larger than 100000 bytes"],
    ['"a": *b', "is not valid YAML"],
    [
      `a0: &a0 [x]\n${Array.from({ length: 2_000 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join("\n")}`,
      "",
    ],
    ["[".repeat(50_000), "is not valid YAML"],
  ])("%j cannot be used, and nobody may read what is below it", (rule, why) => {
    const rules = rulesOf({ "x/_access.yml": rule });
    expect(rules.of("x/deep/a.md")).toEqual({ location: "x/_access.yml", groups: [NOBODY] });
    expect(rules.of("y/a.md")).toBeUndefined();
    expect(rules.faults()).toEqual([{ location: "x/_access.yml", detail: expect.stringContaining(why) }]);
  });

  test("that is not UTF-8 cannot be used", () => {
    expect(readRuleFile(new Uint8Array([0x22, 0xff, 0x22]))).toEqual({ unusable: "is not UTF-8" });
    expect(readRuleFile(Buffer.from('\uFEFF"**": [a]', "utf16le"))).toHaveProperty("unusable");
  });
});

describe("rules of several folders", () => {
  test("the nearest that says something of a page decides, opening or closing", () => {
    const rules = rulesOf({
      "_access.yml": '"**": [staff]',
      "hr/_access.yml": '"secret/**": [hr]\n"open.md": everyone',
      "hr/secret/x/_access.yaml": '"*.md": [board]',
    });
    const groups = (location: string) => rules.of(location)?.groups;
    expect(groups("a.md")).toEqual(["staff"]);
    expect(groups("hr/a.md")).toEqual(["staff"]);
    expect(groups("hr/open.md")).toEqual([]);
    expect(groups("hr/secret/a.md")).toEqual(["hr"]);
    expect(groups("hr/secret/x/a.md")).toEqual(["board"]);
    expect(groups("hr/secret/x/a.txt")).toEqual(["hr"]);
  });

  test("one that cannot be used closes all below it, whatever rules below it say", () => {
    const rules = rulesOf({
      "_access.yml": '"**": everyone',
      "hr/_access.yml": "5",
      "hr/open/_access.yml": '"**": everyone',
    });
    expect(rules.of("a.md")?.groups).toEqual([]);
    expect(rules.of("hr/open/a.md")).toEqual({ location: "hr/_access.yml", groups: [NOBODY] });
  });

  test("two in one folder are none that can be used", () => {
    for (const names of [
      ["_access.yml", "_access.yaml"],
      ["_access.yml", "_Access.yml"],
    ]) {
      const rules = rulesOf(Object.fromEntries(names.map((name) => [`x/${name}`, '"**": everyone'])));
      expect(rules.of("x/a.md")?.groups).toEqual([NOBODY]);
      expect(rules.faults()).toHaveLength(1);
    }
  });

  test("a file that is another one by a link is for whom both are for", () => {
    const rules = rulesOf({ "_access.yml": '"hr/**": [hr, board]\n"pub/**": everyone\n"board/**": [board]' });
    rules.link("pub/a.md", "hr/a.md");
    rules.link("board/b.md", "hr/b.md");
    rules.link("c.md", "hr/c.md");
    expect(rules.of("pub/a.md")?.groups).toEqual(["hr", "board"]);
    expect(rules.of("board/b.md")?.groups).toEqual(["board"]);
    expect(rules.of("c.md")?.groups).toEqual(["hr", "board"]);
  });

  test("are bounded in number, and close where there are too many", async () => {
    const many = Array.from({ length: 10_002 }, (_, at) => ({
      location: `d${at}/_access.yml`,
      sizeBytes: 1,
    }));
    const few = await readAccessRules(many, async () => bytes('"**": everyone'));
    expect([few.of("d9999/a.md")?.groups, few.of("d10001/a.md")?.groups]).toEqual([[], [NOBODY]]);
    const lines = Array.from({ length: 999 }, (_, at) => `"g${at}": [staff]\n`).join("");
    const wide = await readAccessRules(many.slice(0, 60), async () => bytes(`${lines}"**": everyone`));
    expect(wide.of("d10/a.md")?.groups).toEqual([]);
    expect(wide.of("d55/a.md")?.groups).toEqual([NOBODY]);
  });

  test("globs that decide of nothing are told", () => {
    const rules = rulesOf({ "_access.yml": '"**": [a]\n"HR/**": [hr]\n"b.md": [b]' });
    rules.of("x/a.md");
    expect(rules.idle()).toEqual([{ location: "_access.yml", globs: ["HR/**", "b.md"] }]);
  });
});

/** Random values that are the same each time. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** What a .gitignore says of a path, written as slowly and plainly as can be. */
function matchesPlainly(glob: string, path: string): boolean {
  const foldersOnly = glob.endsWith("/");
  const bare = foldersOnly ? glob.slice(0, -1) : glob;
  const parts = bare.includes("/") ? bare.replace(/^\//, "").split("/") : ["**", bare];
  const names = path.split("/");
  return names.some((_, index) => {
    const isFile = index === names.length - 1;
    return !(isFile && foldersOnly) && fits(parts, names.slice(0, index + 1));
  });
}

function fits(parts: readonly string[], names: readonly string[]): boolean {
  const [part, ...others] = parts;
  const [name, ...rest] = names;
  if (part === undefined) return name === undefined;
  if (part === "**" && others.length === 0) return name !== undefined;
  if (part === "**") return fits(others, names) || (name !== undefined && fits(parts, rest));
  return name !== undefined && fitsName(part, name) && fits(others, rest);
}

function fitsName(part: string, name: string): boolean {
  if (part === "") return name === "";
  if (part[0] === "*") return fitsName(part.slice(1), name) || (name !== "" && fitsName(part, name.slice(1)));
  return name !== "" && (part[0] === "?" || part[0] === name[0]) && fitsName(part.slice(1), name.slice(1));
}

describe("globs", () => {
  test("match as a .gitignore says, whatever they are", () => {
    const next = numbers(7);
    const pick = <T>(all: readonly T[]): T | undefined => all[next(all.length)];
    const PARTS = ["a", "b", "ab", "*", "a*", "*b", "?", "**", "a?", "*a*"];
    const NAMES = ["a", "b", "ab", "ba", "aab", ".a"];
    let matched = 0;
    for (let round = 0; round < 5_000; round++) {
      const parts = Array.from({ length: 1 + next(3) }, () => pick(PARTS));
      const glob = `${next(4) === 0 ? "/" : ""}${parts.join("/")}${next(5) === 0 ? "/" : ""}`;
      const path = Array.from({ length: 1 + next(4) }, () => pick(NAMES)).join("/");
      const isMatch = given(`"${glob}": [a]`, path) !== undefined;
      expect(`${glob} ${path} ${isMatch}`).toBe(`${glob} ${path} ${matchesPlainly(glob, path)}`);
      if (isMatch) matched++;
    }
    expect(matched).toBeGreaterThan(1_000);
  });

  test("and rules decide as going through all of them from the end", () => {
    const next = numbers(11);
    const GLOBS = ["**", "a", "a/", "/a", "a/**", "b/*", "*.md", "/b/a", "**/b", "a*"];
    for (let round = 0; round < 500; round++) {
      const globs = [...new Set(Array.from({ length: 1 + next(6) }, () => GLOBS[next(GLOBS.length)] ?? ""))];
      const rules = rulesOf({ "_access.yml": globs.map((glob, at) => `"${glob}": [g${at}]`).join("\n") });
      for (let file = 0; file < 10; file++) {
        const path = Array.from({ length: 1 + next(4) }, () => ["a", "b", "a.md"][next(3)]).join("/");
        const last = globs.findLastIndex((glob) => matchesPlainly(glob, path));
        expect(rules.of(path)?.groups).toEqual(last < 0 ? undefined : [`g${last}`]);
      }
    }
  });

  test("none costs more the longer a name is than reading it a few times", () => {
    const long = `${"a".repeat(120)}/`.repeat(30);
    const names = [`${long}c`, "a".repeat(4_000), "a/".repeat(2_000)];
    const globs = [
      `${"*a".repeat(149)}b`,
      `${"**/a/".repeat(59)}b`,
      `${"**/*a*a".repeat(42)}`,
      `${"*?".repeat(149)}b`,
      `${"[a-z]*".repeat(49)}b`,
    ];
    const rules = rulesOf({ "_access.yml": globs.map((glob) => `"${glob}": [a]`).join("\n") });
    expect(rules.faults()).toEqual([]);
    // The steps of a glob that tries every way are more than any machine does in the time that a test has.
    for (const name of names) rules.of(name);
  });
});
