import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { blocksOf, type DrawnTables } from "./blocks.ts";
import type { Fonts } from "./fonts.ts";
import { rowsOf } from "./fragment.ts";
import type { Block } from "./line.ts";
import { mayHoldTables } from "./ruled.ts";
import type { Rules } from "./rules.ts";
import { NO_TAGS, type Structure } from "./tagged.ts";
import { type PageText, readPageText } from "./text.ts";

export { createFonts, type Fonts } from "./fonts.ts";
export { type Block, LEADERS, type Line, type Piece, type Table } from "./line.ts";
export { createRules } from "./rules.ts";
export { createStructure } from "./tagged.ts";

/** What is read of one page. */
interface ReadPage {
  /** Its lines and tables, in the order in which they are read. */
  blocks: Block[];
  /** All that are written on it, those without a meaning among them. */
  characters: number;
  /** Characters that were left out, because their font does not say which letters its pictures are. */
  unknown: number;
}

/** What pages of one document are read with. */
interface PageReading {
  fonts: Fonts;
  structure: Structure;
  rules: Rules;
}

/** Reads a page, and frees what pdf.js has made for it. */
export async function readPage(
  page: PDFPageProxy,
  number: number,
  { fonts, ...reading }: PageReading,
): Promise<ReadPage> {
  try {
    const text = await readPageText(page, fonts);
    const drawn = await tablesOf(page, text, reading);
    return { blocks: blocksOf(text, drawn, number), characters: text.characters, unknown: text.unknown };
  } finally {
    page.cleanup();
  }
}

/** What a page says of its tables: asked for only where there may be some, as it takes as long as the text does. */
async function tablesOf(
  page: PDFPageProxy,
  { frames }: PageText,
  { structure, rules }: Omit<PageReading, "fonts">,
): Promise<DrawnTables> {
  const mayBe = frames.some(({ fragments }) => mayHoldTables(rowsOf(fragments)));
  if (!mayBe) return { tags: NO_TAGS, rules: [] };
  const isMarked = frames.some(({ fragments }) => fragments.some(({ mark }) => mark !== undefined));
  const tags = isMarked ? await structure.tagsOf(page) : NO_TAGS;
  return { tags, rules: await rules.rulesOf(page) };
}
