import { expect, test } from "bun:test";
import { readLinkList } from "../../../src/reading/generators/writing/link-list.ts";

test("a menu's targets are read as Markdown has them: escaped, encoded, in brackets", () => {
  const list = readLinkList(
    "* [New](release\\_notes/whats\\_new\\_214.md)\n* [Two](a%20b.md)\n* [Three](<c d.md>)\n* [Four](e\\(1\\).md)",
  );
  expect(list.map(({ href }) => href)).toEqual([
    "release_notes/whats_new_214.md",
    "a b.md",
    "c d.md",
    "e(1).md",
  ]);
});
