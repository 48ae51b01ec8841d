const ELLIPSIS = "…";

/**
 * The beginning of a text on one line, cut between words; never longer than asked for, the ellipsis included.
 */
export function snippet(text: string, maxCharacters: number): string {
  // What is shown of a long text is in its beginning, unless that is mostly spaces.
  const start = onOneLine(text.slice(0, 2 * maxCharacters));
  const line = start.length > maxCharacters ? start : onOneLine(text);
  if (line.length <= maxCharacters) return line;
  if (maxCharacters < 1) return "";
  const cut = safeCut(line, maxCharacters - 1);
  const space = line.charAt(cut) === " " ? cut : line.lastIndexOf(" ", cut);
  // Where no space is near, as in Chinese or in one long word, it is cut at any character.
  const end = space > cut / 2 ? space : cut;
  return line.slice(0, end).trimEnd() + ELLIPSIS;
}

/** All space but the single one between two words, which most of a text has already. */
const UNEVEN_SPACE = /[^\S ]\s*| \s+/g;

const onOneLine = (text: string) => text.replace(UNEVEN_SPACE, " ").trim();

/** The position, or the one before it where it would split a surrogate pair. */
export function safeCut(text: string, position: number): number {
  const code = text.charCodeAt(position - 1);
  const splits = position < text.length && code >= 0xd800 && code <= 0xdbff;
  return splits ? position - 1 : position;
}
