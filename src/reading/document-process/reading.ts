import {
  type DocumentKind,
  type ReadDocument,
  readDocument,
  type UnreadDocument,
} from "../documents/documents.ts";

/** Reads the documents of sources: PDF, Office, books, mail. */
export interface DocumentReading {
  /** The largest file that is read. */
  bytesMax: number;
  /** The largest that is kept as it is, for readers to download; 0: none. */
  keptBytesMax: number;
  /** Never throws for what is in a document, only where it is told to stop. */
  read(content: Uint8Array, kind: DocumentKind, signal?: AbortSignal): Promise<ReadDocument | UnreadDocument>;
}

/** Reads them in this process, where nothing bounds what a document costs that was made to harm. */
export const createOwnReading = (bytesMax: number, keptBytesMax = bytesMax): DocumentReading => ({
  bytesMax,
  keptBytesMax,
  read: (content, kind) => readDocument(content, kind),
});
