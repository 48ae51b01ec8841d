import { type Block, createBody, writeNotes } from "../blocks/blocks.ts";
import type { DocumentBounds, DocumentReader } from "../document.ts";
import { readDrawings } from "../drawing/drawing.ts";
import {
  dataOf,
  type OfficeDocument,
  openOffice,
  readRelationships,
  targetOfType,
  toDocument,
} from "../package/package.ts";
import { attributeOf, childrenOf, parseXml, readXmlPieces, type XmlElement } from "../xml/xml.ts";
import type { WordContext } from "./context.ts";
import { readEmbedded } from "./embedded.ts";
import { createFields } from "./fields.ts";
import { createNotes } from "./notes.ts";
import { readNumbering } from "./numbering.ts";
import { readBlocks } from "./read-blocks.ts";
import { readStyles } from "./styles.ts";
import { linkTargets } from "./targets.ts";

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
