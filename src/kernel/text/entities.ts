/** One HTML entity, matched where it begins. */
export const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y;
const ESCAPE_OR_ENTITY = new RegExp(`\\\\([!-/:-@[-\`{-~])|${ENTITY.source}`, "g");

/** The entities that people write: each name followed by its character. */
const NAMED =
  "amp& lt< gt> quot\" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” bull• " +
  "middot· deg° times× larr← rarr→ le≤ ge≥ ne≠ lbrace{ rbrace} lbrack[ rbrack] vert|";
const CHARACTERS = new Map(NAMED.split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]));

/** The character of an entity; an unknown one stays as it is. */
export function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1);
  if (!name.startsWith("#")) return CHARACTERS.get(name) ?? entity;
  const code = Number(name.replace(/^#(?=x)/i, "0").replace("#", ""));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "\ufffd";
}

/**
 * Replaces backslash escapes and entities by their characters, as in an address, a title or a fence's info
 * string.
 */
export const unescaped = (text: string, decode = decodeEntity): string =>
  text.replace(ESCAPE_OR_ENTITY, (found, escaped?: string) => escaped ?? decode(found));
