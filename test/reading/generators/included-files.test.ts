import { describe, expect, test } from "bun:test";
import { createDocsTree } from "../../../src/reading/generators/generators.ts";
import { createInclusions, readIncluded, takenIn } from "../../../src/reading/generators/writing/writing.ts";

const texts: Record<string, string> = {
  "page.md": "Page",
  "part.md": "Part",
  "binary.md": "\u0001".repeat(99),
  "large.md": "x".repeat(3_000_000),
};
const tree = createDocsTree(
  [...Object.keys(texts), "broken.md"].map((location) => ({
    location,
    async read() {
      const text = texts[location];
      if (text === undefined) throw new Error("the disk is gone");
      return new TextEncoder().encode(text);
    },
  })),
);

describe("a file that a page takes in", () => {
  test("is read, or said why not", async () => {
    const above = ["page.md"];
    const why = async (location: string | undefined, within = above) =>
      readIncluded(createInclusions(tree), location, within);
    expect(await why("part.md")).toEqual({ location: "part.md", text: "Part" });
    expect(await why(undefined)).toEqual({ fault: "is not in this source" });
    expect(await why("none.md")).toEqual({ fault: "is not in this source" });
    expect(await why("page.md")).toEqual({ fault: "includes itself" });
    expect(await why("part.md", Array(11).fill("a.md"))).toEqual({ fault: "is nested too deeply" });
    expect(await why("binary.md")).toEqual({ fault: "is no text" });
    expect(await why("broken.md")).toEqual({ fault: "cannot be read" });
  });

  test("is no longer read where there are too many, or too much is in them", async () => {
    const many = createInclusions(tree);
    for (let count = 0; count < 2_000; count++)
      expect((await readIncluded(many, "part.md", [])).fault).toBeUndefined();
    expect(await readIncluded(many, "part.md", [])).toEqual({ fault: "makes the page too long" });

    const large = createInclusions(tree);
    expect((await readIncluded(large, "large.md", [])).fault).toBeUndefined();
    expect(await readIncluded(large, "large.md", [])).toEqual({ fault: "makes the page too long" });
    expect(takenIn(large, "more")).toBe("");
  });
});
