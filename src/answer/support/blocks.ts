/** What a piece of an answer is to the links that may be put behind it. */
export type BlockPiece =
  /** Text to hand on. */
  | { type: "text"; text: string }
  /** A paragraph, a list item or a table is complete; `apart` where a link behind it needs a paragraph of its own. */
  | { type: "end"; markdown: string; apart: string | undefined };

const MARKER = /^(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|`{3}|~{3}|\|)/;
const UNDECIDED = /^[ \t>]*(?:[-*+]|\d{1,9}[.)]?|#{1,6}|`{1,2}|~{1,2})?$/;
const FENCE = /^([ \t>]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/;
const QUOTE = /^[ \t]*>/;

/** Tells where the paragraphs, list items, tables and code of a streamed Markdown text end, as soon as that is known. */
export function createBlockReader() {
  let held = "";
  let block = "";
  let inLine = false;
  let fence: { marks: string; indent: string } | undefined;

  function* end(): Iterable<BlockPiece> {
    const indent = fence?.indent ?? "";
    const apart = fence !== undefined || block.trimStart().startsWith("|") ? `\n\n${indent}` : undefined;
    if (block.trim() !== "") yield { type: "end", markdown: block, apart };
    block = "";
    fence = undefined;
  }

  function* restOfLine(): Iterable<BlockPiece> {
    const lineEnd = held.indexOf("\n");
    const text = lineEnd === -1 ? held : held.slice(0, lineEnd);
    held = held.slice(text.length);
    block += text;
    inLine = lineEnd === -1;
    if (text !== "") yield { type: "text", text };
  }

  /** What stands between two lines decides whether the second one goes on with the first. */
  function* betweenLines(ending: boolean): Iterable<BlockPiece, boolean> {
    const gap = /^(?:[ \t]*\n)*/.exec(held)?.[0] ?? "";
    const line = held.slice(gap.length);
    if (fence !== undefined) return yield* codeLine(gap, line, ending);
    const isApart = gap.split("\n").length > 2;
    if (isApart) yield* end();
    if (!ending && UNDECIDED.test(line)) return false;
    if (!isApart && gap !== "" && (line === "" || beginsBlock(line))) yield* end();
    if (gap !== "") yield { type: "text", text: gap };
    block += gap;
    held = line;
    const [, indent = "", marks] = FENCE.exec(line) ?? [];
    if (marks !== undefined) fence = { marks, indent };
    inLine = line !== "";
    return inLine;
  }

  function* codeLine(gap: string, line: string, ending: boolean): Iterable<BlockPiece, boolean> {
    const lineEnd = line.indexOf("\n");
    if (lineEnd === -1 && !ending) return false;
    const code = lineEnd === -1 ? line : line.slice(0, lineEnd);
    held = line.slice(code.length);
    block += gap + code;
    if (gap + code !== "") yield { type: "text", text: gap + code };
    const words = code.replace(/^[ \t>]*/, "").trimEnd();
    const { marks } = fence ?? { marks: "" };
    if (words.length >= marks.length && words === (marks[0] ?? "").repeat(words.length)) yield* end();
    return held !== "";
  }

  function beginsBlock(line: string): boolean {
    const isTable = block.trimStart().startsWith("|");
    if (isTable) return !line.trimStart().startsWith("|");
    return QUOTE.test(line) !== QUOTE.test(block) || MARKER.test(line.replace(/^[ \t>]*/, ""));
  }

  function* read(ending: boolean): Iterable<BlockPiece> {
    while (held !== "") {
      if (inLine) yield* restOfLine();
      else if (!(yield* betweenLines(ending))) break;
    }
    if (ending) yield* end();
  }

  return {
    write(text: string): Iterable<BlockPiece> {
      held += text;
      return read(false);
    },
    end: (): Iterable<BlockPiece> => read(true),
  };
}
