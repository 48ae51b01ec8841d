const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A page's source as every later step expects it: lines end in `\n`, no byte order mark, no NUL, no lone surrogate.
 * Noncharacters go too, because `render.ts` marks headings with them.
 */
export function normalizeSource(source: string): string {
  const text = source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source;
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD")
    .replace(/[\uFDD0-\uFDEF]/g, "");
}
