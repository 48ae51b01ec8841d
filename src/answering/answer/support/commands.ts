const MARKER = /^ *(?:[-*+]|\d{1,9}[.)]) +/;
/** A line after which a command may stand. */
const ANNOUNCES = /[:：]\s*$/;
const ENDS_SENTENCE = /[.!?:。！？：…]["')*_\]]*\s*$/;

/**
 * The indent of a link behind a block that ends in a command, which models write on a line of its own in the item of a
 * list, without the marks of code: a link in its line would be copied with it. Undefined where the block ends in words.
 */
export function indentBehindCommand(block: string, lineBefore: string): string | undefined {
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1) ?? "";
  const indent = /^ */.exec(last)?.[0] ?? "";
  if (indent.length < 2 || ENDS_SENTENCE.test(last) || MARKER.test(last)) return undefined;
  const own = lines.slice(0, -1);
  const above = [lineBefore, ...own].findLast((line) => !isAsDeep(line, indent)) ?? "";
  if (!ANNOUNCES.test(above)) return undefined;
  // Behind the blank line, what is deeper than its item's text may be code.
  const column = MARKER.exec(lines[0] ?? "")?.[0].length ?? indent.length;
  return indent.slice(0, column);
}

/** Whether a line may be one of several commands. */
const isAsDeep = (line: string, indent: string) => line.startsWith(indent) && !MARKER.test(line);
