/** A line that begins a block of code. */
export interface Fence {
  mark: string;
  length: number;
  indent: number;
  info: string;
}

/** A line that begins an item of a list. */
export interface Marker {
  /** What the items of one list have in common: `-`, or what stands behind the number. */
  kind: string;
  /** Of a list with numbers, the number. */
  start: string | undefined;
  /** How far the item's further lines are indented. */
  width: number;
  rest: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const QUOTE = /^ {0,3}>/;
const MARKER = /^( {0,3})([-+*]|\d{1,9}[.)])(?=[ \t]|$)/;
const RULE = /^(?:\*{3,}|-{3,}|_{3,})$/;
const CODE_COLUMNS = 4;

export const isBlank = (line: string) => line.trim() === "";

/** How many columns a line is indented; a tab goes on to the next fourth one. */
export function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") columns++;
    else if (line[at] === "\t") columns += CODE_COLUMNS - (columns % CODE_COLUMNS);
    else break;
  }
  return columns;
}

/** The line without so many columns of its indent. */
export function dedent(line: string, columns: number): string {
  let taken = 0;
  let at = 0;
  for (; at < line.length && taken < columns; at++) {
    if (line[at] === " ") taken++;
    else if (line[at] === "\t") taken += CODE_COLUMNS - (taken % CODE_COLUMNS);
    else break;
  }
  return " ".repeat(Math.max(0, taken - columns)) + line.slice(at);
}

export function readFence(line: string): Fence | undefined {
  const [, run, info = ""] = FENCE.exec(line) ?? [];
  const mark = run?.[0];
  if (run === undefined || mark === undefined || (mark === "`" && info.includes("`"))) return undefined;
  return { mark, length: run.length, indent: indentOf(line), info: info.trim() };
}

/** Whether a line ends the code that a fence began. */
export function closesFence(line: string, { mark, length }: Fence): boolean {
  if (indentOf(line) >= CODE_COLUMNS) return false;
  const text = line.trim();
  return text.length >= length && text === mark.repeat(text.length);
}

/** The fence that is open behind a line, given the one that was open before it. */
export function fenceBehind(line: string, open: Fence | undefined): Fence | undefined {
  if (open === undefined) return readFence(line);
  return closesFence(line, open) ? undefined : open;
}

export function isRule(line: string): boolean {
  return indentOf(line) < CODE_COLUMNS && RULE.test(line.replace(/[ \t]/g, ""));
}

export const isQuote = (line: string) => QUOTE.test(line);

/** The level and the words of a heading. */
export function readHeading(line: string): { level: number; text: string } | undefined {
  const [found, marks] = HEADING.exec(line) ?? [];
  if (found === undefined || marks === undefined) return undefined;
  const text = line.slice(found.length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  const isClosed = end === 0 || /[ \t]/.test(text[end - 1] ?? "");
  return { level: marks.length, text: isClosed ? text.slice(0, end).trim() : text };
}

export function readMarker(line: string): Marker | undefined {
  const [found, , mark] = MARKER.exec(line) ?? [];
  if (found === undefined || mark === undefined || isRule(line)) return undefined;
  const behind = line.slice(found.length);
  const spaces = indentOf(behind);
  // Five spaces and more: one of them ends the marker, the others begin code.
  const padding = isBlank(behind) || spaces > CODE_COLUMNS ? 1 : spaces;
  const start = mark.length === 1 ? undefined : mark.slice(0, -1);
  return { kind: mark.slice(-1), start, width: found.length + padding, rest: dedent(behind, padding) };
}

/** Indented so far a line is code, where it does not go on with something else. */
export const isIndentedCode = (line: string) => indentOf(line) >= CODE_COLUMNS && !isBlank(line);

/** Whether a line ends the paragraph before it by beginning something else. */
export function interrupts(line: string): boolean {
  if (isQuote(line) || readHeading(line) || readFence(line) || isRule(line)) return true;
  const marker = readMarker(line);
  return (
    marker !== undefined && !isBlank(marker.rest) && (marker.start === undefined || marker.start === "1")
  );
}

const MARKERS_ALONE = /^[\s>*+\-_=~`#|:.\d)]*$/;
const BEGUN_FENCE = /^[\s>*+\-\d.)]*(?:`{3,}|~{3,})[^`]*$/;

/** Whether a line that is still coming may turn out to be anything. */
export const isUndecided = (line: string) => MARKERS_ALONE.test(line) || BEGUN_FENCE.test(line);
