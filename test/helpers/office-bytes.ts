import { zipBytes } from "./archive-bytes.ts";

const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

/** A target by the last word of its relationship's type; the id is `r1`, `r2` and so on. */
export type Target = readonly [type: string, target: string];

export const relationshipsPart = (targets: readonly Target[]) =>
  `<Relationships xmlns="${PACKAGE}">${targets
    .map(([type, target], index) => {
      const mode = /^https?:/.test(target) ? ' TargetMode="External"' : "";
      return `<Relationship Id="r${index + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"${mode}/>`;
    })
    .join("")}</Relationships>`;

/** A zip of named parts. */
export const partsZip = (parts: Record<string, string | Uint8Array>) =>
  zipBytes(Object.entries(parts).map(([name, text]) => ({ name, text })));

const WORD = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${RELATIONSHIPS}"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(" ");

interface WordParts {
  styles?: string;
  numbering?: string;
  footnotes?: string;
  targets?: readonly Target[];
}

/** A document of Word whose body is this XML. */
export function wordBytes(body: string, { styles, numbering, footnotes, targets = [] }: WordParts = {}) {
  const own: [string, string | undefined][] = [
    ["styles", styles],
    ["numbering", numbering],
    ["footnotes", footnotes],
  ];
  const there = own.filter(([, xml]) => xml !== undefined);
  return partsZip({
    "_rels/.rels": relationshipsPart([["officeDocument", "word/document.xml"]]),
    "word/document.xml": `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationshipsPart([
      ...targets,
      ...there.map(([name]): Target => [name, `${name}.xml`]),
    ]),
    ...Object.fromEntries(
      there.map(([name, xml]) => [`word/${name}.xml`, `<w:${name} ${WORD}>${xml}</w:${name}>`]),
    ),
  });
}

/** A paragraph of Word. */
export const wordParagraph = (text: string, properties = "") =>
  `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

const SHEET = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONSHIPS}"`;

/** A workbook of sheets: what stands in each, and how it is listed. */
export function workbookBytes(
  sheets: readonly { name: string; xml: string; state?: string }[],
  { strings = [], styles = "" }: { strings?: readonly string[]; styles?: string } = {},
) {
  const listed = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="r${index + 1}"/>`,
  );
  return partsZip({
    "_rels/.rels": relationshipsPart([["officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook ${SHEET}><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationshipsPart(
      sheets.map((_, index): Target => ["worksheet", `worksheets/sheet${index + 1}.xml`]),
    ),
    "xl/sharedStrings.xml": `<sst ${SHEET}>${strings.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    "xl/styles.xml": `<styleSheet ${SHEET}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ xml }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet ${SHEET}>${xml}</worksheet>`,
      ]),
    ),
  });
}
