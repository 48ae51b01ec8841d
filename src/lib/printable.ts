/** What a terminal may take for an order, and what changes the order or the look of the text around it unseen. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
/** Joiners, without which emoji, Persian and Indic words fall apart, and signs of Arabic and Syriac that are drawn. */
const HARMLESS = /\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/u;
/** Hints on where a line may be broken and which way a word runs: a terminal needs none, and text of many docs has some. */
const NEEDLESS = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff]/u;

/**
 * Text as a terminal shows it without obeying it: newlines and tabs stay, other control characters and invisible
 * formatting are written out, as JSON would write them. What is printable already comes back as it was.
 */
export function printable(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(UNPRINTABLE, (mark) => (mark === "\n" || mark === "\t" ? mark : show(mark)));
}

/** The same on one line: for a cell of a table, or a line that is written over. */
export function printableLine(text: string): string {
  return text.replace(/[\r\n\t\u2028\u2029]+/g, " ").replace(UNPRINTABLE, show);
}

/** JSON of the same value in which nothing is left that a terminal would obey; JSON.stringify leaves DEL, C1 and more. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (mark) => (mark === "\n" ? mark : escapeMark(mark)));
}

/** A character as JSON and JavaScript write it: outside of the first plane it is two. */
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
