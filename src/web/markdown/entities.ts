/** Those that people write: each name with its character behind it. */
const NAMED =
  "amp& lt< gt> quot\" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” bull• " +
  "middot· deg° times× larr← rarr→ le≤ ge≥ ne≠ lbrace{ rbrace} lbrack[ rbrack] vert|";
const CHARACTERS = new Map(NAMED.split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]));

/** One entity, from where it begins. */
export const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]{2,8});/y;
const ESCAPE_OR_ENTITY = new RegExp(`\\\\([!-/:-@[-\`{-~])|${ENTITY.source}`, "g");

/** The character that an entity stands for; as it is where it is none that is known. */
export function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1);
  if (!name.startsWith("#")) return CHARACTERS.get(name) ?? entity;
  const code = Number(name.replace(/^#(?=x)/i, "0").replace("#", ""));
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}

/** A text with its escapes and entities made characters: an address, a title, the words behind a fence. */
export function unescaped(text: string): string {
  return text.replace(ESCAPE_OR_ENTITY, (found, escaped?: string) => escaped ?? decodeEntity(found));
}
