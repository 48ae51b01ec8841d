/*
 * Recognizes what a line of Markdown begins, by CommonMark's rules: for pages on the server and for answers
 * that stream into a browser.
 */

/** The opening line of a fenced code block. */
export interface FenceOpening {
  character: string;
  length: number;
  indent: number;
  info: string;
}

/** The beginning of a list item. */
export interface ListMarker {
  /** What the items of one list have in common: `-`, or the character after the number. */
  kind: string;
  /** The number in an ordered list. */
  start: string | undefined;
  /** The column from which further lines belong to the item. */
  contentIndent: number;
  /** Whether it may interrupt a paragraph. */
  interrupts: boolean;
  /** The item's first line. */
  rest: string;
}

/** A line indented by this many columns is code. */
export const CODE_COLUMNS = 4;

export const isBlank = (line: string) => line.trim() === "";

/** The indent of a line in columns: a tab goes on to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += CODE_COLUMNS - (columns % CODE_COLUMNS);
    else break;
  }
  return columns;
}

/** The line with so many columns of its indent removed. */
export function dedent(line: string, columns: number): string {
  let taken = 0;
  let at = 0;
  for (; at < line.length && taken < columns; at++) {
    if (line[at] === " ") taken += 1;
    else if (line[at] === "\t") taken += CODE_COLUMNS - (taken % CODE_COLUMNS);
    else break;
  }
  return " ".repeat(Math.max(0, taken - columns)) + line.slice(at);
}

/** The fence that a line opens, whatever its indent. */
export function fenceOpening(line: string): FenceOpening | undefined {
  const [found, run] = /^[ \t]*(`{3,}|~{3,})/.exec(line) ?? [];
  if (found === undefined || run === undefined) return undefined;
  const info = line.slice(found.length).trim();
  const character = run.charAt(0);
  if (character === "`" && info.includes("`")) return undefined;
  return { character, length: run.length, indent: indentOf(line), info };
}

/** Whether a line closes the fence that is open. */
export function closesFence(line: string, fence: FenceOpening): boolean {
  const text = line.trim();
  const deepest = fence.indent < CODE_COLUMNS ? CODE_COLUMNS - 1 : fence.indent + CODE_COLUMNS - 1;
  return text.length >= fence.length && indentOf(line) <= deepest && isRunOf(text, fence.character);
}

/** The fence that is open behind a line, given the one that was open before it. */
export function fenceBehind(line: string, open: FenceOpening | undefined): FenceOpening | undefined {
  if (open === undefined) return fenceOpening(line);
  return closesFence(line, open) ? undefined : open;
}

/** The marks of a fence that a line begins with, and their indent; empty where it begins with none. */
export const fenceMarks = (line: string): string => /^[ \t]*(?:`{3,}|~{3,})/.exec(line)?.[0] ?? "";

/** The level and the text of an ATX heading. */
export function atxHeading(line: string): { level: number; text: string } | undefined {
  const [found, marks] = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line) ?? [];
  if (found === undefined || marks === undefined) return undefined;
  const text = line.slice(found.length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  const isClosed = end === 0 || /[ \t]/.test(text[end - 1] ?? "");
  return { level: marks.length, text: isClosed ? text.slice(0, end).trimEnd() : text };
}

/** The heading level that a setext underline gives the paragraph above it. */
export function setextLevel(line: string): 1 | 2 | undefined {
  const text = line.trim();
  if (indentOf(line) >= CODE_COLUMNS) return undefined;
  if (isRunOf(text, "=")) return 1;
  return isRunOf(text, "-") ? 2 : undefined;
}

/** Whether a line is a thematic break. */
export function isRule(line: string): boolean {
  return indentOf(line) < CODE_COLUMNS && /^(?:\*{3,}|-{3,}|_{3,})$/.test(line.replace(/[ \t]/g, ""));
}

export const isQuote = (line: string) => /^ {0,3}>/.test(line);

/** The list marker at the start of a line. A rule of stars or dashes looks like one: call `isRule` first. */
export function listMarker(line: string): ListMarker | undefined {
  const [found, , mark, start] = /^( {0,3})([-*+]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(line) ?? [];
  if (found === undefined || mark === undefined) return undefined;
  const behind = line.slice(found.length);
  const isEmpty = isBlank(behind);
  const spaces = indentOf(behind);
  // With five spaces or more, one ends the marker and the others begin code.
  const gap = isEmpty || spaces > CODE_COLUMNS ? 1 : spaces;
  return {
    kind: mark.slice(-1),
    start,
    contentIndent: found.length + gap,
    interrupts: !isEmpty && Number(start ?? 1) === 1,
    rest: dedent(behind, gap),
  };
}

function isRunOf(text: string, character: string): boolean {
  return text !== "" && text === character.repeat(text.length);
}
