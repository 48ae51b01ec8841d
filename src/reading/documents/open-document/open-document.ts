import { createBody, writeNotes } from "../blocks/blocks.ts";
import type { DocumentKind, DocumentReader } from "../document.ts";
import { dataOf, toDocument } from "../package/package.ts";
import { readXmlPieces } from "../xml/xml.ts";
import { createContext } from "./context.ts";
import { openDocument } from "./open.ts";
import { readBlocks } from "./read-blocks.ts";
import { readOpenSheets } from "./sheets.ts";
import { readOpenSlides } from "./slides.ts";

/** Reads a text of LibreOffice and others: as it looks with all its changes accepted. */
const readOpenText: DocumentReader = async (content, bounds) => {
  const opened = await openDocument(content, bounds, { what: "an OpenDocument text", body: "office:text" });
  if ("unreadable" in opened) return opened;
  const faults: string[] = [];
  const context = createContext(opened.styles, opened.objects, linkTargets(opened.content));
  const body = createBody(bounds.charactersMax);
  const fault = readXmlPieces(opened.content, {
    isPiece: (_, around) => around.at(-1) === "office:text",
    take(element) {
      for (const block of readBlocks([element], context)) body.push(block);
      return body.isFull() ? "stop" : undefined;
    },
  });
  if (fault !== undefined) faults.push(`is damaged: ${fault}; what comes after is not read`);
  if (body.isFull())
    faults.push(`has more than ${bounds.charactersMax} characters, of which the first are read`);
  for (const text of writeNotes(context.notes)) body.push({ kind: "markdown", text });
  const { titles } = context;
  const title = titles.title ?? (titles.heading === undefined ? opened.data["title"] : undefined);
  return toDocument(
    {
      data: dataOf({ ...opened.data, title }),
      markdown: body.finish(),
      faults: [...opened.source.faults(), ...faults],
    },
    "has no text",
  );
};

/** The readers of OpenDocument: what LibreOffice and others write. */
export const OPEN_DOCUMENT_READERS = {
  odt: readOpenText,
  odp: readOpenSlides,
  ods: readOpenSheets,
} satisfies Partial<Record<DocumentKind, DocumentReader>>;

const LINK = /\b(?:\w{1,20}:)?href="#([^"<>|]{1,200})"/g;

/** Of what is larger, links within it are words: it would be held a second time. */
const BYTES_MAX = 32_000_000;

/** The places in a document that links in it lead to. */
function linkTargets(content: Uint8Array): ReadonlySet<string> {
  if (content.length > BYTES_MAX) return new Set();
  const text = new TextDecoder().decode(content);
  const named = new Set(Array.from(text.matchAll(LINK), ([, name = ""]) => name));
  // Each is looked for in all of the text.
  return new Set([...named].slice(0, 500).filter((name) => text.includes(`name="${name}"`)));
}
