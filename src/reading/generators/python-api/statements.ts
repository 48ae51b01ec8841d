/** A statement of a Python module, with what stands above it. */
export interface Statement {
  /** How many columns it is indented by. */
  indent: number;
  /** As it is written, its lines too, without comments. */
  text: string;
  /** The words of `#:` comments on the lines above it. */
  remarks: string;
}

const TAB_COLUMNS = 8;
const STATEMENTS_MAX = 200_000;
const QUOTES = /[rRbBuUfF]{0,2}("""|'''|"|')/y;

/** Cuts a module into its statements. A compound one ends with the line of its colon. Nothing is run or checked. */
export function statementsOf(source: string): Statement[] {
  const text = source.replace(/\r\n?/g, "\n");
  const statements: Statement[] = [];
  let remarks: string[] = [];
  let at = 0;
  while (at < text.length && statements.length < STATEMENTS_MAX) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, lineEnd);
    const words = line.trimStart();
    if (words === "" || words.startsWith("#")) {
      const remark = /^#: ?(.*)$/.exec(words)?.[1];
      remarks = remark === undefined ? [] : [...remarks, remark];
      at = lineEnd + 1;
      continue;
    }
    const { end, words: statement } = readStatement(text, at + line.length - words.length);
    statements.push({
      indent: columnsOf(line.slice(0, line.length - words.length)),
      text: statement.trim(),
      remarks: remarks.join("\n"),
    });
    remarks = [];
    at = endOfLine(text, end) + 1;
  }
  return statements;
}

/** A statement ends at the end of a line, outside of brackets and strings, or where a comment begins. */
function readStatement(text: string, start: number): { end: number; words: string } {
  const pieces: string[] = [];
  let from = start;
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (/["'rRbBuUfF]/.test(character) && !/\w/.test(text[at - 1] ?? "")) {
      const end = endOfString(text, at);
      if (end !== undefined) {
        at = end;
        continue;
      }
    }
    if (character === "#") {
      pieces.push(text.slice(from, at));
      if (depth === 0) return { end: at, words: pieces.join("") };
      at = endOfLine(text, at);
      from = at;
      continue;
    }
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth = Math.max(0, depth - 1);
    else if (character === "\\" && text[at + 1] === "\n") at++;
    else if (character === "\n" && depth === 0) break;
    at++;
  }
  return { end: at, words: [...pieces, text.slice(from, at)].join("") };
}

/** Where the string that begins here ends; undefined where none does. */
export function endOfString(text: string, start: number): number | undefined {
  QUOTES.lastIndex = start;
  const match = QUOTES.exec(text);
  const quotes = match?.[1];
  if (match === null || quotes === undefined) return undefined;
  for (let at = start + match[0].length; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quotes, at)) return at + quotes.length;
    else if (text[at] === "\n" && quotes.length === 1) return at;
  }
  return text.length;
}

/** Where the head of a compound statement ends: at its colon, outside of brackets and strings. */
export function endOfHead(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    const end = /["']/.test(character) ? endOfString(text, at) : undefined;
    if (end !== undefined) at = end - 1;
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    else if (character === ":" && depth === 0) return at;
  }
  return text.length;
}

const endOfLine = (text: string, at: number) => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
};

function columnsOf(space: string): number {
  let columns = 0;
  for (const character of space)
    columns = character === "\t" ? columns - (columns % TAB_COLUMNS) + TAB_COLUMNS : columns + 1;
  return columns;
}
