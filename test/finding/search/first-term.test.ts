import { expect, test } from "bun:test";
import { analyze, firstTerm } from "../../../src/finding/search/analyze.ts";

test("the first term of a name is the one that its text is indexed under first", () => {
  const parts = [
    "running",
    "a",
    "max2",
    "3",
    "queries",
    "x1y",
    "operator",
    "version",
    "über",
    "Größe",
    "日本",
  ];
  for (const first of parts)
    for (const second of parts)
      for (const joint of ["", ".", "::", "-", " "]) {
        const text = `${first}${joint}${second}`;
        expect([text, firstTerm(text)]).toEqual([text, analyze(text)[0]]);
      }
  const long = "retries".repeat(12);
  expect(firstTerm(long)).toBe(analyze(long)[0]);
  expect(firstTerm("...")).toBe(analyze("...")[0]);
});
