import { describe, expect, test } from "bun:test";
import { suggestionsBlock } from "../../../src/answering/answer/write/write.ts";

const page = (path: string, title: string, relevance = 0.9) => ({ path, title, relevance });

describe("suggestions", () => {
  test("are pages that were found and not cited, as ready-made clients read them", () => {
    const found = [page("install", "Install"), page("keys", "Keys"), page("limits", "Limits")];
    expect(suggestionsBlock(found, new Set(["install"]), 0.4)).toBe(
      "\n\n```suggestions\n(Keys)[/keys]\n(Limits)[/limits]\n```",
    );
  });

  test("are left out where nothing is worth suggesting", () => {
    expect(suggestionsBlock([page("install", "Install")], new Set(["install"]), 0.4)).toBe("");
    expect(suggestionsBlock([page("far", "Far off", 0.1)], new Set(), 0.4)).toBe("");
  });

  test("name a page once, and three at most", () => {
    const found = ["a", "a", "b", "c", "d"].map((path) => page(path, path.toUpperCase()));
    expect(suggestionsBlock(found, new Set(), 0.4).match(/\[\//g)).toHaveLength(3);
  });

  test("a title cannot break out of its line or its block", () => {
    const block = suggestionsBlock([page("a", "x)[/evil]\n```\n(y")], new Set(), 0.4);
    expect(block.split("\n").filter((line) => line.startsWith("```"))).toHaveLength(2);
    expect(block).not.toContain("[/evil]");
  });
});
