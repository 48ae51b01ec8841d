import { readHtmlFragment } from "../../markdown/html/html.ts";
import { type Block, createBody, writeNotes } from "../blocks/blocks.ts";
import type { DocumentBounds, DocumentReader } from "../document.ts";
import { readDrawings } from "../drawing/drawing.ts";
import { readWebArchive } from "../mail/mail.ts";
import {
  type DocumentPackage,
  dataOf,
  type OfficeDocument,
  openOffice,
  type Relationship,
  readRelationships,
  targetOfType,
  toDocument,
} from "../package/package.ts";
import { readRtf } from "../rtf/rtf.ts";
import { attributeOf, childrenOf, parseXml, readXmlPieces, type XmlElement } from "../xml/xml.ts";
import type { Notes, WordContext } from "./context.ts";
import { createFields } from "./fields.ts";
import { readNumbering } from "./numbering.ts";
import { readBlocks } from "./read-blocks.ts";
import { readStyles } from "./styles.ts";

/** Reads a document of Word 2007 or later: as it looks with all its changes accepted. */
export const readWord: DocumentReader = async (content, bounds) => {
  const opened = await openOffice(content, bounds, {
    what: "a Word document",
    folder: "word",
    usualPart: "word/document.xml",
  });
  if ("unreadable" in opened) return opened;
  const faults: string[] = [];
  const { context, notes } = await createContext(opened, bounds, faults);
  const body = createBody(bounds.charactersMax);
  const fault = readXmlPieces(opened.main, {
    isPiece: (_, around) => around.at(-1) === "w:body",
    take(element) {
      for (const block of readBlocks([element], context)) body.push(block);
      return body.isFull() ? "stop" : undefined;
    },
  });
  if (fault !== undefined) faults.push(`is damaged: ${fault}; what comes after is not read`);
  if (body.isFull()) faults.push(tooLong(bounds));
  for (const text of writeNotes(notes.read())) body.push({ kind: "markdown", text });
  return toDocument(
    {
      data: dataOf({ ...opened.data, title: titleOf(context, opened) }),
      markdown: body.finish(),
      faults: [...opened.source.faults(), ...faults],
    },
    "has no text",
  );
};

const tooLong = ({ charactersMax }: DocumentBounds) =>
  `has more than ${charactersMax} characters, of which the first are read`;

/** The title that a document shows; what its properties say is often that of another that it was made from. */
function titleOf({ titles }: WordContext, { data }: OfficeDocument): string | undefined {
  return titles.title ?? (titles.heading === undefined ? data["title"] : undefined);
}

async function createContext(opened: OfficeDocument, bounds: DocumentBounds, faults: string[]) {
  const { source, relationships, main } = opened;
  const part = async (type: string): Promise<XmlElement | undefined> => {
    const name = targetOfType(relationships, type);
    const content = name === undefined ? undefined : await source.read(name);
    return content === undefined ? undefined : parseXml(content).root;
  };
  const embedded = new Map<string, readonly Block[]>([
    ...(await readDrawings(source, relationships)),
    ...(await readEmbedded({ source, bounds }, relationships, faults)),
  ]);
  const notes = createNotes(
    { footnote: await notesOf("footnotes"), endnote: await notesOf("endnotes") },
    (kind, elements) =>
      readBlocks(elements, {
        ...context,
        ...noteParts[kind],
        places: [],
        carried: [],
        fields: createFields(),
      }),
  );
  const noteParts = {
    footnote: { relationships: await relationshipsOf("footnotes") },
    endnote: { relationships: await relationshipsOf("endnotes") },
  };
  const context: WordContext = {
    styles: readStyles(await part("styles")),
    numbering: readNumbering(await part("numbering")),
    fields: createFields(),
    notes,
    relationships,
    embedded,
    targets: linkTargets(main),
    places: [],
    carried: [],
    said: new WeakMap(),
    drawings: { open: 0 },
    headingShift: { levels: 0 },
    titles: {},
  };
  return { context, notes };

  async function notesOf(type: "footnotes" | "endnotes"): Promise<ReadonlyMap<string, XmlElement>> {
    const all = childrenOf(await part(type));
    return new Map(all.map((note) => [attributeOf(note, "w:id") ?? "", note]));
  }
  async function relationshipsOf(type: "footnotes" | "endnotes") {
    const name = targetOfType(relationships, type);
    return name === undefined ? new Map() : await readRelationships(source, name);
  }
}

type Kind = "footnote" | "endnote";

/** Notes that can be read once the text has named them. */
interface NotesToRead extends Notes {
  /** The notes that were named, by their labels, in order; those that notes name too. */
  read(): ReadonlyMap<string, readonly Block[]>;
}

const NOTES_MAX = 10_000;

/** Labels notes in the order in which the text names them. */
function createNotes(
  notes: Record<Kind, ReadonlyMap<string, XmlElement>>,
  readBlocks: (kind: Kind, elements: readonly XmlElement[]) => Block[],
): NotesToRead {
  const named = new Map<string, { label: string; kind: Kind; note: XmlElement }>();
  const counts: Record<Kind, number> = { footnote: 0, endnote: 0 };
  return {
    labelOf(kind, id) {
      const key = `${kind} ${id}`;
      const known = named.get(key);
      if (known !== undefined) return known.label;
      const note = notes[kind].get(id);
      if (note === undefined || named.size >= NOTES_MAX) return undefined;
      counts[kind] += 1;
      const label = kind === "footnote" ? `${counts.footnote}` : `end-${counts.endnote}`;
      named.set(key, { label, kind, note });
      return label;
    },
    read() {
      const blocks = new Map<string, readonly Block[]>();
      // A map hands over what is added to it meanwhile as well.
      for (const { label, kind, note } of named.values())
        blocks.set(label, readBlocks(kind, childrenOf(note)));
      return blocks;
    },
  };
}

const BOOKMARK = /<(?:\w{1,20}:)?bookmarkStart\b[^<>]{0,500}?\b(?:\w{1,20}:)?name="([^"<>]{1,100})"/g;
const LINK = /\b(?:\w{1,20}:)?anchor="([^"<>]{1,100})"|\\l\s{0,9}(?:"|&quot;)([^"&<>]{1,100})(?:"|&quot;)/g;
/** Tables of contents lead to these; headings have places of their own. */
const OF_CONTENTS = /^_Toc/;

/** Of what is larger, links within it are words: it would be held a second time. */
const BYTES_MAX = 32_000_000;
const TARGETS_MAX = 5_000;

/** The bookmarks of a document that links in it lead to. Read ahead: links come before and after what they lead to. */
function linkTargets(main: Uint8Array): ReadonlySet<string> {
  const named = new Set<string>();
  if (main.length > BYTES_MAX) return named;
  const text = new TextDecoder().decode(main);
  for (const [, anchor, place] of text.matchAll(LINK)) {
    const name = anchor ?? place ?? "";
    if (!OF_CONTENTS.test(name)) named.add(name);
  }
  if (named.size === 0) return named;
  const found = new Set<string>();
  for (const [, name = ""] of text.matchAll(BOOKMARK)) {
    if (named.has(name)) found.add(name);
    if (found.size >= TARGETS_MAX) break;
  }
  return found;
}

const EMBEDDED_MAX = 100;

/** Documents of other formats that stand within one, by the ids of their relationships: HTML, text and RTF are read. */
async function readEmbedded(
  { source, bounds }: { source: DocumentPackage; bounds: DocumentBounds },
  relationships: ReadonlyMap<string, Relationship>,
  faults: string[],
): Promise<ReadonlyMap<string, readonly Block[]>> {
  const found = new Map<string, readonly Block[]>();
  for (const [id, { type, target, isExternal }] of relationships) {
    if (type !== "aFChunk" || isExternal || found.size >= EMBEDDED_MAX) continue;
    const content = await source.read(target);
    const block = content === undefined ? undefined : await blockOf(content, target, bounds);
    if (block !== undefined) found.set(id, [block]);
    else faults.push(`holds another document, ${target.slice(0, 100)}, which is not read`);
  }
  return found;
}

/** What a document says; undefined where it is none that is read. */
async function blockOf(
  content: Uint8Array,
  name: string,
  bounds: DocumentBounds,
): Promise<Block | undefined> {
  const [, ending = ""] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const markdown = (text: string): Block => ({ kind: "markdown", text });
  if (/^x?html?$/.test(ending)) return markdown(readHtmlFragment(new TextDecoder().decode(content)));
  if (ending === "txt") return { kind: "paragraph", spans: [{ text: new TextDecoder().decode(content) }] };
  if (/^mhtm?l?$/.test(ending)) return markdown(await readWebArchive(content, bounds));
  if (ending !== "rtf") return undefined;
  const read = await readRtf(content, bounds);
  return "unreadable" in read ? undefined : markdown(read.markdown);
}
