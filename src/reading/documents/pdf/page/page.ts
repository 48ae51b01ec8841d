import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type Column, columnsOf } from "./columns.ts";
import type { Fonts } from "./fonts.ts";
import { type Fragment, type Frame, mirrored, type Row, rowsOf } from "./fragment.ts";
import { type Block, lineOf, type Table } from "./line.ts";
import { mayHoldTables, withRuledTables } from "./ruled.ts";
import type { Rule, Rules } from "./rules.ts";
import { stretchesOf, tableOfCells } from "./tables.ts";
import { NO_TAGS, type Structure, type Tags, withTaggedTables } from "./tagged.ts";
import { type PageText, readPageText } from "./text.ts";
import { turned, turnOf } from "./turns.ts";

export { createFonts } from "./fonts.ts";
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

/** What a page says of its tables: by the structure of the document, and by the lines that it draws. */
interface DrawnTables {
  tags: Tags;
  rules: readonly Rule[];
}

/** The lines and tables of a page, in the order in which they are read. */
function blocksOf(text: PageText, drawn: DrawnTables, page: number): Block[] {
  const blocks: Block[] = [];
  const isMono = isAllMono(text);
  let number = 0;
  for (const frame of text.frames)
    for (const column of columnsOf(rowsOf(fragmentsOf(frame, drawn)))) {
      blocks.push(...blocksOfColumn(column, { page, column: number, isMirrored: frame.rtl, isMono }));
      number += 1;
    }
  return blocks;
}

const ALL_MONO_MIN = 0.9;

function isAllMono({ frames }: PageText): boolean {
  let [all, mono] = [0, 0];
  for (const { fragments } of frames)
    for (const fragment of fragments) {
      all += fragment.text.length;
      if (fragment.mono) mono += fragment.text.length;
    }
  return mono > ALL_MONO_MIN * all;
}

/** A frame's fragments, with what stands in for tables. The structure is believed before the lines. */
function fragmentsOf({ turn, fragments, rtl }: Frame, { tags, rules }: DrawnTables): Fragment[] {
  // Lines that are level on the page are no rules of what leans.
  const own = turn % 90 === 0 ? rules.map((rule) => turned(rule, turnOf(turn))) : [];
  if (!rtl) return withRuledTables(withTaggedTables(fragments, tags), own);
  return withRuledTables(
    withTaggedTables(mirrored(fragments), tags),
    own.map((rule) => ({ ...rule, x0: -rule.x1, x1: -rule.x0 })),
  );
}

interface Place {
  page: number;
  column: number;
  isMirrored: boolean;
  isMono: boolean;
}

function blocksOfColumn({ rows, x0 }: Column, place: Place): Block[] {
  return partedByTables(rows, place).flatMap((part) =>
    "kind" in part ? [part] : blocksOfRows(part, x0, place),
  );
}

/** The rows between tables whose cells are known, and these. */
function partedByTables(rows: readonly Row[], { page, column, isMirrored }: Place): (Row[] | Table)[] {
  const parts: (Row[] | Table)[] = [];
  const seen = new Set<Fragment[][][]>();
  let plain: Row[] = [];
  for (const row of rows) {
    for (const { fragments } of row.segments) {
      const cells = fragments[0]?.table;
      if (cells === undefined || seen.has(cells)) continue;
      seen.add(cells);
      if (plain.length > 0) parts.push(plain);
      plain = [];
      parts.push({ ...tableOfCells(cells, row.y, isMirrored), page, column });
    }
    const segments = row.segments.filter(({ fragments }) => fragments[0]?.table === undefined);
    if (segments.length > 0) plain.push({ ...row, segments });
  }
  if (plain.length > 0) parts.push(plain);
  return parts;
}

function blocksOfRows(rows: readonly Row[], left: number, place: Place): Block[] {
  const { page, column, isMirrored } = place;
  return stretchesOf(rows, place).flatMap((stretch): Block[] => {
    if ("table" in stretch) return [{ ...stretch.table, page, column }];
    const right = usualEnd(stretch.rows.map(({ segments }) => segments.at(-1)?.x1 ?? 0));
    return stretch.rows.map((row) => lineOf(row, { page, column, isMirrored, left, right }));
  });
}

/** Where lines end that are full: one that is too long, as a picture's label, is no measure. */
function usualEnd(ends: readonly number[]): number {
  const sorted = [...ends].sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length * 0.08)] ?? 0;
}
