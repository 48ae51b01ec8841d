import { format, getFormatFromId, isDateFormat } from "numfmt";
import { attributeOf, childOf, childrenOf, type XmlElement } from "../xml/xml.ts";

/** Shows numbers as a workbook does. */
export interface NumberFormats {
  /** `style` is the number of a cell's style. */
  show(value: number, style: number): string;
}

const PATTERN_CHARACTERS_MAX = 500;
/** Days between the calendars that begin in 1900 and in 1904. */
const DAYS_TO_1904 = 1_462;
const ISO_DATE = "yyyy-mm-dd";
/** Dates whose form depends on the machine: these say the same everywhere. */
const DATES: ReadonlyMap<number, string> = new Map([
  [14, ISO_DATE],
  [22, `${ISO_DATE} hh:mm`],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, ISO_DATE] as const),
]);

/** Reads the formats of a workbook's styles. */
export function readNumberFormats(
  root: XmlElement | undefined,
  { is1904 }: { is1904: boolean },
): NumberFormats {
  const own = new Map(
    childrenOf(childOf(root, "s:numFmts"), "s:numFmt").map((each) => [
      Number(attributeOf(each, "numFmtId")),
      attributeOf(each, "formatCode") ?? "",
    ]),
  );
  const patterns = childrenOf(childOf(root, "s:cellXfs"), "s:xf").map((each) => {
    const id = Number(attributeOf(each, "numFmtId") ?? 0);
    return own.get(id) ?? DATES.get(id) ?? builtIn(id);
  });
  const dates = new Map<string, boolean>();
  const isDate = (pattern: string) => {
    const known = dates.get(pattern) ?? isDateFormat(pattern);
    dates.set(pattern, known);
    return known;
  };
  return {
    show(value, style) {
      const pattern = patterns[style] ?? "General";
      // Numbers of accounts and the like are not rounded, though Excel does so where a column is narrow.
      if (pattern === "General" && Number.isSafeInteger(value)) return `${value}`;
      if (pattern.length > PATTERN_CHARACTERS_MAX) return `${value}`;
      try {
        const shifted = is1904 && isDate(pattern) ? value + DAYS_TO_1904 : value;
        const shown = format(pattern, shifted, { throws: false }).replace(/\s+/g, " ").trim();
        // A format that hides a number, or that cannot show it.
        return shown === "" || /^#+$/.test(shown) ? `${value}` : shown;
      } catch {
        return `${value}`;
      }
    },
  };
}

function builtIn(id: number): string {
  try {
    return getFormatFromId(id);
  } catch {
    return "General";
  }
}
