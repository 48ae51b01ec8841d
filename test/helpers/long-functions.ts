/** A function of the source, and how long it is. */
export interface FoundFunction {
  /** Its first line, counted from 1. */
  line: number;
  lines: number;
  /** How it begins. */
  signature: string;
}

// A declaration, an arrow with a body of its own, or a method. The formatter puts each on a line that ends in a brace, or
// in the parenthesis before its parameters.
const DECLARATION = /(?:^|\s)(?:async\s+)?function\b(?!:)/;
const ARROW = /=>\s*\{$/;
const METHOD =
  /^\s*(?:(?:async|get|set|static|private)\s+|\*)*(?!if\b|for\b|while\b|switch\b|catch\b|return\b)[\w$]+\((?:.*\)(?::\s.*)?\s\{)?$/;

/** Finds the functions with more lines than `linesMax`, from the signature to the closing brace, by the formatter's indentation. */
export function longFunctions(text: string, linesMax: number): FoundFunction[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (![DECLARATION, ARROW, METHOD].some((opening) => opening.test(line))) return [];
    const end = lines.findIndex((each, index) => index > at && indent(each) === indent(line) && closes(each));
    const length = end - at + 1;
    return end > 0 && length > linesMax ? [{ line: at + 1, lines: length, signature: line.trim() }] : [];
  });
}

const indent = (line: string) => line.length - line.trimStart().length;

/** The end of a signature, `): Result {`, closes no body. */
const closes = (line: string) => /^\s*[})\]]/.test(line) && !/[{(]$|=>$/.test(line);
