import { expect, test } from "bun:test";
import { alignHeadings } from "../../../src/kernel/text/align-headings/align-headings.ts";

test("headings are found in order, whatever a theme makes of their case and marks", () => {
  expect(alignHeadings(["Set up", "Run it!"], ["SET UP", "On this page", "Run it"])).toEqual([0, 2]);
  expect(alignHeadings(["A", "B"], ["C"])).toEqual([undefined, undefined]);
  expect(alignHeadings([], ["A"])).toEqual([]);
});

test("of headings that are called alike, each has one of its own", () => {
  const own = ["Red", "Options", "Blue", "Options", "Green", "Options"];
  const others = ["Red", "Options", "Blue", "Green", "Options"];
  expect(alignHeadings(own, others)).toEqual([0, 1, 2, undefined, 3, 4]);
});

test("one with a badge or a few words more is the same, between those that agree; another one is not", () => {
  expect(alignHeadings(["One", "useStore()", "Two"], ["One", "useStore() 3.0+", "Two"])).toEqual([0, 1, 2]);
  expect(alignHeadings(["One", "Mixing", "Two"], ["One", "Feedback", "Two"])).toEqual([0, undefined, 2]);
});

test("headings without letters are compared by their marks", () => {
  expect(alignHeadings(["!", "?"], ["?"])).toEqual([undefined, 0]);
});

test("pages with very many headings are followed one by one", () => {
  const own = Array.from({ length: 1_500 }, (_, index) => `Heading ${index}`);
  const found = alignHeadings(own, ["New", ...own]);
  expect(found.every((place, index) => place === index + 1)).toBe(true);
});
