import { describe, expect, test } from "bun:test";
import { buildPrompt } from "../../../src/answering/answer/prompt/prompt.ts";
import type { NumberedPassage, ToolResult } from "../../../src/answering/answer/responder.ts";
import { tokensAtMost } from "../../../src/models/ollama/tokens/count.ts";
import { numberedPassage, responderRequest } from "../../helpers/responder-request.ts";

const fine = (from: number) =>
  Array.from({ length: 8 }, (_, day) => `The weather was fine on day ${from + day} of the year.`).join(" ");
const LONG = numberedPassage(
  1,
  `Retention lasts 90 days. ${fine(10)} Restoring takes an hour. ${fine(20)} Deletion is final. ${fine(30)}`,
);
const SAME = "Backups are files with a date.";

const found = (passages: NumberedPassage[], about = "restoring"): ToolResult => ({
  call: { id: "call_1", name: "search", input: { query: about } },
  about,
  passages,
  isPage: false,
  note: "",
});

/** What is shown for a question, and of what a model then found by itself. */
function shown(passages: NumberedPassage[], result: ToolResult, passageTokens: number) {
  const looking = { tools: [], rounds: [[result]], resultTokens: 300 };
  const request = responderRequest({ question: "How long is retention?", passages, looking });
  const prompt = buildPrompt(request, { tokens: 4000, passageTokens, count: tokensAtMost });
  return { asked: prompt.messages[0]?.content ?? "", result: prompt.messages.at(-1)?.content ?? "" };
}

describe("what a model finds by itself", () => {
  test("is shown without the parts of it that the prompt shows already", () => {
    const { asked, result } = shown([LONG], found([LONG]), 100);
    expect(asked).toContain("Retention lasts 90 days.");
    expect(asked).not.toContain("Restoring takes an hour.");
    expect(result).toContain('<passage number="1"');
    expect(result).toContain("Restoring takes an hour.");
    expect(result).not.toContain("Retention lasts 90 days.");
  });

  test("in the same words on another page is said to be nothing new, and no passage is named that was not shown", () => {
    const { asked, result } = shown([numberedPassage(1, SAME)], found([numberedPassage(2, SAME)]), 500);
    expect(asked).toContain(SAME);
    expect(result).toBe("This brings nothing that you do not have.");
  });
});
