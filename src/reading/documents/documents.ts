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

/**
 * The endings of documents by their kinds. Templates, files with macros and those of one file of XML hold the same as
 * plain ones.
 */
export const DOCUMENT_EXTENSIONS = {
  pdf: "pdf",
  docx: "docx",
  docm: "docx",
  dotx: "docx",
  odt: "odt",
  ott: "odt",
  fodt: "odt",
  rtf: "rtf",
  pptx: "pptx",
  pptm: "pptx",
  ppsx: "pptx",
  potx: "pptx",
  odp: "odp",
  otp: "odp",
  fodp: "odp",
  xlsx: "xlsx",
  xlsm: "xlsx",
  xltx: "xlsx",
  ods: "ods",
  ots: "ods",
  fods: "ods",
  csv: "csv",
  tsv: "csv",
  epub: "epub",
  eml: "eml",
  msg: "msg",
  mbox: "mbox",
} satisfies Record<string, DocumentKind>;

const BY_EXTENSION = new Map<string, DocumentKind>(Object.entries(DOCUMENT_EXTENSIONS));

const MEDIA_TYPES: Readonly<Record<string, DocumentKind>> = {
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.ms-word.document.macroenabled.12": "docx",
  "application/vnd.ms-powerpoint.presentation.macroenabled.12": "pptx",
  "application/vnd.ms-excel.sheet.macroenabled.12": "xlsx",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/rtf": "rtf",
  "text/rtf": "rtf",
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/epub+zip": "epub",
  "message/rfc822": "eml",
  "application/vnd.ms-outlook": "msg",
  "application/mbox": "mbox",
  "application/vnd.oasis.opendocument.text-flat-xml": "odt",
  "application/vnd.oasis.opendocument.presentation-flat-xml": "odp",
  "application/vnd.oasis.opendocument.spreadsheet-flat-xml": "ods",
};

/** Media types that say nothing: then the name does. */
const ANY = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/download",
  "application/x-download",
  "application/force-download",
]);

/** What kind of document a file is by its name; undefined for any other file. */
export function documentKindOf(location: string): DocumentKind | undefined {
  const name = location.slice(location.lastIndexOf("/") + 1);
  return name.includes(".")
    ? BY_EXTENSION.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase())
    : undefined;
}

/** What kind of document a reply is, by its media type or else by its address. */
export function documentKindOfReply(mediaType: string, pathname: string): DocumentKind | undefined {
  return MEDIA_TYPES[mediaType] ?? (ANY.has(mediaType) ? documentKindOf(pathname) : undefined);
}

/** What a download of such a document is sent as. */
export function mediaTypeOf(kind: DocumentKind): string {
  return Object.entries(MEDIA_TYPES).find(([, each]) => each === kind)?.[0] ?? "application/octet-stream";
}
