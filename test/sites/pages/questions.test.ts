import { expect, test } from "bun:test";
import { answeredOn, questionTitle } from "../../../src/sites/pages/pages.ts";

test("a question is what its front matter calls one, with the day of its answer where that is a day", () => {
  expect(answeredOn({ kind: "question", answered: "2024-05-03T10:00:00Z" })).toBe("2024-05-03");
  expect(answeredOn({ kind: "question", answered: "yes" })).toBe("");
  expect(answeredOn({ kind: "question", answered: 20240503 })).toBe("");
  expect(answeredOn({ kind: "question" })).toBe("");
  for (const kind of ["guide", "Question", ["question"], undefined])
    expect(answeredOn({ kind, answered: "2024-05-03" })).toBeUndefined();
});

test("a title is called a question once", () => {
  expect(questionTitle("Why?")).toBe("Question: Why?");
  expect(questionTitle(questionTitle("Why?"))).toBe("Question: Why?");
});
