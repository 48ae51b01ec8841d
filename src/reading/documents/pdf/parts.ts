import { codeLines } from "./code.ts";
import type { Usual } from "./headings.ts";
import { createMeasure, type Measure } from "./measure.ts";
import { type Block, LEADERS, type Line, type Piece, type Table } from "./page/page.ts";
import { repeatedHead } from "./table-pages.ts";
import { appendLine, type Vocabulary } from "./words.ts";

/** A mark of a page within words, or a break that is meant. */
export type Inline = Piece | { mark: number } | { break: true };

/** A part of the document as Markdown has them. */
export type Part =
  | { kind: "heading"; level: number; pieces: Piece[] }
  | { kind: "paragraph"; inlines: Inline[] }
  | { kind: "item"; depth: number; marker: string; inlines: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "table"; rows: Inline[][][] }
  | { kind: "page"; page: number };

interface Reading {
  levels: ReadonlyMap<Line, number>;
  vocabulary: Vocabulary;
  usual: Usual;
}

interface Open {
  part: Extract<Part, { inlines: Inline[] }>;
  lines: Line[];
}

/** What is being read: the part that the next line may belong to. */
interface State extends Reading {
  parts: Part[];
  measure: Measure;
  /** The lines of the part that is open, where it is one of words. */
  open: Open | undefined;
  /** Parts before it that end within a sentence: one of them may go on below a picture or a note. */
  unfinished: Open[];
  heading: { part: Extract<Part, { kind: "heading" }>; last: Line } | undefined;
  /** The last table, and the part that it is in, or goes on in. */
  table: { part: Extract<Part, { kind: "table" }>; last: Table } | undefined;
  /** The list that is open: where its markers stand, the outermost first. */
  indents: number[];
}

/** Blocks of pages, in order, as the parts of a document. */
export function partsOf(pages: readonly (readonly Block[])[], reading: Reading): Part[] {
  const state: State = {
    ...reading,
    parts: [],
    measure: createMeasure(pages.flat()),
    open: undefined,
    unfinished: [],
    heading: undefined,
    table: undefined,
    indents: [],
  };
  for (const [index, blocks] of pages.entries()) {
    state.parts.push({ kind: "page", page: index + 1 });
    state.heading = undefined;
    for (let at = 0; at < blocks.length; ) at += takeBlock(state, blocks, at);
  }
  return state.parts;
}

/** Takes the block at a place, and returns how many are taken. */
function takeBlock(state: State, blocks: readonly Block[], at: number): number {
  const block = blocks[at];
  if (block === undefined) return 1;
  if (block.kind === "table") return takeTable(state, block);
  const level = state.levels.get(block);
  if (level !== undefined) return takeHeading(state, block, level);
  state.heading = undefined;
  const code = state.usual.mono ? [] : codeLines(blocks, at, state.levels);
  if (code.length > 0 && !continuesWithCode(state, block, code.length)) {
    close(state);
    state.parts.push({ kind: "code", text: code.join("\n") });
    return code.length;
  }
  takeLine(state, block);
  return 1;
}

/** A line of code that goes on in a paragraph is a name within its words that had no room above. */
const continuesWithCode = ({ open, measure }: State, line: Line, count: number) => {
  const last = open?.lines.at(-1);
  return (
    count === 1 &&
    last !== undefined &&
    !last.mono &&
    measure.isFull(last, line) &&
    !measure.isApart(last, line)
  );
};

function close(state: State): void {
  setOpen(state, undefined);
  state.heading = undefined;
  state.indents = [];
}

const UNFINISHED_MAX = 4;

function setOpen(state: State, open: Open | undefined): void {
  const last = state.open?.lines.at(-1);
  if (state.open !== undefined && last !== undefined && !ENDS_SENTENCE.test(last.text)) {
    state.unfinished.push(state.open);
    if (state.unfinished.length > UNFINISHED_MAX) state.unfinished.shift();
  }
  state.open = open;
}

function takeTable(state: State, table: Table): number {
  close(state);
  const rows = table.rows.map((row) => row.map((cell): Inline[] => [...cell]));
  const { table: open } = state;
  const [before, mark] = state.parts.slice(-2);
  const repeated =
    open?.part === before && mark?.kind === "page" ? repeatedHead(open?.last, table) : undefined;
  if (open === undefined || mark?.kind !== "page" || repeated === undefined) {
    const part = { kind: "table" as const, rows };
    state.parts.push(part);
    state.table = { part, last: table };
    return 1;
  }
  const more = rows.slice(repeated);
  more[0]?.[0]?.unshift({ mark: mark.page });
  open.part.rows.push(...more);
  state.parts.pop();
  // Its head stays the one that it began with.
  const {
    hasBoldHead,
    rows: [head = []],
  } = open.last;
  state.table = { part: open.part, last: { ...table, hasBoldHead, rows: [head, ...table.rows.slice(-1)] } };
  return 1;
}

function takeHeading(state: State, line: Line, level: number): number {
  const { heading } = state;
  const goesOn =
    heading !== undefined &&
    heading.part.level === level &&
    heading.last.column === line.column &&
    heading.last.page === line.page &&
    Math.abs(heading.last.size - line.size) < 0.3 &&
    line.y - heading.last.y < 1.7 * line.size;
  close(state);
  if (goesOn) {
    appendLine(heading.part.pieces, line.pieces, state.vocabulary);
    state.heading = { part: heading.part, last: line };
    return 1;
  }
  const part = { kind: "heading" as const, level, pieces: line.pieces.map((piece) => ({ ...piece })) };
  state.parts.push(part);
  state.heading = { part, last: line };
  return 1;
}

const BULLET = /^(?:[•◦▪▫■□●○‣⁃∙·➢➤❖✓✔►▶◆◇★☐☑☒]|[-–—*o](?=\s))\s*/;
const NUMBER = /^(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}[.)]|\[\d{1,3}\])\s+(?=\S)/;

/** The marker that a line begins with, as an item of a list does. */
function markerOf({ text }: Line): { length: number; marker: string } | undefined {
  const bullet = BULLET.exec(text)?.[0];
  if (bullet !== undefined)
    return text.length > bullet.length ? { length: bullet.length, marker: "-" } : undefined;
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return undefined;
  return /^\d{1,3}[.)]\s/.test(number)
    ? { length: number.length, marker: number.trim() }
    : { length: 0, marker: "-" };
}

function takeLine(state: State, line: Line): void {
  const marker = markerOf(line);
  const { open } = state;
  const last = open?.lines.at(-1);
  if (marker === undefined && isElsewhere(last, line) && resume(state, line)) return;
  if (open === undefined || last === undefined) begin(state, line, marker);
  else if (isElsewhere(last, line)) begin(state, line, marker);
  else if (marker !== undefined && isItem(state, line)) begin(state, line, marker);
  else if (state.measure.beginsParagraph(open.lines, line)) begin(state, line, marker);
  else if (state.measure.isFull(last, line) || isWithinSentence(last, line)) {
    appendInlines(open.part.inlines, line.pieces, state.vocabulary);
    open.lines.push(line);
  } else if (ENDS_SENTENCE.test(last.text) && !/^\p{Ll}/u.test(line.text)) begin(state, line, marker);
  else {
    open.part.inlines.push({ break: true }, ...line.pieces.map((piece) => ({ ...piece })));
    open.lines.push(line);
  }
}

/** A small letter goes on with what is above it, even where there was room left; not in lists of names. */
const isWithinSentence = (last: Line, line: Line) =>
  /^\p{Ll}/u.test(line.text) &&
  last.text.length > 40 &&
  !ENDS_SENTENCE.test(last.text) &&
  !LEADERS.test(last.text);

const ENDS_SENTENCE = /[.!?:;。！？]["”’)]?$/;

/** Words that begin with a number are an item only where others are, or where a new line is meant. */
function isItem({ open, measure, indents }: State, line: Line): boolean {
  const last = open?.lines.at(-1);
  if (last === undefined || BULLET.test(line.text) || indents.length > 0) return true;
  return (
    !measure.isFull(last, line) ||
    measure.isApart(last, line) ||
    Math.abs(line.x0 - last.x0) > 0.5 * line.size
  );
}

function begin(state: State, line: Line, marker: ReturnType<typeof markerOf>): void {
  if (marker === undefined) {
    if (!isWithinItem(state, line)) state.indents = [];
    const part = { kind: "paragraph" as const, inlines: line.pieces.map((piece): Inline => ({ ...piece })) };
    state.parts.push(part);
    setOpen(state, { part, lines: [line] });
    return;
  }
  const depth = depthOf(state, line);
  const part = {
    kind: "item" as const,
    depth,
    marker: marker.marker,
    inlines: cutStart(line.pieces, marker.length),
  };
  state.parts.push(part);
  setOpen(state, { part, lines: [line] });
}

/** A paragraph that is set in as an item's words are leaves its list open. */
const isWithinItem = ({ indents }: State, line: Line) => indents[0] !== undefined && line.x0 > indents[0] + 2;

const DEPTH_MAX = 5;

function depthOf(state: State, { x0, size }: Line): number {
  while (state.indents.length > 0 && x0 < (state.indents.at(-1) ?? 0) - 0.6 * size) state.indents.pop();
  const last = state.indents.at(-1);
  if (last === undefined || (x0 > last + 0.6 * size && state.indents.length < DEPTH_MAX))
    state.indents.push(x0);
  return state.indents.length - 1;
}

function cutStart(pieces: readonly Piece[], length: number): Inline[] {
  let left = length;
  return pieces.flatMap((piece): Inline[] => {
    const text = piece.text.slice(left);
    left = Math.max(0, left - piece.text.length);
    return text === "" ? [] : [{ ...piece, text }];
  });
}

const isElsewhere = (last: Line | undefined, line: Line) =>
  last === undefined || last.page !== line.page || last.column !== line.column;

/** Whether a paragraph goes on at the top of the next column or page. */
function continuesElsewhere({ measure }: State, { part, lines }: Open, last: Line, line: Line): boolean {
  if (Math.abs(last.size - line.size) > 0.6 || last.bold !== line.bold || last.rtl !== line.rtl) return false;
  if (part.kind === "paragraph" && !measure.isFull(last, line)) return false;
  if (/^\p{Ll}/u.test(line.text)) return line.text.length > 5 && (lines.length > 1 || last.text.length > 25);
  return lines.length > 1 && !ENDS_SENTENCE.test(last.text) && /[\p{L},\-\u00AD]$/u.test(last.text);
}

/** Lets a line go on with the part that it belongs to, on the page before or above a picture. False where there is none. */
function resume(state: State, line: Line): boolean {
  const { open } = state;
  const last = open?.lines.at(-1);
  if (open !== undefined && last !== undefined && continuesElsewhere(state, open, last, line))
    return goOn(state, open, last, line);
  if (!/^\p{Ll}/u.test(line.text)) return false;
  const earlier = state.unfinished.findLast((each) => {
    const end = each.lines.at(-1);
    return end !== undefined && isElsewhere(end, line) && continuesElsewhere(state, each, end, line);
  });
  const end = earlier?.lines.at(-1);
  return earlier !== undefined && end !== undefined && goOn(state, earlier, end, line);
}

const BETWEEN_MAX = 8;
/** A paragraph of more lines goes on over no more pages. */
const LINES_MAX = 500;

function goOn(state: State, open: Open, last: Line, line: Line): boolean {
  const at = state.parts.lastIndexOf(open.part);
  const between = state.parts.slice(at + 1);
  const pages = between.flatMap((part) => (part.kind === "page" ? [{ mark: part.page }] : []));
  if (
    at === -1 ||
    open.lines.length > LINES_MAX ||
    between.length > BETWEEN_MAX ||
    pages.length > 2 ||
    line.page - last.page > 2
  )
    return false;
  const turn = between.findIndex(({ kind }) => kind === "page");
  // What stands between stays on its page: notes of the page before come first, pictures of the next one follow.
  const [earlier, later] = turn === -1 ? [between, []] : [between.slice(0, turn), between.slice(turn)];
  state.parts.splice(
    at,
    between.length + 1,
    ...earlier,
    open.part,
    ...later.filter(({ kind }) => kind !== "page"),
  );
  const { inlines } = open.part;
  const before = inlines.findLast((inline) => "text" in inline);
  const length = before === undefined ? 0 : before.text.length;
  appendInlines(inlines, line.pieces, state.vocabulary);
  if (pages.length > 0) placeMarks(inlines, { before, length }, pages);
  open.lines.push(line);
  state.open = open;
  state.heading = undefined;
  return true;
}

/** Puts the marks of pages where their words begin, behind the word that may be cut there. */
function placeMarks(
  inlines: Inline[],
  { before, length }: { before: Piece | undefined; length: number },
  marks: readonly Inline[],
): void {
  const at = before === undefined ? 0 : inlines.lastIndexOf(before);
  if (before === undefined || before.text.length <= length) {
    inlines.splice(at + 1, 0, ...marks);
    return;
  }
  const space = before.text.indexOf(" ", Math.max(0, length - 1));
  const cut = space === -1 ? before.text.length : space + 1;
  const rest = before.text.slice(cut);
  before.text = before.text.slice(0, cut);
  inlines.splice(at + 1, 0, ...marks, ...(rest === "" ? [] : [{ ...before, text: rest }]));
}

function appendInlines(inlines: Inline[], line: readonly Piece[], vocabulary: Vocabulary): void {
  const last = inlines.at(-1);
  const pieces: Piece[] = last !== undefined && "text" in last ? [last] : [];
  appendLine(pieces, line, vocabulary);
  inlines.push(...(pieces[0] === last ? pieces.slice(1) : pieces));
}
