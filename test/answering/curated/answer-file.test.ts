import { describe, expect, test } from "bun:test";
import {
  asksQuestions,
  isInAnswersFolder,
  nameOfFile,
  QUESTION_CHARACTERS_MAX,
  QUESTIONS_MAX,
  readQuestions,
} from "../../../src/reading/page/answer-file.ts";

describe("which files are curated answers", () => {
  test("Markdown below answers at the top of a source", () => {
    const is = (location: string, format: "md" | "mdx" | "html" | "rst" = "md") =>
      isInAnswersFolder({ location, format });
    expect([is("answers/a.md"), is("answers/deep/b.md"), is("Answers/c.mdx", "mdx")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([
      is("guide/answers/a.md"),
      is("answers.md"),
      is("answers-old/a.md"),
      is("answers/a.html", "html"),
      is("https://docs.example/answers/a.md"),
    ]).toEqual([false, false, false, false, false]);
  });

  test("with questions in their front matter: others in that folder are pages", () => {
    expect(asksQuestions({ question: "How?" })).toBe(true);
    expect(asksQuestions({ questions: null })).toBe(true);
    expect(asksQuestions({ title: "How?" })).toBe(false);
  });

  test("they are called by their file below that folder", () => {
    expect(nameOfFile("answers/account/reset.v2.md")).toBe("account/reset.v2");
  });
});

describe("the questions of an answer", () => {
  test("are one or many, under either name, each once", () => {
    expect(readQuestions({ question: "One?" })).toEqual({ questions: ["One?"], faults: [] });
    expect(readQuestions({ questions: [" Two\n words? ", "Two words?", 404] }).questions).toEqual([
      "Two words?",
      "404",
    ]);
    expect(readQuestions({ question: "One?", questions: "Two?" }).questions).toEqual(["One?", "Two?"]);
  });

  test("that cannot be used are said to the author, and the others count", () => {
    const long = "x".repeat(QUESTION_CHARACTERS_MAX + 1);
    const { questions, faults } = readQuestions({ questions: ["Good?", long, { How: "mapped" }, ""] });
    expect(questions).toEqual(["Good?"]);
    expect(faults).toEqual([
      `a question is longer than ${QUESTION_CHARACTERS_MAX} characters`,
      "a question is not text: put it in quotes",
    ]);
    expect(readQuestions({ questions: [] }).faults).toEqual(["a curated answer needs questions"]);
    const many = Array.from({ length: QUESTIONS_MAX + 5 }, (_, index) => `Question ${index}?`);
    expect(readQuestions({ questions: many }).questions).toHaveLength(QUESTIONS_MAX);
    expect(readQuestions({ questions: many }).faults).toEqual([
      `only the first ${QUESTIONS_MAX} questions count`,
    ]);
  });
});
