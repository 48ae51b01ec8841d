import { expect, test } from "bun:test";
import { followUpQuestions } from "../../../src/answering/answer/write/follow-up-questions.ts";

const section = (passageId: number, heading: string, more: object = {}) => ({
  passageId,
  pageId: 1,
  headings: ["Jobs", heading],
  innerHeadings: [],
  language: "",
  relevance: 0.9,
  ...more,
});

const FOUND = [
  section(1, "Submit a job"),
  section(2, "Submitting a job"),
  section(3, "Overview"),
  section(4, "Stop a job", { relevance: 0.1 }),
  section(5, "Scaling the cluster"),
  section(6, "Rotate the key"),
  section(7, "Authentication"),
  section(8, "Installing plugins"),
];
const options = {
  question: "How do I submit a job?",
  cited: [section(1, "Submit a job")],
  relevanceMin: 0.4,
  language: "en",
};

test("at most three questions follow, of relevant sections that the answer does not lead to", () => {
  expect(followUpQuestions(FOUND, options)).toEqual([
    "How do I scale the cluster?",
    "How do I rotate the key?",
    "How does authentication work?",
  ]);
});

test("none follows of a page that the answer does not lead to", () => {
  const elsewhere = FOUND.slice(4).map((each) => ({ ...each, pageId: 2 }));
  expect(followUpQuestions(elsewhere, options)).toEqual([]);
});

test("of a passage of several sections the others follow, though the answer leads to it", () => {
  const innerHeadings = [
    { offset: 9, textOffset: 9, anchor: "stop", headingPath: ["Jobs", "Stop a worker"] },
  ];
  expect(followUpQuestions([section(1, "Submit a job", { innerHeadings })], options)).toEqual([
    "How do I stop a worker?",
  ]);
});

test("nothing follows that asks what was asked, in whatever form", () => {
  expect(followUpQuestions(FOUND.slice(0, 4), options)).toEqual([]);
  expect(
    followUpQuestions([section(8, "How to rotate a key")], { ...options, question: "rotating keys" }),
  ).toEqual([]);
});

test("in another language only headings that are questions follow", () => {
  const found = [
    section(5, "Scaling the cluster", { language: "de" }),
    section(6, "Wie drehe ich den Schlüssel?"),
  ];
  expect(followUpQuestions(found, { ...options, language: "de" })).toEqual(["Wie drehe ich den Schlüssel?"]);
});
