import { describe, expect, test } from "bun:test";
import { toSearchText } from "../../src/answer/follow-up.ts";

const HISTORY = [
  { role: "user" as const, text: "How do I install the command line tool?" },
  { role: "assistant" as const, text: "Run npm install." },
];

describe("what is searched for", () => {
  test("a question that stands alone is searched as it is", () => {
    expect(toSearchText("Which environment variables configure the proxy?", HISTORY, [])).toBe(
      "Which environment variables configure the proxy?",
    );
  });

  for (const question of ["And on Windows?", "yes", "How do I remove it?", "what about Docker?"]) {
    test(`"${question}" is searched together with the question before it`, () => {
      expect(toSearchText(question, HISTORY, [])).toContain("install the command line tool");
    });
  }

  test("a first question has nothing before it", () => {
    expect(toSearchText("yes", [], [])).toBe("yes");
  });

  test("what the reader selected is searched for", () => {
    const selected = { kind: "textSelection" as const, text: "idempotency keys" };
    expect(toSearchText("What does this mean?", [], [selected])).toContain("idempotency keys");
  });

  test("an attached file is not searched for", () => {
    const attached = { kind: "attachment" as const, text: "long log file" };
    expect(toSearchText("Why does my build fail with this log?", [], [attached])).not.toContain("long log");
  });
});
