import { CODE_COLUMNS, dedent, indentOf, isBlank, listMarker } from "@docent/kernel/text/markdown-lines";

/** Code that is told by its indent alone: it gets a fence, within which nothing takes it for words. */
export interface IndentedCode {
  /** Where its fence is written: at the margin, or where its item's text begins. */
  readonly column: number;
  /** Blank lines, which belong to it if more of it follows. */
  blanks: string[];
}

const FENCE = "```";

/** The code that a line begins behind a blank one, in an item whose text begins at the column; undefined where it begins none. */
export function indentedCodeAt(line: string, column: number): IndentedCode | undefined {
  const isDeep = indentOf(line) - column >= CODE_COLUMNS;
  // A list that is indented too far was meant as a list.
  return isDeep && listMarker(line.trimStart()) === undefined ? { column, blanks: [] } : undefined;
}

/** Whether a line goes on with the code. */
export const goesOn = ({ column }: IndentedCode, line: string): boolean =>
  isBlank(line) || indentOf(line) - column >= CODE_COLUMNS;

/** The line that opens the fence, or closes it. */
export const fenceOf = ({ column }: IndentedCode): string => " ".repeat(column) + FENCE;

/** A line of the code within its fence, with the blank ones before it; undefined for a blank one, which may be the last. */
export function saidOf(code: IndentedCode, line: string): string | undefined {
  const { blanks, column } = code;
  const bare = dedent(line, column + CODE_COLUMNS);
  if (isBlank(line)) {
    blanks.push(bare);
    return undefined;
  }
  code.blanks = [];
  return [...blanks, " ".repeat(column) + bare].join("\n");
}
