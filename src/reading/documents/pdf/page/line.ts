import { type Fragment, isApart, type Row, type Segment } from "./fragment.ts";

/** Dots that lead from an entry to its page. */
export const LEADERS = /(?:[.·]\s{0,3}){4,}|[…⋯]{2,}|_{4,}/;

/** A part of a line that is written in one way. */
export interface Piece {
  text: string;
  code: boolean;
  link?: string;
}

/** One line of text, as it stands in a column. */
export interface Line {
  kind: "line";
  page: number;
  /** The column's number on its page, and its edges. */
  column: number;
  left: number;
  right: number;
  x0: number;
  x1: number;
  y: number;
  size: number;
  bold: boolean;
  mono: boolean;
  rtl: boolean;
  /** How many parts a wide gap cuts it into. */
  parts: number;
  pieces: Piece[];
  text: string;
  /** Its text with as many spaces within as there is room for; only of lines of code. */
  grid?: string;
  /** The width of one letter; only of lines of code. */
  letter?: number;
}

/** Rows of cells. */
export interface Table {
  kind: "table";
  page: number;
  column: number;
  y: number;
  rows: Piece[][][];
  /** From where to where each of its columns is filled. */
  columns: readonly { x0: number; x1: number }[];
  /** Whether its first row alone is set in heavy letters. */
  hasBoldHead: boolean;
  /** As words, for what looks at all that a page holds. */
  text: string;
}

export type Block = Line | Table;

/** The fragments of a line in the order in which they are read. Those of a mirrored page stand from right to left. */
export function inReadingOrder(segments: readonly Segment[], isMirrored: boolean): Fragment[] {
  const fragments = segments.flatMap(({ fragments }) => fragments);
  const letters = fragments.reduce((sum, { text, rtl }) => sum + (rtl ? text.length : -text.length), 0);
  if (letters <= 0) return isMirrored ? fragments.reverse() : fragments;
  return withRunsTurned(isMirrored ? fragments : fragments.reverse());
}

/** From right to left; words of another script within keep their own order. */
function withRunsTurned(fragments: readonly Fragment[]): Fragment[] {
  const ordered: Fragment[] = [];
  let run: Fragment[] = [];
  for (const fragment of fragments) {
    if (!fragment.rtl && /\p{L}/u.test(fragment.text)) {
      run.unshift(fragment);
      continue;
    }
    ordered.push(...run, fragment);
    run = [];
  }
  return [...ordered, ...run];
}

/** Fragments as pieces, with the white space between them. */
export function piecesOf(fragments: readonly Fragment[]): Piece[] {
  const pieces: Piece[] = [];
  let before: Fragment | undefined;
  for (const fragment of fragments) {
    const space = before !== undefined && isApart(before, fragment) ? " " : "";
    const last = pieces.at(-1);
    const code = fragment.mono;
    if (last !== undefined && last.code === code && last.link === fragment.link)
      last.text += space + fragment.text;
    else {
      if (last !== undefined && space !== "") last.text += space;
      pieces.push({
        text: fragment.text,
        code,
        ...(fragment.link === undefined ? {} : { link: fragment.link }),
      });
    }
    before = fragment;
  }
  return pieces;
}

export const wordsOf = (pieces: readonly Piece[]) =>
  pieces.length === 1 && pieces[0] !== undefined ? pieces[0].text : pieces.map(({ text }) => text).join("");

/** A row as a line. */
export function lineOf(
  row: Row,
  { isMirrored, ...place }: Pick<Line, "page" | "column" | "left" | "right"> & { isMirrored: boolean },
): Line {
  const fragments = inReadingOrder(row.segments, isMirrored);
  const pieces = piecesOf(fragments);
  const letters = fragments.reduce((sum, { text }) => sum + text.length, 0);
  const share = (is: (fragment: Fragment) => boolean) =>
    fragments.reduce((sum, each) => sum + (is(each) ? each.text.length : 0), 0) / Math.max(1, letters);
  const mono = share((each) => each.mono) >= 0.9;
  const [first, last] = [row.segments[0], row.segments.at(-1)];
  return {
    kind: "line",
    ...place,
    x0: first?.x0 ?? 0,
    x1: last?.x1 ?? 0,
    y: row.y,
    size: usualSize(fragments, row.size),
    bold: share((each) => each.bold) >= 0.9,
    mono,
    rtl: share((each) => each.rtl) > 0.5,
    parts: row.segments.length,
    pieces,
    text: wordsOf(pieces),
    ...(mono ? grid(fragments) : {}),
  };
}

function usualSize(fragments: readonly Fragment[], otherwise: number): number {
  const letters = new Map<number, number>();
  for (const { size, text } of fragments) letters.set(size, (letters.get(size) ?? 0) + text.length);
  let [best, most] = [otherwise, 0];
  for (const [size, count] of letters) if (count > most) [best, most] = [size, count];
  return Math.round(best * 4) / 4;
}

const SPACES_MAX = 200;

function grid(fragments: readonly Fragment[]): { grid: string; letter: number } {
  const letters = fragments.reduce((sum, { text }) => sum + text.length, 0);
  const width = fragments.reduce((sum, { x0, x1 }) => sum + (x1 - x0), 0);
  const letter = letters > 0 && width > 0 ? width / letters : 6;
  let text = "";
  let before: Fragment | undefined;
  for (const fragment of fragments) {
    // A space may be narrower than the letters, where its line is set to be full.
    const spacesMin = before !== undefined && isApart(before, fragment) ? 1 : 0;
    const spaces = Math.round((fragment.x0 - (before?.x1 ?? fragment.x0)) / letter);
    text += " ".repeat(Math.min(SPACES_MAX, Math.max(spacesMin, spaces))) + fragment.text;
    before = fragment;
  }
  return { grid: text, letter };
}
