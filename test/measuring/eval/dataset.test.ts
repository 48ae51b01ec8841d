import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  findDataset,
  listDatasets,
  parseQrels,
  readDataset,
} from "../../../src/measuring/eval/datasets/datasets.ts";
import { parseQuestions } from "../../../src/measuring/eval/datasets/questions-file.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

async function write(folder: string, files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    await Bun.write(join(folder, name), text);
  }
  return folder;
}

const lines = (...values: unknown[]) => `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;
const qrels = (...rows: string[][]) =>
  ["query-id\tcorpus-id\tscore", ...rows.map((row) => row.join("\t"))].join("\n");

const SMALL = {
  "queries.jsonl": lines({ _id: "1", text: "How to install?", subset: "how" }, { _id: "2", text: "Why?" }),
  "qrels_pages.tsv": qrels(["1", "guide/install.md", "1"], ["2", "guide/README.md", "2"]),
  "docs/guide/install.md": "# Install\n",
  "docs/guide/README.md": "# Guide\n",
};

describe("reading a set", () => {
  test("pages are named as the index names them, with their grades", async () => {
    using directory = temporaryDirectory();
    const { tasks, languages, entries } = await readDataset(await write(directory.path, SMALL));
    expect(languages).toEqual([]);
    expect(entries).toEqual([]);
    const questions = tasks.flatMap((task) => task.questions);
    expect(questions.map(({ subset }) => subset)).toEqual(["how", ""]);
    expect(questions.map(({ pages }) => [...pages])).toEqual([[["guide/install", 1]], [["guide", 2]]]);
  });

  test("a set of entries has an entry's id for a page", async () => {
    using directory = temporaryDirectory();
    const folder = await write(directory.path, {
      "queries.jsonl": lines({ _id: "1", text: "question" }),
      "corpus.jsonl": lines({ _id: "a1", title: "Title", text: "Text" }),
      "qrels.tsv": qrels(["1", "a1", "1"]),
    });
    const { docs, entries, tasks } = await readDataset(folder);
    expect(docs).toBeUndefined();
    expect(entries.map(({ id, title }) => [id, title])).toEqual([["a1", "Title"]]);
    expect([...(tasks[0]?.questions[0]?.pages.keys() ?? [])]).toEqual(["a1"]);
  });

  test("each question of several languages is asked in its own, without a filter, and for the English page", async () => {
    using directory = temporaryDirectory();
    const folder = await write(directory.path, {
      "queries.jsonl": lines(
        { _id: "e", text: "How?", lang: "en", subset: "en" },
        { _id: "d", text: "Wie?", lang: "de", subset: "de" },
      ),
      "qrels_pages.tsv": qrels(["e", "en/0.md", "1"], ["d", "de/0.md", "1"]),
      "qrels_to_en.tsv": qrels(["e", "en-0", "1"], ["d", "en-0", "1"]),
      "corpus.jsonl": lines({ _id: "en-0", text: "So.", lang: "en", path: "en/0.md" }),
      "docs/en/0.md": "So.\n",
      "docs/de/0.md": "Also.\n",
    });
    const { languages, tasks } = await readDataset(folder);
    expect(languages).toEqual(["de", "en"]);
    const asked = tasks.map(({ questions }) =>
      questions.map(({ id, filter, pages }) => [id, filter.language, ...pages.keys()]),
    );
    expect(asked).toEqual([
      [
        ["e", "en", "en/0"],
        ["d", "de", "de/0"],
      ],
      [
        ["e", undefined, "en/0"],
        ["d", undefined, "de/0"],
      ],
      [["d", "en", "en/0"]],
    ]);
  });

  test("spans are checked against the file, in characters as other programs count them", async () => {
    using directory = temporaryDirectory();
    const files = {
      "queries.jsonl": lines({ _id: "1", text: "question" }),
      "qrels_pages.tsv": qrels(["1", "page.md", "1"]),
      "docs/page.md": "😀 the answer is here",
    };
    const spans = (start: number) =>
      lines({ _id: "1", path: "page.md", spans: [[start, start + 10, "the answer"]] });
    await write(directory.path, { ...files, "spans.jsonl": spans(2) });
    const { tasks } = await readDataset(directory.path);
    expect(tasks[0]?.questions[0]?.spans).toEqual({ path: "page", ranges: [[3, 13]] });
    await write(directory.path, { "spans.jsonl": spans(5) });
    const error = await appErrorOf(() => readDataset(directory.path));
    expect(error.message).toContain("what 1 names is not at character 5 of page.md");
  });

  const without = (name: keyof typeof SMALL) =>
    Object.fromEntries(Object.entries(SMALL).filter(([file]) => file !== name));
  const FAULTS: [what: string, files: Record<string, string>, says: string][] = [
    ["nothing there", {}, "queries.jsonl is missing"],
    ["no judgements", without("qrels_pages.tsv"), "qrels_pages.tsv is missing"],
    ["no pages", { "queries.jsonl": SMALL["queries.jsonl"] }, "there is neither docs/ nor corpus.jsonl"],
    ["no question", { ...SMALL, "queries.jsonl": "\n" }, "queries.jsonl has no question"],
    [
      "no question with a page",
      { ...SMALL, "qrels_pages.tsv": qrels(["9", "x.md", "1"]) },
      "no question has a page that it should find",
    ],
    [
      "garbage",
      { ...SMALL, "queries.jsonl": "\u0000\u0001{\n" },
      "queries.jsonl cannot be used:\n  line 1: it is no JSON object",
    ],
    ["a list", { ...SMALL, "queries.jsonl": "[1]\n" }, "line 1: it is no JSON object"],
    ["no text", { ...SMALL, "queries.jsonl": lines({ _id: "1" }) }, "line 1: text: "],
    ["no grade", { ...SMALL, "qrels_pages.tsv": "h\n1\tx.md\n" }, "line 2 is not three columns"],
  ];
  for (const [what, files, says] of FAULTS) {
    test(`${what}: it is said what is missing, with what a set looks like`, async () => {
      using directory = temporaryDirectory();
      const error = await appErrorOf(async () => readDataset(await write(directory.path, files)));
      expect([error.code, error.message]).toEqual(["invalid_request", expect.stringContaining(says)]);
      expect(error.hint).toBeDefined();
    });
  }

  test("a set is found by its folder, by its name in the cache, and one folder further down", async () => {
    using directory = temporaryDirectory();
    const inside = join(directory.path, "small", "small");
    await write(inside, SMALL);
    await write(join(directory.path, ".docent", "small"), SMALL);
    await write(join(directory.path, "corpus-only"), { "readme.md": "" });
    expect(findDataset(inside, "/nowhere")).toBe(inside);
    expect(findDataset("small", directory.path)).toBe(inside);
    expect(findDataset("other", directory.path)).toBeUndefined();
    expect(listDatasets(directory.path)).toEqual(["small"]);
    expect(listDatasets(join(directory.path, "not-there"))).toEqual([]);
  });
});

describe("judgements", () => {
  test("a page graded 0 is not to be found", () => {
    const found = parseQrels("h\nq\ta.md\t2\r\nq\tb.md\t0\n\n", "f");
    expect([...(found.get("q") ?? [])]).toEqual([["a.md", 2]]);
  });
});

describe("an owner's questions", () => {
  const read = (...values: unknown[]) =>
    parseQuestions(lines(...values), "own.jsonl", "https://a.example/docs");

  test("a page may be named by its file, its path or its address, with or without a section", () => {
    const expected = ["guide/install.md", "/guide/install/", "https://a.example/docs/guide/install#linux"];
    const questions = read(...expected.map((each) => ({ question: "How?", expected: [each] })));
    expect(questions.map(({ pages }) => [...pages.keys()])).toEqual(expected.map(() => ["guide/install"]));
    expect(questions.map(({ sections }) => [...sections.keys()])).toEqual([[], [], ["guide/install#linux"]]);
  });

  test("an address that only begins like the site's is not below it", () => {
    const [question] = read({ question: "How?", expected: "https://a.example/docs-old/x" });
    expect([...(question?.pages.keys() ?? [])]).toEqual(["docs-old/x"]);
  });

  test("version and language narrow, and the kind is kept", () => {
    const [question] = read({ question: "How?", expected: "x", version: "2", language: "de", subset: "k" });
    expect(question?.filter).toEqual({ version: "2", language: "de" });
    expect(question?.subset).toBe("k");
  });

  test("every line that cannot be used is named", () => {
    expect(() =>
      read({ question: " ", expected: ["x"] }, { question: "How?" }, { question: "?", expected: [] }),
    ).toThrow(/line 1: question: [\s\S]*line 2: expected: [\s\S]*line 3: expected: /);
    expect(() => parseQuestions("\n", "own.jsonl", undefined)).toThrow("own.jsonl has no question.");
  });

  test("of many faults the first five are named, and the others counted", () => {
    const many = "x\n".repeat(9);
    expect(() => parseQuestions(many, "own.jsonl", undefined)).toThrow("and 4 more");
  });
});
