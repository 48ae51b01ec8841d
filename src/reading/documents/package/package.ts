import { posix } from "node:path";
import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import { attributeOf, childOf, childrenOf, parseXml, textIn, type XmlElement } from "../xml/xml.ts";
import { type DocumentPackage, openPackage } from "./parts.ts";

export { type DocumentPackage, openPackage } from "./parts.ts";

/** An Office document of 2007 or later, opened. */
export interface OfficeDocument {
  source: DocumentPackage;
  /** The name of the part that everything else hangs on. */
  mainPart: string;
  main: Uint8Array;
  relationships: ReadonlyMap<string, Relationship>;
  /** What it says of itself. */
  data: Record<string, string>;
}

/** Opens an Office document, whose main part lies in a folder such as `word`. `what` completes "is not …". */
export async function openOffice(
  content: Uint8Array,
  { unpackedBytesMax }: DocumentBounds,
  { what, folder, usualPart }: { what: string; folder: string; usualPart: string },
): Promise<OfficeDocument | UnreadDocument> {
  const source = await openPackage(content, what, unpackedBytesMax);
  if ("unreadable" in source) return source;
  const top = await readRelationships(source, "");
  const named = targetOfType(top, "officeDocument");
  const mainPart = named !== undefined && source.has(named) ? named : usualPart;
  const other = otherDocument(source, mainPart, { what, folder });
  if (other !== undefined) return { unreadable: source.faults()[0] ?? other };
  const main = await source.read(mainPart);
  if (main === undefined)
    return { unreadable: source.faults()[0] ?? `is not ${what}: it has no ${usualPart}` };
  const core = await source.read(targetOfType(top, "core-properties") ?? "docProps/core.xml");
  return {
    source,
    mainPart,
    main,
    relationships: await readRelationships(source, mainPart),
    data: core === undefined ? {} : coreData(parseXml(core).root),
  };
}

const FOLDERS: Record<string, string> = {
  word: "a Word document: name it .docx",
  xl: "a workbook: name it .xlsx",
  ppt: "a presentation: name it .pptx",
};

/** What a package is that is none of the wanted kind. */
function otherDocument(
  source: DocumentPackage,
  mainPart: string,
  { what, folder }: { what: string; folder: string },
): string | undefined {
  const main = mainPart.toLowerCase();
  if (main.endsWith(".bin")) return "is a binary workbook (.xlsb): save it as .xlsx";
  const own = main.split("/")[0] ?? "";
  if (source.has(mainPart) && (own === folder || FOLDERS[own] === undefined)) return undefined;
  const other = Object.keys(FOLDERS).find(
    (each) => each !== folder && source.names.some((name) => name.toLowerCase().startsWith(`${each}/`)),
  );
  return other === undefined ? `is not ${what}` : `is ${FOLDERS[other]}`;
}

/** The language is left out: it is that of the program that wrote it. */
function coreData(root: XmlElement | undefined): Record<string, string> {
  return dataOf({
    title: textIn(childOf(root, "dc:title")),
    description: textIn(childOf(root, "dc:description")),
    author: textIn(childOf(root, "dc:creator")),
    date: textIn(childOf(root, "dcterms:modified")) || textIn(childOf(root, "dcterms:created")),
  });
}

const DATA_CHARACTERS_MAX = 1_000;

/** What a document says of itself, as front matter: on one line each, and nothing that is empty. */
export function dataOf(said: Record<string, string | undefined>): Record<string, string> {
  const lines = Object.entries(said).map(
    ([key, value = ""]) =>
      [
        key,
        value
          .replace(/[\s\p{Cc}]+/gu, " ")
          .trim()
          .slice(0, DATA_CHARACTERS_MAX),
      ] as const,
  );
  return Object.fromEntries(lines.filter(([, value]) => value !== ""));
}

const FAULTS_MAX = 20;

/** A document that was read, or that has no words and so was not. */
export function toDocument(
  { data, markdown, faults }: ReadDocument,
  whenEmpty: string,
): ReadDocument | UnreadDocument {
  const said = [...new Set(faults)];
  if (markdown.trim() === "") return { unreadable: said[0] ?? whenEmpty };
  return { data, markdown, faults: said.slice(0, FAULTS_MAX) };
}

/** What a part refers to by an id. */
export interface Relationship {
  /** The last word of its type: `hyperlink`, `slide`, `footnotes`. */
  type: string;
  /** A part's name, or an address outside. */
  target: string;
  isExternal: boolean;
}

/** The relationships of a part of an Office document, by their ids. "" is the document itself. */
export async function readRelationships(
  source: DocumentPackage,
  part: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const content = await source.read(name);
  const root = content === undefined ? undefined : parseXml(content).root;
  const found = new Map<string, Relationship>();
  for (const each of root === undefined ? [] : childrenOf(root, "rel:Relationship")) {
    const target = attributeOf(each, "Target") ?? "";
    const isExternal = attributeOf(each, "TargetMode") === "External";
    const type = /[^/]*$/.exec(attributeOf(each, "Type") ?? "")?.[0] ?? "";
    found.set(attributeOf(each, "Id") ?? "", {
      type,
      target: isExternal ? target : partName(folder, target),
      isExternal,
    });
  }
  return found;
}

/** The target of the first relationship of a type that is inside of the document. */
export function targetOfType(
  relationships: ReadonlyMap<string, Relationship>,
  type: string,
): string | undefined {
  for (const each of relationships.values()) if (each.type === type && !each.isExternal) return each.target;
  return undefined;
}

const partName = (folder: string, target: string) =>
  target.startsWith("/") ? posix.normalize(target).slice(1) : posix.join(folder, target);
