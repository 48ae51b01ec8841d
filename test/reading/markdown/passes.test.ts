import { describe, expect, test } from "bun:test";
import {
  type Dialect,
  OPENING_PASSES,
  PASSES,
  type Pass,
  runPasses,
} from "../../../src/reading/markdown/passes.ts";

const ALL = [...OPENING_PASSES, ...PASSES];

describe("the passes over Markdown", () => {
  test.each<Dialect>(["md", "mdx", "pandoc"])(
    "of %s stand behind those that give what they need",
    (dialect) => {
      const passes = ALL.filter((pass) => pass.of.includes(dialect));
      for (const [at, { name, needs }] of passes.entries())
        for (const later of passes.slice(at + 1))
          expect(
            later.gives.filter((given) => needs.includes(given)),
            `${name} before ${later.name}`,
          ).toEqual([]);
    },
  );

  test("give nothing that no pass needs, and need nothing that none gives", () => {
    const ends = new Set(["footnotes"]);
    const needed = new Set(ALL.flatMap(({ needs }) => needs));
    const given = new Set(ALL.flatMap(({ gives }) => gives));
    expect([...given].filter((each) => !needed.has(each) && !ends.has(each))).toEqual([]);
    expect([...needed].filter((each) => !given.has(each))).toEqual([]);
  });

  test("run one on what the other wrote, those of the dialect alone, and keep every fault", () => {
    const adding = (name: string, of: Dialect[]): Pass => ({
      name,
      of,
      needs: [],
      gives: [],
      write: (markdown) => ({ markdown: `${markdown}${name}`, faults: [name] }),
    });
    const passes = [adding("a", ["md"]), adding("b", ["mdx"]), adding("c", ["md", "mdx"])];
    expect(runPasses(passes, "md", "-", {})).toEqual({ markdown: "-ac", faults: ["a", "c"] });
    expect(runPasses(passes, "mdx", "-", {})).toEqual({ markdown: "-bc", faults: ["b", "c"] });
  });
});
