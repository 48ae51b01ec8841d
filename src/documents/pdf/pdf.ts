import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { DocumentBounds, DocumentReader, ReadDocument, UnreadDocument } from "../document.ts";
import { headingLevels, usualOf } from "./headings.ts";
import type { Block } from "./line.ts";
import { factsOf, outlineOf } from "./metadata.ts";
import { blocksOf } from "./page-blocks.ts";
import { type PageNotes, pageFaults, whyNothing } from "./page-faults.ts";
import { createFonts, readPageText } from "./page-text.ts";
import { partsOf } from "./parts.ts";
import { openPdf } from "./pdfjs.ts";
import { runningBlocks } from "./running.ts";
import { vocabularyOf } from "./words.ts";
import { writeParts } from "./write.ts";

/**
 * Reads a PDF: its words in the order in which people read them, with headings, lists, tables and code where it looks like
 * that. Scripts, attachments and pictures stay closed, and nothing is fetched.
 */
export const readPdf: DocumentReader = async (content, bounds) => {
  const opened = await openPdf(content);
  if ("unreadable" in opened) return opened;
  try {
    return await readOpened(opened.pdf, bounds);
  } finally {
    await opened.close().catch(() => {});
  }
};

async function readOpened(
  pdf: PDFDocumentProxy,
  bounds: DocumentBounds,
): Promise<ReadDocument | UnreadDocument> {
  const { pages, notes } = await readPages(pdf, bounds);
  const unreadable = whyNothing(notes);
  if (unreadable !== undefined) return { unreadable };
  const facts = await factsOf(pdf);
  const running = runningBlocks(pages);
  const kept = pages.map((blocks) => blocks.filter((block) => !running.has(block)));
  const all = kept.flat();
  const usual = usualOf(all);
  const levels = headingLevels(all, await outlineOf(pdf), usual);
  const vocabulary = vocabularyOf(all.values().map(({ text }) => text));
  const markdown = writeParts(partsOf(kept, 1, { levels, vocabulary, usual }), usual.mono);
  return {
    data: facts.data,
    markdown: markdown.length > bounds.charactersMax ? markdown.slice(0, bounds.charactersMax) : markdown,
    faults: [...pageFaults(notes), ...facts.faults],
  };
}

/** Reads page after page, and lets go of what each one took. */
async function readPages(
  pdf: PDFDocumentProxy,
  bounds: DocumentBounds,
): Promise<{ pages: Block[][]; notes: PageNotes }> {
  const fonts = createFonts();
  const pages: Block[][] = [];
  const count = Math.min(pdf.numPages, bounds.pagesMax);
  const notes: PageNotes = {
    all: pdf.numPages,
    read: count,
    empty: [],
    unknown: [],
    broken: [],
    characters: 0,
    unknownCharacters: 0,
  };
  for (let number = 1; number <= count; number += 1) {
    const text = await pdf
      .getPage(number)
      .then((page) => readPageText(page, fonts))
      .catch((error: unknown) => {
        notes.broken.push({ page: number, why: error instanceof Error ? error.message : String(error) });
        return undefined;
      });
    pages.push(text === undefined ? [] : blocksOf(text, number));
    if (text === undefined) continue;
    notes.characters += text.characters;
    notes.unknownCharacters += text.unknown;
    if (text.characters === 0) notes.empty.push(number);
    else if (text.unknown > 0.3 * text.characters) notes.unknown.push(number);
    if (notes.characters <= bounds.charactersMax) continue;
    notes.read = number;
    break;
  }
  return { pages, notes };
}
