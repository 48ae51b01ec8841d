import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { baselineWords, createBaselines, cutSections, pairs } from "../../../src/measuring/eval/baseline.ts";
import type { Dataset } from "../../../src/measuring/eval/datasets/datasets.ts";
import type { EvalQuestion } from "../../../src/measuring/eval/question.ts";
import { openPlainIndex } from "../../../src/storage/sqlite/sqlite.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const ask = (text: string, language?: string): EvalQuestion => ({
  id: text,
  text,
  subset: "",
  filter: { language },
  pages: new Map(),
  sections: new Map(),
  spans: undefined,
});

describe("the words that a plain search looks for", () => {
  test("stop words are left out, unless there are no others", () => {
    expect(baselineWords("How do I install the agent?")).toEqual(["install", "agent"]);
    expect(baselineWords("What is it?")).toEqual(["what", "is", "it"]);
  });

  test("Chinese and Thai become pairs of characters, other scripts stay as they are", () => {
    expect(pairs("用API安装").split(/\s+/)).toEqual(["", "用", "API", "安装", ""]);
    expect(pairs("安装说").trim()).toBe("安装 装说");
    expect(pairs("सूचना हिन्दी")).toBe("सूचना हिन्दी");
  });
});

describe("cutting a page for it", () => {
  test("sections begin at headings, and code is no heading", () => {
    const page = "Intro\n# One\ntext\n```sh\n# no heading\n```\n## Two\nmore\n";
    const pieces = cutSections(page, 2000);
    expect(pieces.map(({ heading, anchor }) => [heading, anchor])).toEqual([
      ["", ""],
      ["One", "one"],
      ["Two", "two"],
    ]);
    expect(pieces.map(({ text }) => text).join("")).toBe(page);
    for (const { text, start, end } of pieces) expect(page.slice(start, end)).toBe(text);
  });

  test("no piece of lines is longer than the bound", () => {
    const page = "a line of twenty one\n".repeat(100);
    const pieces = cutSections(page, 100);
    expect(pieces.length).toBe(25);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(100);
  });
});

describe("the baseline", () => {
  test("ranks a set's pages by their best section, and keeps to a language", async () => {
    using directory = temporaryDirectory();
    for (const [file, text] of [
      ["en/install.md", "# Install\n\nRun the installer.\n\n# Remove\n\nDelete the folder.\n"],
      ["en/other.md", "# Other\n\nNothing of it, but installing once.\n"],
      ["en/removal.html", "<html><body><main><h1>Removal</h1><p>Forget it.</p></main></body></html>"],
      ["de/install.md", "# Installieren\n\nDas install Programm.\n"],
    ] as const) {
      mkdirSync(join(directory.path, file, ".."), { recursive: true });
      await Bun.write(join(directory.path, file), text);
    }
    const dataset: Dataset = {
      name: "test",
      folder: directory.path,
      docs: directory.path,
      languages: ["de", "en"],
      entries: [],
      tasks: [],
    };
    const index = openPlainIndex();
    const { baseline, allWords } = await createBaselines(dataset, index);
    const found = async (question: EvalQuestion) =>
      (await baseline.rank(question)).map(({ path, anchors }) => `${path}#${anchors().join()}`);
    expect(await found(ask("how to install", "en"))).toEqual([
      "en/install#install",
      "en/install#remove",
      "en/other#other",
    ]);
    expect(await found(ask("install"))).toContain("de/install#installieren");
    expect(await found(ask('quotes " and (marks) OR *'))).toEqual([]);
    expect(await found(ask("forget what", "en"))).toEqual(["en/removal#removal"]);
    // Stop words find something only where a search leaves all as it is.
    expect((await allWords.rank(ask("of it folder", "en"))).map(({ path }) => path)).toContain("en/other");
    expect((await baseline.rank(ask("of it folder", "en"))).map(({ path }) => path)).toEqual(["en/install"]);
    expect(baseline.passages.map(({ path }) => path).filter((path) => path === "en/install")).toHaveLength(2);
    index.close();
  });
});
