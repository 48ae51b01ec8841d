import { expect, test } from "bun:test";
import { questionOfHeading } from "../../../src/kernel/text/heading-question.ts";

const QUESTIONS: [heading: string, question: string][] = [
  ["Install the program", "How do I install the program?"],
  ["2.1 Installing the program", "How do I install the program?"],
  ["Installing and updating the program", "How do I install and update the program?"],
  ["Submitting a job", "How do I submit a job?"],
  ["Setting up your model", "How do I set up my model?"],
  ["Using GPUs", "How do I use GPUs?"],
  ["Install Ray locally", "How do I install Ray locally?"],
  ["How to Rotate the key", "How do I rotate the key?"],
  ["Tasks vs. actors", "What is the difference between Tasks and actors?"],
  ["Authentication", "How does authentication work?"],
  ["TLS authentication", "How does TLS authentication work?"],
  ["Where can I deploy clusters?", "Where can I deploy clusters?"],
  ["What is a thread", "What is a thread?"],
  ["Test a session:", "How do I test a session?"],
];

test.each(QUESTIONS)("the section under %p answers %p", (heading, question) => {
  expect(questionOfHeading(heading, "en")).toBe(question);
});

const NONE = [
  "Overview",
  "Next steps",
  "Long description",
  "Example 4: Change a value",
  "Parameters",
  "Logging directory",
  "Test results",
  "Log level",
  "-ComputerName",
  "acme.serve.run()",
  "`devtools`",
  "What a thread is",
  "Monitoring and alarms",
  "Ingress troubleshooting",
  "String",
  "?",
  "",
  "Install ".repeat(20),
];

test.each(NONE)("nobody asks %p", (heading) => {
  expect(questionOfHeading(heading, "en")).toBeUndefined();
});

test("a heading in another language is a question only where it ends as one", () => {
  expect(questionOfHeading("Wie installiere ich Acme?", "de")).toBe("Wie installiere ich Acme?");
  expect(questionOfHeading("什么是内容集合？", "zh")).toBe("什么是内容集合？");
  expect(questionOfHeading("Installation", "de")).toBeUndefined();
});
