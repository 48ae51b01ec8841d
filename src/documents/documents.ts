import {
  DOCUMENT_BOUNDS,
  DOCUMENT_KINDS,
  type DocumentBounds,
  type DocumentKind,
  type DocumentReader,
  type ReadDocument,
  type UnreadDocument,
} from "./document.ts";

export {
  DOCUMENT_BOUNDS,
  DOCUMENT_KINDS,
  type DocumentBounds,
  type DocumentKind,
  type ReadDocument,
  type UnreadDocument,
};

/** The reader of each kind. Each is loaded when the first such document comes: the one of PDF alone is several MB. */
const READERS: Partial<Record<DocumentKind, () => Promise<DocumentReader>>> = {
  pdf: async () => (await import("./pdf/pdf.ts")).readPdf,
};

/** Reads a document: what it holds as Markdown, or why it holds nothing that can be read. */
export async function readDocument(
  content: Uint8Array,
  kind: DocumentKind,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): Promise<ReadDocument | UnreadDocument> {
  const load = READERS[kind];
  if (load === undefined) return { unreadable: `is a document of a kind that is not read: ${kind}` };
  const read = await load();
  return read(content, bounds);
}
