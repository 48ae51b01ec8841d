import { textToMarkdown } from "../../markdown/txt.ts";
import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import { writeCell } from "../write-cell.ts";
import { decodeValues } from "./decode-values.ts";
import { type Rows, readRows } from "./rows.ts";

const ROWS_MAX = 20_000;
const COLUMNS_MAX = 500;
const CELL_CHARACTERS_MAX = 20_000;
/** Lines above a table that are its title or say where it comes from. */
const INTRODUCTION_ROWS_MAX = 10;

/** Reads values between commas, semicolons, tabs or bars as a table; a file that is none is read as text. */
export async function readCsv(
  content: Uint8Array,
  bounds: DocumentBounds,
): Promise<ReadDocument | UnreadDocument> {
  const decoded = decodeValues(content);
  if (decoded === undefined) return { unreadable: "is not text" };
  const faults = decoded.fault === undefined ? [] : [decoded.fault];
  const { text, delimiter } = takeSeparatorLine(decoded.text.replace(/^[\r\n]+/, ""));
  const remarks = REMARKS.exec(text)?.[0] ?? "";
  const values = text.slice(remarks.length);
  const separator = delimiter ?? guessDelimiter(values);
  const read = separator === undefined ? readWords(text, bounds) : readTable(values, separator, bounds);
  const above = separator === undefined ? "" : textToMarkdown(remarks.replace(/^#+ ?/gm, ""));
  const markdown = [above, read.markdown].filter(Boolean).join("\n\n");
  if (markdown === "") return { unreadable: "has no text" };
  return { data: {}, markdown, faults: [...faults, ...read.faults] };
}

/** Lines above the values that say something of them; a single one may be the names of the columns. */
const REMARKS = /^(?:#[^\r\n]{0,1000}(?:\r\n?|\n)){2,200}/;

/** Takes the first line in which Excel names the delimiter: `sep=;`. */
function takeSeparatorLine(text: string): { text: string; delimiter?: string } {
  const line = /^\ufeff?"?sep=([^\r\n"])"?[ \t,;]*(?:\r\n?|\n)/i.exec(text);
  return line?.[1] === undefined ? { text } : { text: text.slice(line[0].length), delimiter: line[1] };
}

interface Written {
  markdown: string;
  faults: string[];
}

function readWords(text: string, { charactersMax }: DocumentBounds): Written {
  const faults =
    text.length > charactersMax
      ? [`has ${count(text.length)} characters, of which the first ${count(charactersMax)} are read`]
      : [];
  const words = text.slice(0, charactersMax);
  // A single column may be quoted all the same.
  const unquoted = /^"[^"\n]*"\s*$/m.test(words)
    ? words.replace(/^"((?:[^"\n]|"")*)"[ \t]*$/gm, unquote)
    : words;
  return { markdown: textToMarkdown(unquoted).trim(), faults };
}

const unquote = (_: string, inside: string) => inside.replaceAll('""', '"');

function readTable(text: string, delimiter: string, { charactersMax }: DocumentBounds): Written {
  const read = readRows(text, delimiter, {
    rowsMax: ROWS_MAX,
    columnsMax: COLUMNS_MAX,
    cellCharactersMax: CELL_CHARACTERS_MAX,
    charactersMax,
  });
  const { introduction, table } = splitIntroduction(read.rows);
  const blocks = introduction.map((row) =>
    textToMarkdown(row.filter((cell) => cell.trim() !== "").join(" ")),
  );
  return { markdown: [...blocks, writeTable(table)].filter(Boolean).join("\n\n"), faults: faultsOf(read) };
}

/** Rows above the table that have a single value, where the table's own rows have several. */
function splitIntroduction(rows: string[][]): { introduction: string[][]; table: string[][] } {
  const first = rows.slice(0, INTRODUCTION_ROWS_MAX + 1).findIndex((row) => filledCells(row) > 1);
  const start = rows.slice(first, first + 20).some((row) => filledCells(row) > 1) ? Math.max(0, first) : 0;
  return { introduction: rows.slice(0, start), table: rows.slice(start) };
}

const filledCells = (row: readonly string[]) => row.filter((cell) => cell.trim() !== "").length;

function writeTable(rows: string[][]): string {
  const named = isHeader(rows);
  const columns = usedColumns(rows);
  const names = columns.map((column) => {
    const name = named ? writeCell(rows[0]?.[column] ?? "") : "";
    return name === "" ? columnLetters(column) : name;
  });
  const body = named ? rows.slice(1) : rows;
  // Every column has a name: Markdown drops the cells of a row that is longer than its head.
  const written = body.map((row) => columns.map((column) => writeCell(row[column] ?? "")));
  return [names, names.map(() => "---"), ...written].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The columns in which any row has a value. */
function usedColumns(rows: readonly string[][]): number[] {
  const used: boolean[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) used[column] = used[column] === true || cell.trim() !== "";
  return [...used.keys()].filter((column) => used[column]);
}

function faultsOf({ rows, rowCount, columnCount, cutCells, hasOpenQuote }: Rows): string[] {
  return [
    ...(rowCount > rows.length
      ? [`has ${count(rowCount)} rows, of which the first ${count(rows.length)} are read`]
      : []),
    ...(columnCount > COLUMNS_MAX
      ? [`has ${count(columnCount)} columns, of which the first ${count(COLUMNS_MAX)} are read`]
      : []),
    ...(cutCells > 0
      ? [
          `has ${count(cutCells)} cells of which only the first ${count(CELL_CHARACTERS_MAX)} characters are read`,
        ]
      : []),
    ...(hasOpenQuote ? ["has a quote that nothing closes: from there on, quotes are read as words"] : []),
  ];
}

const count = (number: number) => number.toLocaleString("en-US");

const DATE_OR_NUMBER =
  /^(?:[-+−(]?\s?[$€£¥]?\s?\d[\d.,'\s]*\s?[%€$£)]?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ].{0,20})?|[\w.+-]+@[\w-]+\.[\w.]+|https?:\/\/\S+)$/;
const NAME_CHARACTERS_MAX = 200;
const SAMPLE_ROWS = 100;

/**
 * Whether the first row names the columns. Most files have such a row: it takes a value among its cells, or names that
 * come again below, to doubt it.
 */
function isHeader([first = [], ...others]: readonly string[][]): boolean {
  const names = first.map((name) => name.trim());
  const filled = names.filter((name) => name !== "");
  if (filled.length * 2 < names.length || others.length === 0) return false;
  if (names.some((name) => name.length > NAME_CHARACTERS_MAX)) return false;
  if (new Set(filled).size < filled.length * 0.6) return false;
  const values = names.filter((name) => DATE_OR_NUMBER.test(name) && !isYear(name));
  if (values.length > 0 && !countsUp(names)) return false;
  return !repeatsBelow(names, others.slice(0, SAMPLE_ROWS));
}

const isYear = (name: string) => /^(?:19|20)\d\d$/.test(name);

/** Columns that are numbered, such as by hours or months, behind those with names. */
function countsUp(names: readonly string[]): boolean {
  const numbers = names.map(Number).filter((number) => Number.isInteger(number));
  return (
    numbers.length >= 3 &&
    numbers.slice(1).every((number, index) => number === (numbers[index] ?? 0) + 1) &&
    names.filter((name) => name !== "" && !/^\d+$/.test(name)).length > 0
  );
}

/** Whether values of the first row are values of their columns, too. */
function repeatsBelow(names: readonly string[], rows: readonly string[][]): boolean {
  const repeated = names.filter(
    (name, column) => name !== "" && rows.some((row) => row[column]?.trim() === name),
  );
  return repeated.length > 0 && repeated.length * 3 >= names.length;
}

/** The name of a column that has none, as spreadsheets have it: A, B, …, Z, AA. */
function columnLetters(column: number): string {
  let letters = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return letters;
}

/** What may stand between cells, the likeliest first. */
const DELIMITERS = [",", ";", "\t", "|", ":", "^", "~"];
/** Delimiters that stand in times, addresses and prose, too: they separate cells only where all rows agree. */
const RARE = new Set([":", "^", "~"]);
const SAMPLE_CHARACTERS = 60_000;
const WIDE_SAMPLE_CHARACTERS = 1_000_000;
const GUESSED_ROWS = 200;
const SAMPLE = {
  rowsMax: GUESSED_ROWS,
  columnsMax: 2_000,
  cellCharactersMax: 10_000,
  charactersMax: WIDE_SAMPLE_CHARACTERS,
};
/** Rows of a table may be ragged, but so many have as many cells as most. */
const LEAST_ALIKE = 0.4;
const NUMBER = /^[-+−(]?\s?[$€£¥]?\s?\d[\d.,'\s]*\s?[%€$£)]?$/;

/** What separates the cells of a file; undefined where it is no table. */
function guessDelimiter(text: string): string | undefined {
  const sample = sampleOf(text);
  let best: { delimiter: string; score: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(sample, delimiter);
    if (score > (best?.score ?? 0)) best = { delimiter, score };
  }
  return best?.delimiter;
}

/** The beginning of a file, in whole lines: a few at least, however wide the table is. */
function sampleOf(text: string): string {
  if (text.length <= SAMPLE_CHARACTERS) return text;
  const end = text.lastIndexOf("\n", SAMPLE_CHARACTERS);
  if (end > SAMPLE_CHARACTERS / 2) return text.slice(0, end);
  let at = SAMPLE_CHARACTERS;
  for (let lines = 0; lines < 3 && at >= 0; lines++) at = text.indexOf("\n", at + 1);
  return text.slice(0, at < 0 ? WIDE_SAMPLE_CHARACTERS : Math.min(at, WIDE_SAMPLE_CHARACTERS));
}

/** How well a delimiter explains a sample: rows with as many cells, and no other delimiter left in the cells. */
function scoreOf(sample: string, delimiter: string): number {
  const { rows } = readRows(sample, delimiter, SAMPLE);
  if (rows.length < 2) return 0;
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  const [width, alike] = [...counts].reduce((a, b) =>
    b[1] > a[1] || (b[1] === a[1] && b[0] > a[0]) ? b : a,
  );
  // In a table that is ragged throughout, every row has the delimiter at least.
  const isDivided = rows.every((row) => row.length > 1);
  const share = Math.max(alike / rows.length, isDivided && !RARE.has(delimiter) ? LEAST_ALIKE : 0);
  const least = RARE.has(delimiter) ? 1 : LEAST_ALIKE;
  if (width < 2 || share < least) return 0;
  let clean = 0;
  let cells = 0;
  for (const row of rows) {
    cells += row.length;
    for (const cell of row) if (isClean(cell, delimiter)) clean += 1;
  }
  const rarity = RARE.has(delimiter) ? 0.5 : 1;
  return share * (clean / cells) ** 2 * rarity * (1 + Math.min(width, 20) / 200);
}

function isClean(cell: string, delimiter: string): boolean {
  if (NUMBER.test(cell.trim())) return true;
  return !DELIMITERS.some((other) => other !== delimiter && !RARE.has(other) && cell.includes(other));
}
