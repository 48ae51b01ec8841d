import { expect, test } from "bun:test";
import { changesOf, namedChanges } from "../../../src/measuring/golden/changes.ts";
import type { ChangedPage } from "../../../src/measuring/golden/stores.ts";

const page = (path: string, title: string, bytes = 10, sourceId = 1): ChangedPage => ({
  path,
  title,
  bytes,
  sourceId,
});
const movesOf = (
  taken: ChangedPage[],
  brought: ChangedPage[],
  redirects: { from: string; to: string }[] = [],
) => changesOf({ taken, brought, redirects }).moved.map((move) => [move.from, move.page.path]);

test("a page has moved where its title was one page's and is one page's", () => {
  expect(movesOf([page("a", "Guide")], [page("b", "Guide", 99)])).toEqual([["a", "b"]]);
  expect(movesOf([page("a", "Guide")], [page("b", "Other")])).toEqual([]);
  expect(movesOf([page("a", "")], [page("b", "")])).toEqual([]);
});

test("a page has moved where its path differs in how it ends alone, whatever its title is", () => {
  const taken = [page("a", "One"), page("b/c", "Overview"), page("d", "Overview")];
  const brought = [page("a.html", "Other"), page("b/c.html", "Overview"), page("d.html", "Overview", 9)];
  expect(movesOf(taken, brought)).toEqual([
    ["a", "a.html"],
    ["b/c", "b/c.html"],
    ["d", "d.html"],
  ]);
  expect(movesOf([page("a", "One")], [page("a.html", "Other", 10, 2)])).toEqual([]);
});

test("pages that share a title are told apart by their length, or not at all", () => {
  const taken = [page("a", "Overview", 1), page("b", "Overview", 2)];
  const brought = [page("y", "Overview", 2), page("x", "Overview", 1)];
  expect(movesOf(taken, brought)).toEqual([
    ["a", "x"],
    ["b", "y"],
  ]);
  expect(movesOf(taken, [page("x", "Overview", 7), page("y", "Overview", 8)])).toEqual([]);
});

test("what the docs say of old addresses comes first, and a page of another source is another page", () => {
  const redirects = [{ from: "a", to: "c#there" }];
  expect(movesOf([page("a", "Guide")], [page("b", "Guide"), page("c", "New")], redirects)).toEqual([
    ["a", "c"],
  ]);
  expect(movesOf([page("a", "Guide")], [page("b", "Guide", 10, 2)])).toEqual([]);
});

test("a page with the same path is changed; what is left is added or removed, and lists are cut", () => {
  const brought = [page("same", "Same"), ...Array.from({ length: 250 }, (_, n) => page(`new/${n}`, `N${n}`))];
  const { counts, added, changed, removed, moved } = namedChanges(
    changesOf({ taken: [page("same", "Same"), page("old", "Old")], brought, redirects: [] }),
  );
  expect(counts).toEqual({ added: 250, changed: 1, removed: 1, moved: 0 });
  expect([added.length, changed, removed, moved]).toEqual([
    200,
    [{ path: "same", title: "Same" }],
    [{ path: "old", title: "Old" }],
    [],
  ]);
});
