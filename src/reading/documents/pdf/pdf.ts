import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { DocumentBounds, DocumentReader, ReadDocument, UnreadDocument } from "../document.ts";
import { headingLevels, type OutlineEntry, usualOf } from "./headings.ts";
import { type DocumentFacts, factsOf, outlineOf } from "./metadata.ts";
import { type Block, createFonts, createRules, createStructure, readPage } from "./page/page.ts";
import { partsOf } from "./parts.ts";
import { type OpenPdf, openPdf, short } from "./pdfjs.ts";
import { runningBlocks } from "./running.ts";
import { vocabularyOf } from "./words.ts";
import { writeParts } from "./write.ts";

/** What is taken from a PDF before it is written anew. */
interface Taken {
  pages: Block[][];
  notes: PageNotes;
  facts: DocumentFacts;
  outline: OutlineEntry[];
}

/**
 * Reads a PDF: its words in the order in which people read them, with headings, lists, tables and code where it looks like
 * that. Scripts, attachments and pictures stay closed, and nothing is fetched.
 */
export const readPdf: DocumentReader = async (content, bounds) => {
  const taken = await take(content, bounds);
  if ("unreadable" in taken) return taken;
  const unreadable = whyNothing(taken.notes);
  return unreadable === undefined ? write(taken, bounds) : { unreadable };
};

/** pdf.js keeps something of each page that it has read: after so many it is begun anew. */
const PAGES_AT_ONCE = 400;

async function take(content: Uint8Array, bounds: DocumentBounds): Promise<Taken | UnreadDocument> {
  let taken: Taken | undefined;
  for (let from = 1; ; from += PAGES_AT_ONCE) {
    const opened = await openPdf(content);
    if ("unreadable" in opened) return taken ?? opened;
    try {
      taken ??= await begin(opened.pdf, bounds);
      await takePages(opened, { from, taken, bounds });
    } finally {
      await opened.close().catch(() => {});
    }
    if (from + PAGES_AT_ONCE > taken.notes.read) return taken;
    Bun.gc(true);
  }
}

async function begin(pdf: PDFDocumentProxy, bounds: DocumentBounds): Promise<Taken> {
  const read = Math.min(pdf.numPages, bounds.pagesMax);
  const counts = { characters: 0, unknownCharacters: 0 };
  const notes: PageNotes = { all: pdf.numPages, read, empty: [], unknown: [], broken: [], ...counts };
  return { pages: [], notes, facts: await factsOf(pdf), outline: await outlineOf(pdf) };
}

/** Reads page after page, and lets go of what each one took. */
async function takePages(
  { pdf, operators }: OpenPdf,
  { from, taken: { pages, notes }, bounds }: { from: number; taken: Taken; bounds: DocumentBounds },
): Promise<void> {
  const reading = { fonts: createFonts(), structure: createStructure(), rules: createRules(operators) };
  for (let number = from; number < from + PAGES_AT_ONCE && number <= notes.read; number += 1) {
    const read = await pdf
      .getPage(number)
      .then((page) => readPage(page, number, reading))
      .catch((error: unknown) => {
        notes.broken.push({ page: number, why: error instanceof Error ? error.message : String(error) });
        return undefined;
      });
    pages.push(read?.blocks ?? []);
    if (read === undefined) continue;
    notes.characters += read.characters;
    notes.unknownCharacters += read.unknown;
    if (read.characters === 0) notes.empty.push(number);
    else if (read.unknown > 0.3 * read.characters) notes.unknown.push(number);
    if (notes.characters > bounds.charactersMax) notes.read = number;
  }
}

function write({ pages, notes, facts, outline }: Taken, bounds: DocumentBounds): ReadDocument {
  const running = runningBlocks(pages);
  const kept = pages.map((blocks) => blocks.filter((block) => !running.has(block)));
  const all = kept.flat();
  const usual = usualOf(all);
  const levels = headingLevels(all, outline, usual);
  const vocabulary = vocabularyOf(all.values().map(({ text }) => text));
  const markdown = writeParts(partsOf(kept, { levels, vocabulary, usual }), usual.mono);
  const faults = [...pageFaults(notes), ...facts.faults];
  if (markdown.length <= bounds.charactersMax) return { data: facts.data, markdown, faults };
  faults.push(`is longer than ${bounds.charactersMax} characters: what follows is not read`);
  return { data: facts.data, markdown: markdown.slice(0, bounds.charactersMax), faults };
}

/** What was found of a document's pages. */
interface PageNotes {
  all: number;
  /** How many of them are read; the first ones. */
  read: number;
  /** The numbers of pages without a single letter. */
  empty: number[];
  /** The numbers of pages most of whose letters have no meaning. */
  unknown: number[];
  broken: { page: number; why: string }[];
  characters: number;
  /** The number of characters that have no meaning. */
  unknownCharacters: number;
}

/** Why a document has nothing to read, where it has not. */
function whyNothing({
  all,
  read,
  empty,
  broken,
  characters,
  unknownCharacters,
}: PageNotes): string | undefined {
  if (all === 0) return "is damaged: it has no pages";
  if (characters === 0) {
    const [first] = broken;
    if (first !== undefined && empty.length === 0) return `is damaged: ${short(first.why)}`;
    return `has no text: a scan of ${read === 1 ? "one page" : `${read} pages`}`;
  }
  if (characters - unknownCharacters < 0.1 * characters)
    return "has no text that can be read: its fonts don't say which letters they show";
  return undefined;
}

/** What is not read of a document that is read otherwise. */
function pageFaults({ all, read, empty, unknown, broken }: PageNotes): string[] {
  const faults: string[] = [];
  if (read < all) faults.push(`has ${all} pages: those after page ${read} are not read`);
  if (empty.length > 0) faults.push(`has no text on ${pagesIn(empty)}: pictures or scans`);
  if (unknown.length > 0)
    faults.push(
      `has letters without a meaning on ${pagesIn(unknown)}: their fonts don't say which they show`,
    );
  const [first] = broken;
  if (first !== undefined)
    faults.push(`is damaged on ${pagesIn(broken.map(({ page }) => page))}: ${short(first.why)}`);
  return faults;
}

const RANGES_MAX = 12;

/** `page 3`, `pages 1, 4-9 and 12`. */
function pagesIn(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const said = ranges.slice(0, RANGES_MAX).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  if (ranges.length > RANGES_MAX) return `${pages.length} pages, ${said.join(", ")} and others`;
  const end = said.pop() ?? "";
  return `${pages.length === 1 ? "page" : "pages"} ${said.length === 0 ? end : `${said.join(", ")} and ${end}`}`;
}
