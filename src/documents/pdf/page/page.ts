import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { blocksOf } from "./blocks.ts";
import type { Fonts } from "./fonts.ts";
import type { Block } from "./line.ts";
import { readPageText } from "./text.ts";

export { createFonts, type Fonts } from "./fonts.ts";
export { type Block, LEADERS, type Line, type Piece, type Table } from "./line.ts";

/** What is read of one page. */
export interface ReadPage {
  /** Its lines and tables, in the order in which they are read. */
  blocks: Block[];
  /** All that are written on it, those without a meaning among them. */
  characters: number;
  /** Those left out, as their font does not say which letters its pictures are. */
  unknown: number;
}

/** Reads a page, and frees what pdf.js has made for it. */
export async function readPage(page: PDFPageProxy, number: number, fonts: Fonts): Promise<ReadPage> {
  const text = await readPageText(page, fonts);
  return { blocks: blocksOf(text, number), characters: text.characters, unknown: text.unknown };
}
