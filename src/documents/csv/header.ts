const DATE_OR_NUMBER =
  /^(?:[-+−(]?\s?[$€£¥]?\s?\d[\d.,'\s]*\s?[%€$£)]?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ].{0,20})?|[\w.+-]+@[\w-]+\.[\w.]+|https?:\/\/\S+)$/;
const NAME_CHARACTERS_MAX = 200;
const SAMPLE_ROWS = 100;

/**
 * Whether the first row names the columns. Most files have such a row: it takes a value among its cells, or names that
 * come again below, to doubt it.
 */
export function isHeader([first = [], ...others]: readonly string[][]): boolean {
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
export function columnLetters(column: number): string {
  let letters = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return letters;
}
