/*
 * What LibreOffice works out itself, so that it is no reference of what a workbook says: pivot tables, which it builds anew
 * in its own words, what formulas come to that ask for the day, for chance or for the program, and errors of its own.
 */

interface Range {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The places of pivot tables, by the name of their sheet. Columns and rows count from 1. */
export type PivotRanges = ReadonlyMap<string, readonly Range[]>;

const PIVOT_TARGET = /<table:data-pilot-table [^>]*?table:target-range-address="([^"]*)"/g;
const ADDRESS = /^(?:\$?'((?:[^']|'')*)'|\$?([^'.:]*))\.\$?([A-Z]+)\$?(\d+):.*?\$?([A-Z]+)\$?(\d+)$/;

export function pivotRangesOf(xml: string): PivotRanges {
  const ranges = new Map<string, Range[]>();
  for (const [, written = ""] of xml.matchAll(PIVOT_TARGET)) {
    const found = ADDRESS.exec(written.replaceAll("&apos;", "'").replaceAll("&amp;", "&"));
    if (found === null) continue;
    const [, quoted, plain = "", left = "", top, right = "", bottom] = found;
    const sheet = quoted?.replaceAll("''", "'") ?? plain;
    const range = {
      left: columnOf(left),
      right: columnOf(right),
      top: Number(top),
      bottom: Number(bottom),
    };
    ranges.set(sheet, [...(ranges.get(sheet) ?? []), range]);
  }
  return ranges;
}

const columnOf = (letters: string) =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);

export const isInPivot = (ranges: readonly Range[], column: number, row: number) =>
  ranges.some(
    ({ left, right, top, bottom }) => column >= left && column <= right && row >= top && row <= bottom,
  );

const CHANGING = /\b(?:TODAY|NOW|RAND|RANDBETWEEN|RANDARRAY|CELL|INFO)\(/;
/** The form of LibreOffice's own errors; those of Excel begin with #. */
const OWN_ERROR = /^Err:\d{3}$/;

export const isOwnResult = (formula: string, shown: string) =>
  CHANGING.test(formula) || OWN_ERROR.test(shown);

/** A truth that is no formula in Excel: LibreOffice writes one, beside a number that it may not have worked out. */
const TRUTH = /^of:=(TRUE|FALSE)\(\)$/;

/** How many signs Excel gives a number without a format, its point among them. */
const GENERAL_SIGNS = 11;

/**
 * What else a value may be shown as: a date in ISO's form, where the other writes it as its machine does; a number in the
 * signs that Excel gives it, where the other writes all of them; a truth as the word that it is.
 */
export function otherFormOf(attributes: ReadonlyMap<string, string>, shown: string): string | undefined {
  const date = attributes.get("office:date-value");
  if (date !== undefined) return date.replace("T", " ").replace(/(:\d\d):\d\d(?:\.\d+)?$/, "$1");
  const [, truth] = TRUTH.exec(attributes.get("table:formula") ?? "") ?? [];
  if (truth !== undefined) return truth;
  if (attributes.get("office:value-type") !== "float" || !/^-?\d+\.\d+$/.test(shown)) return undefined;
  const [whole = ""] = shown.replace("-", "").split(".");
  const decimals = GENERAL_SIGNS - whole.length - 1;
  return decimals < 0 ? undefined : `${Number(Number(shown).toFixed(decimals))}`;
}
