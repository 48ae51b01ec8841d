import type { OfficeDocument } from "../package/package.ts";
import { targetOfType } from "../package/package.ts";
import { attributeOf, childOf, childrenOf, parseXml, readXmlPieces, type XmlElement } from "../xml/xml.ts";
import { type NumberFormats, readNumberFormats } from "./number-formats.ts";

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
