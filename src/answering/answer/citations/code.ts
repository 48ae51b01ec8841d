import { beginsLine, closingOf, type Fence, fenceLine } from "./code-fence.ts";
import { hasBar } from "./table-lines.ts";
import { ahead, HELD_CHARACTERS_MAX, isUndecided, pass, replace, type Writing } from "./writing.ts";

/** Marks that show that a line opens no code: it may be words with code spans, or a table's head. */
const NO_INFO = /[`|]/;
/** The longest run of marks that opens a code block. */
const FENCE_MARKS_MAX = 100;

/** Writes backticks or tildes, which open a code block, delimit a code span, or are text. */
export function marks(writing: Writing): string | undefined {
  const run = /^(?:`+|~+)/.exec(writing.held)?.[0] ?? "";
  if (isUndecided(writing, run.length + 1)) return undefined;
  if (run.length >= 3 && run.length <= FENCE_MARKS_MAX && beginsLine(writing.line)) {
    const opened = openFence(writing, run);
    if (opened !== "none") return opened;
  }
  if (run.startsWith("~")) return run.length < 3 ? pass(writing, run.length) : escapeMarks(writing, run);
  const { text, whole } = ahead(writing);
  const end = spanEnd(text, run.length, whole);
  if (end === undefined && !whole) return undefined;
  if (end === undefined || isDisputed(writing, text.slice(0, end), run.length))
    return escapeMarks(writing, run);
  return pass(writing, end);
}

/** Escapes marks that begin no code here but might in some client. */
function escapeMarks(writing: Writing, run: string): string {
  return replace(writing, run.length, run.replace(/./g, "\\$&"));
}

/** Opens a code block where every client would. */
function openFence(writing: Writing, run: string): string | undefined | "none" {
  const { held, line } = writing;
  const lineEnd = held.indexOf("\n");
  if (lineEnd === -1 && isUndecided(writing, HELD_CHARACTERS_MAX)) return undefined;
  if (lineEnd === -1 && !writing.isEnding) return "none";
  const end = lineEnd === -1 ? held.length : lineEnd + 1;
  const info = held.slice(run.length, end);
  const opened = NO_INFO.test(info) ? undefined : writing.lists.open(line, run, info);
  if (opened === undefined) return "none";
  let said = "";
  // Marked reads a definition from the paragraph's first bracket on into the code, unless a blank line
  // separates them.
  if (writing.bracket === "first" && !opened.isDropped) {
    if (/[^\s>]/.test(line)) return "none";
    said = insert(writing, `\n${line}`);
  }
  said += opened.isDropped ? replace(writing, end, "") : pass(writing, end);
  writing.fence = opened;
  return said;
}

/** Whether some client may see different code here, or none. */
function isDisputed(writing: Writing, span: string, marksLength: number): boolean {
  // In search of a link's or definition's end, some clients pair backticks in any number, or none.
  if (writing.bracket !== undefined && /`|\][(:[]/.test(span.slice(marksLength, -marksLength))) return true;
  // In a table a bar ends the cell, and the code with it.
  if (!hasBar(span)) return false;
  if (writing.table.hasCells(writing.line)) return true;
  writing.table.sayBar();
  return false;
}

/** Writes the next line of open code. Only a whole line shows how it relates to the fence. */
export function codeStep(writing: Writing, open: Fence): string | undefined {
  const { held } = writing;
  const lineEnd = held.indexOf("\n");
  if (held === "" || (lineEnd === -1 && isUndecided(writing, HELD_CHARACTERS_MAX))) return undefined;
  const isWhole = lineEnd !== -1 || writing.isEnding;
  const end = lineEnd === -1 ? held.length : lineEnd + 1;
  if (writing.line !== "") return sayCode(writing, open, end);
  const text = held.slice(0, end);
  // Waits for the rest of the line, which decides whether it is the last one.
  if (!isWhole && /^[ \t>]*[`~]+[ \t]*$/.test(text)) {
    writing.held = text.trimEnd().slice(0, HELD_CHARACTERS_MAX / 2);
    return undefined;
  }
  switch (fenceLine(text, open)) {
    case "after":
      writing.fence = undefined;
      return open.isDropped ? "" : insert(writing, `${closingOf(open)}\n`);
    case "last":
      if (isWhole) return endCode(writing, open, end);
      return sayCode(writing, open, end);
    case "disputed":
      return sayCode(writing, open, end, text.search(/[`~]/));
    case "inside":
      return sayCode(writing, open, end);
  }
}

/**
 * Writes a line of code, or a part of a long one. A line at which some client would end the code is indented.
 */
function sayCode(writing: Writing, open: Fence, length: number, moveAt?: number): string {
  if (open.isDropped) return replace(writing, length, "");
  if (moveAt === undefined) return pass(writing, length);
  const line = writing.held.slice(0, length);
  return replace(writing, length, `${line.slice(0, moveAt)}    ${line.slice(moveAt)}`);
}

function endCode(writing: Writing, open: Fence, length: number): string {
  const lineBreak = writing.held.slice(0, length).endsWith("\n") ? "\n" : "";
  const said = open.isDropped
    ? replace(writing, length, "")
    : replace(writing, length, closingOf(open) + lineBreak);
  writing.fence = undefined;
  return said;
}

/** Closes code that is still open at the end, so that nothing after the answer becomes part of it. */
export function closeCode(writing: Writing): string {
  const { fence, line } = writing;
  writing.fence = undefined;
  if (fence === undefined || fence.isDropped) return "";
  return `${line === "" ? "" : "\n"}${closingOf(fence)}`;
}

const insert = (writing: Writing, said: string) => replace(writing, 0, said);

/**
 * The end of a code span: on its line, at as many backticks as it began with. A run at the very end may
 * continue. The span ends with the line, because the next one may begin a block or be a table row, which is
 * not always known yet.
 */
export function spanEnd(text: string, length: number, whole: boolean): number | undefined {
  const body = text.slice(length).split("\n", 1)[0] ?? "";
  for (const run of body.matchAll(/`+/g)) {
    const end = length + run.index + run[0].length;
    const decided = whole || end < text.length;
    if (decided && run[0].length === length) return end;
  }
  return undefined;
}
