// What every storage can hold and read again. PostgreSQL has no text with a NUL in it, and what it reads as JSON must not
// have one, nor half of a character, as an escape either.

const REPLACEMENT = "\uFFFD";

/** Text with another sign in the place of each NUL and each half of a character. */
export const wholeText = (text: string): string =>
  (text.includes("\0") ? text.replaceAll("\0", REPLACEMENT) : text).toWellFormed();

/** An escape of JSON: two halves that belong together, one that there is no sign for, or any other. */
const ESCAPE = /\\(?:(ud[89ab]..\\ud[c-f]..)|(u0000|ud[89a-f]..)|[\s\S])/gi;

/** The same of text that is JSON, for what its strings and names say. */
export const wholeJson = (json: string): string =>
  wholeText(
    json.includes("\\u")
      ? json.replace(ESCAPE, (written, _pair, half) => (half === undefined ? written : REPLACEMENT))
      : json,
  );
