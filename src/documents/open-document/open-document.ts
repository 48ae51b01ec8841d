import type { DocumentKind, DocumentReader } from "../document.ts";
import { readOpenSheets } from "./sheets.ts";
import { readOpenSlides } from "./slides.ts";
import { readOpenText } from "./text.ts";

/** The readers of OpenDocument: what LibreOffice and others write. */
export const OPEN_DOCUMENT_READERS = {
  odt: readOpenText,
  odp: readOpenSlides,
  ods: readOpenSheets,
} satisfies Partial<Record<DocumentKind, DocumentReader>>;
