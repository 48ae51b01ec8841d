import { expect, test } from "bun:test";
import { remarkLines } from "../../src/cli/commands/run-report/run-report.ts";

test("files that are not there share a line, whatever they are called", () => {
  const missing = (location: string, name: string) => ({
    location,
    detail: `${name}, which it imports, is not in this source`,
  });
  const remarks = [
    missing("a.mdx:", "./made/one.mdx"),
    missing("b.mdx:", "@site/made/two.mdx"),
    missing("b.mdx:", "./made/three.mdx"),
    {
      location: "d.mdx:",
      detail: `${missing("", "./four.mdx").detail}; ${missing("", "./five.mdx").detail}`,
    },
    { location: "c.mdx:", detail: "JSX is too tangled" },
  ];
  expect(remarkLines(remarks)).toEqual([
    "a.mdx: ./made/one.mdx, which it imports, is not in this source (and 3 more)",
    "c.mdx: JSX is too tangled",
  ]);
});
