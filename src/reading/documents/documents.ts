import {
  DOCUMENT_BOUNDS,
  DOCUMENT_KINDS,
  type DocumentBounds,
  type DocumentKind,
  type DocumentReader,
  type ReadDocument,
  type UnreadDocument,
} from "./document.ts";

export { DOCUMENT_EXTENSIONS, documentKindOf, documentKindOfReply, mediaTypeOf } from "./kind-of.ts";
export {
  DOCUMENT_BOUNDS,
  DOCUMENT_KINDS,
  type DocumentBounds,
  type DocumentKind,
  type ReadDocument,
  type UnreadDocument,
};

/** The reader of each kind. Each is loaded when the first such document comes: the one of PDF alone is several MB. */
const READERS: Record<DocumentKind, () => Promise<DocumentReader>> = {
  rtf: async () => (await import("./rtf/rtf.ts")).readRtf,
  csv: async () => (await import("./csv/csv.ts")).readCsv,
  eml: async () => (await import("./mail/mail.ts")).readEml,
  msg: async () => (await import("./mail/mail.ts")).readMsg,
  mbox: async () => (await import("./mail/mail.ts")).readMbox,
  docx: async () => (await import("./word/word.ts")).readWord,
  odt: async () => (await import("./open-document/open-document.ts")).OPEN_DOCUMENT_READERS.odt,
  odp: async () => (await import("./open-document/open-document.ts")).OPEN_DOCUMENT_READERS.odp,
  ods: async () => (await import("./open-document/open-document.ts")).OPEN_DOCUMENT_READERS.ods,
  epub: async () => (await import("./book/book.ts")).readBook,
  xlsx: async () => (await import("./sheets/sheets.ts")).readWorkbookSheets,
  pptx: async () => (await import("./slides/slides.ts")).readSlides,
  pdf: async () => (await import("./pdf/pdf.ts")).readPdf,
};

/** Reads a document: what it holds as Markdown, or why it holds nothing that can be read. */
export async function readDocument(
  content: Uint8Array,
  kind: DocumentKind,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): Promise<ReadDocument | UnreadDocument> {
  const read = await READERS[kind]();
  return read(content, bounds);
}
