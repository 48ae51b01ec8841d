import { expect, test } from "bun:test";
import type { Measure } from "../../scripts/bench/figures.ts";
import { toPage, withMeasures } from "../../scripts/bench/report.ts";

const MACHINE: [string, string][] = [
  ["Docent", "0.1.0 (abc)"],
  ["Date", "2026-01-02 03:04 UTC"],
];

const measure = (title: string, ms: number): Measure => ({
  title,
  how: `How ${title} was measured.`,
  figures: [{ name: "Time", unit: "ms", values: [ms] }],
});

test("a section that is measured again is replaced, says when and with what, and the others stay as they were", () => {
  const page = toPage([measure("Start", 1), measure("Start, again", 2), measure("Size", 3)], MACHINE);
  const later = withMeasures(
    page,
    [measure("Start", 9)],
    [
      ["Docent", "0.2.0 (def)"],
      ["Date", "later"],
    ],
  );
  const [before = "", again = "", rest = ""] = later.split("\n## Start");
  expect(before).toBe(page.split("\n## Start")[0] ?? "");
  expect(again).toContain(
    "How Start was measured.\n\nMeasured again on later, with Docent 0.2.0 (def).\n\n|",
  );
  expect(again).toContain("9.00 ms");
  expect(rest).toBe(page.split("\n## Start")[2] ?? "");
});

test("a section is the same though its numbers changed, and a new one follows the one before it", () => {
  const page = toPage(
    [measure("Reading 90,000 pages", 0), measure("Reading 1,000 pages", 1), measure("Size", 2)],
    MACHINE,
  );
  const later = withMeasures(page, [measure("Reading 999 pages", 3), measure("Searching 12", 4)], MACHINE);
  const titles = [...later.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual([
    "The machine",
    "Reading 90,000 pages",
    "Reading 999 pages",
    "Searching 12",
    "Size",
  ]);
});
