import { readFlatDocument } from "./flat-document.ts";
import { readPages } from "./printed-pages.ts";

/** What another program reads of a document. */
export interface Reference {
  /** All that it writes. */
  all: string;
  /** The same without what our readers leave out on purpose, as docs/documents.md says. */
  meant: string;
  /** Rows of its tables: each cell that has words. */
  rows: ReferenceCell[][];
}

export interface ReferenceCell {
  words: string;
  /** How its value may be written just as well. */
  otherForm?: string | undefined;
  /** Whether the other program worked it out itself, and the document says nothing of it. */
  isOwnResult?: boolean;
}

/**
 * Reads what the other program wrote: a flat OpenDocument of LibreOffice, or text with a form feed behind each page. Of the
 * pages that are left out, nothing is meant.
 */
export function readReference(written: string, leftOut: ReadonlySet<number>): Reference {
  if (/<office:document\b/.test(written.slice(0, 2_000))) return readFlatDocument(written);
  if (written.includes("\f")) return readPages(written, leftOut);
  return { all: written, meant: written, rows: [] };
}
