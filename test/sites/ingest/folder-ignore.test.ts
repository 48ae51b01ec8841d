import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { parseIgnoreFile } from "../../../src/reading/sources/files/ignored.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** A path that ends in a slash is a folder. */
function verdict(rules: string, path: string) {
  return parseIgnoreFile(rules)(path.replace(/\/$/, ""), path.endsWith("/"));
}

describe("one ignore file", () => {
  const CASES: [rules: string, path: string, verdict: "out" | "in" | undefined][] = [
    ["a.md", "a.md", "out"],
    ["a.md", "x/y/a.md", "out"],
    ["a.md", "aa.md", undefined],
    ["*.txt", "x/notes.txt", "out"],
    ["draft?.md", "draft1.md", "out"],
    ["draft[0-9].md", "draftx.md", undefined],
    ["draft[!0-9].md", "draftx.md", "out"],
    ["/a.md", "a.md", "out"],
    ["/a.md", "x/a.md", undefined],
    ["x/a.md", "x/a.md", "out"],
    ["x/a.md", "y/x/a.md", undefined],
    ["build/", "build/", "out"],
    ["build/", "build", undefined],
    ["build/", "x/build/", "out"],
    ["x/build/", "y/x/build/", undefined],
    ["**/b", "a/x/b", "out"],
    ["**/x/b", "a/x/b", "out"],
    ["a/**", "a/x/b.md", "out"],
    ["a/**", "a/", undefined],
    ["a/**/b", "a/b", "out"],
    ["a/**/b", "a/x/y/b", "out"],
    ["a**b", "axb", "out"],
    ["a**b", "ax/yb", undefined],
    ["*", "x/.y/z", "out"],
    ["# a\n\n  \na.md  \r\nb.md", "a.md", "out"],
    ["a\\ ", "a ", "out"],
    ["\\#a", "#a", "out"],
    ["\\!a", "!a", "out"],
    ["x/!a", "x/!a", "out"],
    ["/!a", "!a", "out"],
    ["{a,b}", "a", undefined],
    ["{a,b}", "{a,b}", "out"],
    ["\\*.md", "*.md", "out"],
    ["\\*.md", "a.md", undefined],
    ["*.md\n!keep.md", "keep.md", "in"],
    ["*.md\n!keep.md\n*.md", "keep.md", "out"],
    ["\uFEFFa.md", "a.md", "out"],
    ["!", "!", undefined],
    ["/", "a", undefined],
  ];
  for (const [rules, path, expected] of CASES) {
    test(`${JSON.stringify(rules)} says ${expected ?? "nothing"} of ${JSON.stringify(path)}`, () => {
      expect(verdict(rules, path)).toBe(expected);
    });
  }

  test("no pattern takes long", () => {
    const evil = Array.from({ length: 200 }, () => `${"*a".repeat(50)}b\n${"**/a/".repeat(50)}b`).join("\n");
    expect(verdict(evil, "a".repeat(4000))).toBeUndefined();
    expect(verdict(evil, "a/".repeat(2000))).toBeUndefined();
  });
});

async function pagesOf(files: Record<string, string>): Promise<string[]> {
  using folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 1000 });
  const items = await Array.fromAsync(reader.list(listContext()));
  return items.filter((item) => !isSkipped(item)).map(({ location }) => location);
}

describe("a folder with ignore files", () => {
  test("what they name is left out without a word", async () => {
    const pages = await pagesOf({
      ".gitignore": "draft.md\nbuild/\n",
      "draft.md": "",
      "build/a.md": "",
      "b.md": "",
    });
    expect(pages).toEqual(["b.md"]);
  });

  test("a deeper one has the last word, for what is below it alone", async () => {
    const files = { ".gitignore": "*.txt\n", "x/.gitignore": "!keep.txt\n/a.md\n" };
    const pages = await pagesOf({ ...files, "keep.txt": "", "x/keep.txt": "", "x/a.md": "", "x/y/a.md": "" });
    expect(pages).toEqual(["x/keep.txt", "x/y/a.md"]);
  });

  test("nothing is taken back from a folder that is left out", async () => {
    const pages = await pagesOf({
      ".gitignore": "out/\n!out/a.md\n",
      "out/.gitignore": "!*\n",
      "out/a.md": "",
    });
    expect(pages).toEqual([]);
  });

  test(".docentignore wins over .gitignore, from wherever it stands", async () => {
    const files = {
      ".docentignore": "!gen/\n/internal/\n",
      ".gitignore": "gen/\n",
      "gen/.gitignore": "*.md\n",
    };
    const pages = await pagesOf({
      ...files,
      "gen/.docentignore": "!a.md",
      "gen/a.md": "",
      "gen/b.md": "",
      "internal/c.md": "",
    });
    expect(pages).toEqual(["gen/a.md"]);
  });

  test("partials are said, what is ignored is not", async () => {
    using folder = temporaryDirectory();
    for (const name of ["_a.md", "_b.md"]) writeFileSync(join(folder.path, name), "");
    writeFileSync(join(folder.path, ".gitignore"), "_b.md");
    const reader = createFolderReader({ root: folder.path, fileBytesMax: 1000 });
    const items = await Array.fromAsync(reader.list(listContext()));
    expect(items).toMatchObject([{ location: "_a.md", reason: "hidden" }]);
  });
});
