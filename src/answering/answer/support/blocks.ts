/** A piece of an answer, for deciding where links may be put. */
export type BlockPiece =
  /** Text to pass on. */
  | { type: "text"; text: string }
  /** The end of a paragraph, list item or table; `apart` where a link after it needs its own paragraph. */
  | { type: "end"; markdown: string; apart: string | undefined };

const MARKER = /^(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|`{3}|~{3}|\|)/;
const UNDECIDED = /^[ \t>]*(?:[-*+]|\d{1,9}[.)]?|#{1,6}|`{1,2}|~{1,2})?$/;
const FENCE = /^([ \t>]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/;
const QUOTE = /^[ \t]*>/;

/** Splits streamed Markdown after its paragraphs, list items, tables and code. */
export interface BlockSplitter {
  write(text: string): Iterable<BlockPiece>;
  end(): Iterable<BlockPiece>;
}

/** How far the text has been read. */
interface Reading {
  /** Text that has come and is not passed on yet. */
  held: string;
  /** The open block, as far as it was passed on. */
  block: string;
  /** Whether the current line belongs to the block, however it continues. */
  inLine: boolean;
  /** The open code: the marks that end it, and the indent before them. */
  fence: { marks: string; indent: string } | undefined;
  /** The last line before the block. */
  lineBefore: string;
}

/** Reports the end of each block as soon as it is known. */
export function createBlockSplitter(): BlockSplitter {
  const reading: Reading = { held: "", block: "", inLine: false, fence: undefined, lineBefore: "" };
  return {
    write(text) {
      reading.held += text;
      return readOn(reading, false);
    },
    end: () => readOn(reading, true),
  };
}

function* readOn(reading: Reading, ending: boolean): Iterable<BlockPiece> {
  while (reading.held !== "") {
    if (reading.inLine) yield* restOfLine(reading);
    else if (!(yield* betweenLines(reading, ending))) break;
  }
  if (ending) yield* endBlock(reading);
}

function* endBlock(reading: Reading): Iterable<BlockPiece> {
  const { block, fence, lineBefore } = reading;
  const isTable = block.trimStart().startsWith("|");
  const command = fence === undefined ? indentBehindCommand(block, lineBefore) : undefined;
  const indent = fence?.indent ?? command ?? (isTable ? "" : undefined);
  const apart = indent === undefined ? undefined : `\n\n${indent}`;
  if (block.trim() !== "") {
    yield { type: "end", markdown: block, apart };
    reading.lineBefore = block.slice(block.trimEnd().lastIndexOf("\n") + 1);
  }
  reading.block = "";
  reading.fence = undefined;
}

function* restOfLine(reading: Reading): Iterable<BlockPiece> {
  const lineEnd = reading.held.indexOf("\n");
  const text = lineEnd === -1 ? reading.held : reading.held.slice(0, lineEnd);
  reading.held = reading.held.slice(text.length);
  reading.block += text;
  reading.inLine = lineEnd === -1;
  if (text !== "") yield { type: "text", text };
}

/** Decides whether the next line continues the block. Returns whether there is more to read. */
function* betweenLines(reading: Reading, ending: boolean): Iterable<BlockPiece, boolean> {
  const gap = /^(?:[ \t]*\n)*/.exec(reading.held)?.[0] ?? "";
  const line = reading.held.slice(gap.length);
  if (reading.fence !== undefined) return yield* codeLine(reading, gap, line, ending);
  const isApart = gap.split("\n").length > 2;
  if (isApart) yield* endBlock(reading);
  if (!ending && UNDECIDED.test(line)) return false;
  if (!isApart && gap !== "" && (line === "" || beginsBlock(line, reading.block))) yield* endBlock(reading);
  if (gap !== "") yield { type: "text", text: gap };
  reading.block += gap;
  reading.held = line;
  const [, indent = "", marks] = FENCE.exec(line) ?? [];
  if (marks !== undefined) reading.fence = { marks, indent };
  reading.inLine = line !== "";
  return reading.inLine;
}

/** Passes a line of code on once it is whole: it may be the last one. */
function* codeLine(
  reading: Reading,
  gap: string,
  line: string,
  ending: boolean,
): Iterable<BlockPiece, boolean> {
  const lineEnd = line.indexOf("\n");
  if (lineEnd === -1 && !ending) return false;
  const code = lineEnd === -1 ? line : line.slice(0, lineEnd);
  reading.held = line.slice(code.length);
  reading.block += gap + code;
  if (gap + code !== "") yield { type: "text", text: gap + code };
  const words = code.replace(/^[ \t>]*/, "").trimEnd();
  const marks = reading.fence?.marks ?? "";
  if (words.length >= marks.length && words === (marks[0] ?? "").repeat(words.length))
    yield* endBlock(reading);
  return reading.held !== "";
}

function beginsBlock(line: string, block: string): boolean {
  const isTable = block.trimStart().startsWith("|");
  if (isTable) return !line.trimStart().startsWith("|");
  return QUOTE.test(line) !== QUOTE.test(block) || MARKER.test(line.replace(/^[ \t>]*/, ""));
}

const LIST_MARK = /^ *(?:[-*+]|\d{1,9}[.)]) +/;
/** A line after which a command may stand. */
const ANNOUNCES = /[:：]\s*$/;
const ENDS_SENTENCE = /[.!?:。！？：…]["')*_\]]*\s*$/;

/**
 * The indent of a link behind a block that ends in a command, which models write on a line of its own in the item of a
 * list, without the marks of code: a link in its line would be copied with it. Undefined where the block ends in words.
 */
function indentBehindCommand(block: string, lineBefore: string): string | undefined {
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1) ?? "";
  const indent = /^ */.exec(last)?.[0] ?? "";
  if (indent.length < 2 || ENDS_SENTENCE.test(last) || LIST_MARK.test(last)) return undefined;
  const own = lines.slice(0, -1);
  const above = [lineBefore, ...own].findLast((line) => !isAsDeep(line, indent)) ?? "";
  if (!ANNOUNCES.test(above)) return undefined;
  // Behind the blank line, what is deeper than its item's text may be code.
  const column = LIST_MARK.exec(lines[0] ?? "")?.[0].length ?? indent.length;
  return indent.slice(0, column);
}

/** Whether a line may be one of several commands. */
const isAsDeep = (line: string, indent: string) => line.startsWith(indent) && !LIST_MARK.test(line);
