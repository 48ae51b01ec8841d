import { format, getFormatFromId, isDateFormat } from "numfmt";
import { type OfficeDocument, targetOfType } from "../package/package.ts";
import { attributeOf, childOf, childrenOf, parseXml, readXmlPieces, type XmlElement } from "../xml/xml.ts";

/** A sheet of a workbook, and the part that holds it. */
export interface SheetPlace {
  name: string;
  part: string;
  isHidden: boolean;
}

export interface Workbook {
  sheets: readonly SheetPlace[];
  strings: readonly string[];
  formats: NumberFormats;
}

const STRINGS_MAX = 5_000_000;

/** Reads what the sheets of a workbook have in common. */
export async function readWorkbook(opened: OfficeDocument, faults: string[]): Promise<Workbook> {
  const { main, source, relationships } = opened;
  const { root, fault } = parseXml(main);
  if (fault !== undefined) faults.push(`is damaged: ${fault}`);
  const sheets = childrenOf(childOf(root, "s:sheets"), "s:sheet").flatMap((sheet): SheetPlace[] => {
    const relationship = relationships.get(attributeOf(sheet, "r:id") ?? "");
    if (relationship === undefined || !/^(?:worksheet|chartsheet)$/.test(relationship.type)) return [];
    const name = attributeOf(sheet, "name")?.trim() ?? "";
    return [{ name, part: relationship.target, isHidden: /hidden/i.test(attributeOf(sheet, "state") ?? "") }];
  });
  const styles = await source.read(targetOfType(relationships, "styles") ?? "xl/styles.xml");
  const is1904 = /^(?:1|true)$/.test(attributeOf(childOf(root, "s:workbookPr"), "date1904") ?? "");
  return {
    sheets,
    strings: await readStrings(opened, faults),
    formats: readNumberFormats(styles === undefined ? undefined : parseXml(styles).root, { is1904 }),
  };
}

async function readStrings({ source, relationships }: OfficeDocument, faults: string[]): Promise<string[]> {
  const content = await source.read(targetOfType(relationships, "sharedStrings") ?? "xl/sharedStrings.xml");
  const strings: string[] = [];
  if (content === undefined) return strings;
  const fault = readXmlPieces(content, {
    isPiece: (name) => name === "s:si",
    take(element) {
      strings.push(richText(element));
      return strings.length >= STRINGS_MAX ? "stop" : undefined;
    },
  });
  if (fault !== undefined) faults.push(`is damaged: ${fault}; some of its words are missing`);
  return strings;
}

/** The text of a string, without how it is spoken. */
export function richText(element: XmlElement | undefined): string {
  return childrenOf(element)
    .map((child) => {
      if (child.name === "s:r") return richText(child);
      return child.name === "s:t" ? child.children.filter((node) => typeof node === "string").join("") : "";
    })
    .join("")
    .replace(/_x000[dD]_/g, "");
}

/** Shows numbers as a workbook does. */
interface NumberFormats {
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
function readNumberFormats(root: XmlElement | undefined, { is1904 }: { is1904: boolean }): NumberFormats {
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
