import { expect, test } from "bun:test";
import { rememberPieces } from "../../../src/kernel/text/remember-pieces.ts";

/** Numbers the pieces of texts, and counts how often one was made. */
function numbering(options: { piecesKept?: number; separatorsAtEnd?: string } = {}) {
  const made: string[] = [];
  const read = rememberPieces({
    separators: " \n,",
    piecesKept: 1000,
    ...options,
    make: (piece) => [made.push(piece) - 1],
  });
  return {
    made,
    pieces(text: string): string[] {
      const found: string[] = [];
      read(text, (numbers, from, end) => {
        for (const number of numbers.subarray(from, end)) found.push(made[number] ?? "?");
      });
      return found;
    },
  };
}

test.each([
  ["", []],
  [" ,\n", []],
  ["one", ["one"]],
  [" one, two\nthree,", ["one", "two", "three"]],
  ["naïve — 组件 😀", ["naïve", "—", "组件", "😀"]],
  ["v1.2. a... .b . ..", ["v1.2", "a", ".b"]],
])("%j is cut at separators", (text, pieces) => {
  expect(numbering({ separatorsAtEnd: "." }).pieces(text)).toEqual(pieces);
});

test("a piece that comes again is not made again, whatever it stands in", () => {
  const { made, pieces } = numbering();
  expect(pieces("one two one,two")).toEqual(["one", "two", "one", "two"]);
  expect(pieces("two\uffff two")).toEqual(["two\uffff", "two"]);
  expect(made).toEqual(["one", "two", "two\uffff"]);
});

test("thousands of pieces are each told from all others", () => {
  const { made, pieces } = numbering({ piecesKept: 50_000 });
  const words = Array.from({ length: 20_000 }, (_, index) => `w${(index * 7919).toString(36)}`);
  expect(pieces(words.join(" "))).toEqual(words);
  expect(pieces(words.toReversed().join("\n"))).toEqual(words.toReversed());
  // A few have no place among the others, and are made again.
  expect(made.length).toBeLessThan(words.length * 1.01);
});

test("when there are more than are kept, all are forgotten, and found again", () => {
  const { made, pieces } = numbering({ piecesKept: 2 });
  for (let round = 0; round < 3; round++) expect(pieces("a b c a")).toEqual(["a", "b", "c", "a"]);
  expect(made.length).toBeGreaterThan(4);
});

test("a long piece is handed over, and not remembered", () => {
  const { made, pieces } = numbering();
  const long = "x".repeat(65);
  expect(pieces(`${long} y ${long}`)).toEqual([long, "y", long]);
  expect(made).toEqual([long, "y", long]);
});
