/**
 * Characters that a terminal may obey, or that invisibly change the order or look of the text around them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
/** Joiners, which emoji, Persian and Indic words need, and visible signs of Arabic and Syriac. */
const HARMLESS = /\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/u;
/** Hints for line breaks and text direction: terminals do not need them, and many docs contain some. */
const NEEDLESS = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff]/u;

/**
 * Text that a terminal shows without obeying it: newlines and tabs stay; other control characters and
 * invisible formatting are escaped as in JSON. Printable text comes back unchanged.
 */
export function printable(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(UNPRINTABLE, (mark) => (mark === "\n" || mark === "\t" ? mark : show(mark)));
}

/** The same on one line, for a table's cell or a line that is overwritten. */
export function printableLine(text: string): string {
  return text.replace(/[\r\n\t\u2028\u2029]+/g, " ").replace(UNPRINTABLE, show);
}

/** The same JSON with nothing in it that a terminal would obey; JSON.stringify leaves DEL, C1 and more. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (mark) => (mark === "\n" ? mark : escapeMark(mark)));
}

/** A character escaped as in JSON and JavaScript; one outside of the first plane takes two escapes. */
export function escapeMark(mark: string): string {
  return Array.from(
    { length: mark.length },
    (_, index) => `\\u${mark.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

function show(mark: string): string {
  if (HARMLESS.test(mark)) return mark;
  return NEEDLESS.test(mark) ? "" : escapeMark(mark);
}
