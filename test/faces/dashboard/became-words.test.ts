import { describe, expect, test } from "bun:test";
import {
  becameWords,
  becauseWords,
  type NotedPlace,
} from "../../../src/faces/dashboard/kit/runs/ledger-table.tsx";

const place = (location: string, change: Partial<NotedPlace> = {}): NotedPlace => ({
  location,
  path: location,
  found: "archive",
  decision: "added",
  reason: null,
  detail: null,
  passages: 3,
  tookMs: 1,
  decidedAt: null,
  ...change,
});

describe("what a file became", () => {
  test.each([
    ["guide.md", null, "Page, 3 passages"],
    ["manual.pdf", 12, "PDF, 12 pages, 3 passages"],
    ["deck.pptx", 1, "Slides, 1 slide, 3 passages"],
    ["plan.DOCX", null, "Text document, 3 passages"],
    ["prices.ods", null, "Spreadsheet, 3 passages"],
    ["prices.csv", null, "Table, 3 passages"],
    ["a.mail.eml", null, "Mail, 3 passages"],
    ["novel.epub", null, "Book, 3 passages"],
  ])("%s is said with its kind and its size", (location, documentPages, words) => {
    expect(becameWords(place(location, { page: { title: "A title", documentPages } }))).toBe(words);
  });

  test("is no page where it was left out or removed", () => {
    expect(becameWords(place("scan.pdf", { decision: "skipped", passages: 0 }))).toBe("No page");
    expect(becameWords(place("old.md", { decision: "removed" }))).toBe("No page any more");
  });

  test("is explained where something of it is not there, and nowhere else", () => {
    const detail = "has no text on page 4: pictures or scans";
    expect(becauseWords(place("a.pdf", { reason: "parse_fault", detail }))).toBe(`Not all of it: ${detail}`);
    expect(becauseWords(place("a.pdf", { decision: "skipped", reason: "parse_fault", detail }))).toBe(
      `It ${detail}`,
    );
    expect(becauseWords(place("a.md", { decision: "skipped", reason: "robots" }))).toBe(
      "robots.txt forbids it",
    );
    expect(becauseWords(place("guide.md"))).toBeUndefined();
  });
});
