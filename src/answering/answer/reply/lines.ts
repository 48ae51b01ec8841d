import { closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";

/** Where in a text that streams its reader is. */
export interface Lines {
  /** The current line so far. */
  line: string;
  /** The code that is open. */
  fence: FenceOpening | undefined;
}

const LINE_CHARACTERS_MAX = 1000;
const MARKS_BEFORE = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*/;

export const openLines = (): Lines => ({ line: "", fence: undefined });

/** Reads on: at most to the end of a line. */
export function readOn(lines: Lines, text: string): void {
  if (!text.endsWith("\n")) {
    lines.line = shortened(lines.line + text);
    return;
  }
  const line = lines.line + text.slice(0, -1);
  const { fence } = lines;
  lines.line = "";
  // A fence may stand behind the mark of an item, or of a quote.
  const bare = line.replace(MARKS_BEFORE, "");
  if (fence === undefined) lines.fence = fenceOpening(bare);
  else if (closesFence(bare, { ...fence, indent: 0 })) lines.fence = undefined;
}

/** The ends of a long line: otherwise each piece of an endless one would cost more than the last. */
function shortened(line: string): string {
  const half = LINE_CHARACTERS_MAX / 2;
  return line.length <= LINE_CHARACTERS_MAX ? line : line.slice(0, half) + line.slice(-half);
}
