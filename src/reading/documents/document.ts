/** Kinds of documents that are no text: each has a room here, or shares one. */
export const DOCUMENT_KINDS = [
  "pdf",
  "docx",
  "odt",
  "rtf",
  "pptx",
  "odp",
  "xlsx",
  "ods",
  "csv",
  "epub",
  "eml",
  "msg",
  "mbox",
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** How much of a document is read. What is beyond is said. */
export interface DocumentBounds {
  /** Of its Markdown. */
  charactersMax: number;
  /** Of a PDF; slides of a presentation. */
  pagesMax: number;
  /** Of all that is unpacked of a document that is a zip. */
  unpackedBytesMax: number;
}

export const DOCUMENT_BOUNDS: DocumentBounds = {
  charactersMax: 20_000_000,
  pagesMax: 5_000,
  unpackedBytesMax: 200_000_000,
};

/** A document as a page's Markdown. */
export interface ReadDocument {
  /** What the document says of itself, as front matter: `title`, `description`, `language`, `author`, `date`. */
  data: Record<string, string>;
  /** With `placeMark("page=12")` where a page of the document begins, so that citations lead there. */
  markdown: string;
  /** What of it is not read, for its author. Each completes "<location> …". */
  faults: string[];
}

/** Completes "<location> …": why nothing of a document is read. */
export interface UnreadDocument {
  unreadable: string;
}

/** Reads one kind of document. Never runs anything in it, and reaches for nothing outside of it. */
export type DocumentReader = (
  content: Uint8Array,
  bounds: DocumentBounds,
) => Promise<ReadDocument | UnreadDocument>;
