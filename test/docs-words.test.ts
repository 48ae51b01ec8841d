import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countWords, sentencesOf } from "./helpers/sentences.ts";

const ROOT = join(import.meta.dir, "..");
/** A reader loses the thread of a longer sentence. */
const WORDS_MAX = 35;

const files = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

test(`no sentence of the documentation has more than ${WORDS_MAX} words`, () => {
  const long = files.flatMap((file) =>
    sentencesOf(readFileSync(join(ROOT, file), "utf8"))
      .filter(({ text }) => countWords(text) > WORDS_MAX)
      .map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(long).toEqual([]);
});

describe("the sentences of Markdown", () => {
  const texts = (markdown: string) => sentencesOf(markdown).map(({ text }) => text);

  test("end at a mark, and go over lines", () => {
    expect(texts("One ends\nhere. Two! `three` begins so? Yes, e.g. this.")).toEqual([
      "One ends here.",
      "Two!",
      "Code begins so?",
      "Yes, e.g. this.",
    ]);
  });

  test("are those of paragraphs, items and cells, without code and front matter", () => {
    const markdown =
      "---\ntitle: No. 1\n---\n# Head\n\n- One [link](a.md).\n- Two\n\n```sh\nthree\n```\n\n| a | b; c |\n| - | - |\n";
    expect(sentencesOf(markdown)).toEqual([
      { line: 6, text: "One link." },
      { line: 7, text: "Two" },
      { line: 13, text: "a" },
      { line: 13, text: "b" },
      { line: 13, text: "c" },
    ]);
  });

  test("count a piece of code as one word", () => {
    expect(countWords(texts("Run `docent serve --demo` now.")[0] ?? "")).toBe(3);
  });
});
