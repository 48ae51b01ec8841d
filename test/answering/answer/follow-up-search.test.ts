import { describe, expect, test } from "bun:test";
import { completeQuestion, toSearch } from "../../../src/answering/answer/follow-up/follow-up.ts";
import type { PastMessage } from "../../../src/answering/answer/responder.ts";

const KENNELS: PastMessage[] = [
  { role: "user", text: "How do I heat the kennel?" },
  {
    role: "assistant",
    text: "By [a stove](/stoves). [[1]](/heating#stove) [[2]](/wood) [[1]](/heating#stove)",
  },
];
const wanted = (question: string, history = KENNELS) => toSearch(question, history, []);

describe("what a search is told of the conversation", () => {
  test("is what is cited by its number, and the topic where the question asks for more of its own", () => {
    expect(wanted("and if the dogs chew it?")).toEqual({
      text: "heat the kennel: if the dogs chew it?",
      continued: { topic: "heat the kennel", cited: ["/heating#stove", "/wood"] },
    });
  });

  test.each(["why?", "an example please", "what unit is that, 100?", "is it enough then?"])(
    "is no topic where the question is of that alone: %s",
    (question) => {
      const { text, continued } = wanted(question);
      expect(text).toStartWith("heat the kennel: ");
      expect(continued?.topic).toBeUndefined();
    },
  );

  test.each(["Which tickets do visitors of the museum need?", "Other question: who feeds the dogs?"])(
    "is nothing where the question stands by itself: %s",
    (question) => expect(wanted(question).continued).toBeUndefined(),
  );

  test("is no topic where the reader points at something besides", () => {
    const selected = { kind: "textSelection" as const, text: "birch" };
    const { text, continued } = toSearch("and if the dogs chew it?", KENNELS, [selected]);
    expect(text).toEndWith("\nbirch");
    expect(continued?.topic).toBeUndefined();
  });
});

describe("a wish to be shown something", () => {
  test.each(["show me the whole line", "please show me the whole line", "can you give me the whole line"])(
    "is of what was said, and searched for without its asking: %s",
    (question) => {
      expect(completeQuestion(question, KENNELS).query).toBe("heat the kennel: the whole line");
    },
  );

  test("is a yes where nothing else is said", () => {
    const offer: PastMessage = { role: "assistant", text: "Done. Would you like to see how to store wood?" };
    const asked = completeQuestion("show me", [{ role: "user", text: "How do I heat it?" }, offer]);
    expect(asked.query).toContain("store wood");
  });
});
