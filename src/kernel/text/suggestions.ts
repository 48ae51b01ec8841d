import { readUrl } from "./safe-url.ts";

/** A page worth reading next. */
export interface Suggestion {
  label: string;
  /** Relative to the site's root. */
  path: string;
}

const OPENING = "```suggestions";
const CLOSED = /^```\s*$/;
const LINE = /^\s*\(([^()\n]{1,300})\)\[([^[\]\s]{1,2000})\]\s*$/;
const SUGGESTIONS_MAX = 10;

/**
 * Splits the block of suggestions off the end of an answer. While the answer streams, what may become one is
 * held back.
 */
export function splitSuggestions(
  text: string,
  isComing = false,
): { text: string; suggestions: Suggestion[] } {
  const at = startOfBlock(text, isComing);
  if (at === undefined) return { text, suggestions: [] };
  const [, ...lines] = text.slice(at).split("\n");
  const close = lines.findIndex((line) => CLOSED.test(line));
  if (close !== -1 && lines.slice(close + 1).some((line) => line.trim() !== ""))
    return { text, suggestions: [] };
  const inside = close === -1 ? lines : lines.slice(0, close);
  return {
    text: text.slice(0, at).trimEnd(),
    suggestions: inside.flatMap(readLine).slice(0, SUGGESTIONS_MAX),
  };
}

/** The offset of the line that begins the block, or may become its beginning. */
function startOfBlock(text: string, isComing: boolean): number | undefined {
  const at = text.lastIndexOf(OPENING);
  const isLine =
    at !== -1 && isLineStart(text, at) && /^[ \t\r]*(?:\n|$)/.test(text.slice(at + OPENING.length));
  if (isLine) return at;
  const lastLine = text.lastIndexOf("\n") + 1;
  const begun = text.slice(lastLine);
  return isComing && begun !== "" && OPENING.startsWith(begun) ? lastLine : undefined;
}

const isLineStart = (text: string, at: number) => at === 0 || text[at - 1] === "\n";

function readLine(line: string): Suggestion[] {
  const [, label = "", address = ""] = LINE.exec(line) ?? [];
  const path = readUrl(address)?.url;
  return path === undefined || path.startsWith("mailto:") ? [] : [{ label: label.trim(), path }];
}
