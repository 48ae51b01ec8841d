import { describe, expect, test } from "bun:test";
import { withoutCitations } from "../../../src/answering/answer/citations/citations.ts";
import { buildPrompt } from "../../../src/answering/answer/prompt/prompt.ts";
import type { ReaderContext } from "../../../src/answering/answer/responder.ts";
import { tokensAtMost } from "../../../src/models/ollama/tokens/count.ts";
import { ownMs } from "../../helpers/own-time.ts";
import { responderRequest } from "../../helpers/responder-request.ts";

const BUDGET = { tokens: 6000, passageTokens: 1000, count: tokensAtMost };
const request = (contexts: ReaderContext[]) => responderRequest({ contexts });
const attached = (text: string): ReaderContext => ({ kind: "attachment", text });

describe("a file of megabytes that a reader attached", () => {
  for (const unit of ["漢", "<passages ", "a b ", "<", "\n"]) {
    test(`is cut without being read to its end: ${JSON.stringify(unit)}`, async () => {
      const text = unit.repeat(4_000_000 / unit.length);
      const build = async () => buildPrompt(request([attached(text)]), BUDGET);
      expect(await ownMs(build)).toBeLessThan(150);
      const result = await build();
      expect(result.tokensEstimated).toBeLessThanOrEqual(6000);
      // All the room that there is for it is used.
      expect(result.tokensEstimated).toBeGreaterThan(1000);
    });
  }
});

test("no text has fewer tokens than its cut allows for", () => {
  const sparse = ["aaaa ", "a", " ", "aaaa", "\n", "  a", "ééé ", "aaaa  ", "aaaa\n\n\n\n"];
  for (const unit of sparse) {
    const text = unit.repeat(2000);
    expect(tokensAtMost(text)).toBeGreaterThanOrEqual(text.length / 5);
  }
});

test("an empty attachment does not hide the ones after it", () => {
  const { messages } = buildPrompt(request([attached(""), attached("the flux capacitor")]), BUDGET);
  expect(messages.at(-1)?.content).toContain("the flux capacitor");
});

describe("an earlier answer", () => {
  test("loses its links to passages and its suggestions, and nothing else", () => {
    const answer = "Run it [[1]](https://x/a#b) now [[2]](https://x/c).\n\n```suggestions\n(A)[/a]\n```\n";
    expect(withoutCitations(answer)).toBe("Run it now.");
    expect(withoutCitations("a\n\n\nb\n")).toBe("a\n\n\nb\n");
    expect(withoutCitations("[docs](https://x) and [[1]](x y)")).toBe("[docs](https://x) and [[1]](x y)");
  });
});
