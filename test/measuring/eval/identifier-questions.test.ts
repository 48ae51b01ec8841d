import { describe, expect, test } from "bun:test";
import { createOccurrences } from "../../../src/measuring/eval/identifiers/occurrences.ts";
import { identifierQuestions } from "../../../src/measuring/eval/identifiers/questions.ts";

const PAGES = [
  {
    path: "errors",
    text: "Error codes\nThe linker says LNK2019 where a symbol is missing.\nUse --dry-run to see what would be done without any change",
  },
  { path: "files", text: "Files\nIt reads package.json and C2065_spell.cpp before max_retry_count is set." },
  { path: "both", text: "The linker says LNK2019 where a symbol is missing, too. PACKAGE.JSON is read." },
  { path: "deploy", text: "Deploying\nCall startServer from std::vector code in version 1.2.3 of it." },
];

describe("questions made from a documentation's own names", () => {
  const questions = identifierQuestions(PAGES);
  const golds = (text: string) => [...(questions.find((each) => each.text === text)?.pages.keys() ?? [])];

  test("every page that has the name is right, however it is cased, and no other", () => {
    expect(golds("LNK2019")).toEqual(["errors", "both"]);
    expect(golds("package.json")).toEqual(["files", "both"]);
    expect(golds("--dry-run")).toEqual(["errors"]);
    expect(golds("max_retry_count")).toEqual(["files"]);
    expect(golds("1.2.3")).toEqual(["deploy"]);
    expect(golds("std::vector")).toEqual(["deploy"]);
  });

  test("a name is asked for bare, in other cases, in a sentence and by its parts", () => {
    const ways = questions.filter(({ subset }) => subset.startsWith("camelCase")).map(({ text }) => text);
    expect(ways).toEqual([
      "startServer",
      "startserver",
      "STARTSERVER",
      "how do I use startServer",
      "how do I use startserver",
      "start server",
    ]);
  });

  test("a quoted phrase is four to eight words that one page has", () => {
    const phrases = questions.filter(({ subset }) => subset === "phrase: quoted");
    expect(phrases.length).toBeGreaterThan(0);
    for (const { text, pages } of phrases) {
      expect(text.slice(1, -1).split(" ").length).toBeWithin(4, 9);
      expect(createOccurrences(PAGES).pagesWith(text.slice(1, -1))).toEqual([...pages.keys()]);
      expect(pages.size).toBe(1);
    }
  });

  test("the same pages give the same questions", () => {
    expect(identifierQuestions(PAGES)).toEqual(questions);
  });
});

describe("which pages have something", () => {
  const { pagesWith } = createOccurrences([
    { path: "a", text: "C2065 and x--v and get_idle, operator << and\nmore" },
    { path: "b", text: "C2065_spell.cpp, -v, get_id and operator<<=" },
  ]);

  test("it stands there by itself, not within a longer name", () => {
    expect([pagesWith("c2065"), pagesWith("-v"), pagesWith("GET_ID")]).toEqual([["a"], ["b"], ["b"]]);
    expect([pagesWith("operator<<"), pagesWith("operator<<=")]).toEqual([["a"], ["b"]]);
  });

  test("over the end of a line", () => expect(pagesWith("and more")).toEqual(["a"]));
});
