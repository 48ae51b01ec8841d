import { describe, expect, test } from "bun:test";
import { roundOf } from "../../../src/finding/enrich/urgency.ts";

const SENTENCES = "The proxy listens on the port that is set. It passes on what comes to the app.";
const TABLE = Array.from({ length: 8 }, (_, index) => `option-${index} string the value of ${index}`).join(
  "\n",
);
const round = (heading: string, text = SENTENCES, title = "Proxy") =>
  roundOf({ title, headings: [title, heading], text });

describe("the order in which a model writes for passages", () => {
  test("begins with help for problems and tasks", () => {
    for (const heading of [
      "Troubleshooting",
      "Why is my app slow?",
      "Rotating a key",
      "Add a domain",
      "Common errors",
      "Fehlerbehebung: häufige Fehler",
      "如何安装",
    ])
      expect([heading, round(heading)]).toEqual([heading, 0]);
    expect(round("Install it", TABLE)).toBe(0);
  });

  test("ends with tables, references and lists of changes", () => {
    expect(round("Options", TABLE)).toBe(2);
    expect(round("API reference")).toBe(2);
    expect(round("2.2.7: fixed errors", SENTENCES, "Change history for Celery 2.2")).toBe(2);
  });

  test("has everything else in between", () => {
    expect(round("The proxy")).toBe(1);
    expect(round("Architecture")).toBe(1);
  });
});
