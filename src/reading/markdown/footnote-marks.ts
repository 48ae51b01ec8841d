import { hideCode, outsideFences } from "@docent/kernel/text/code-spans";

const NOTE = /^ {0,3}\[\^([^\][\s]{1,100})\]:[ \t]*(.*)$/;
const MARK = /\[\^([^\][\s]{1,100})\]/g;

/** The label of the footnote that begins on a line, and the words behind it. */
export function readNote(line: string): { label: string; words: string } | undefined {
  const [, label, words] = NOTE.exec(line) ?? [];
  return label === undefined || words === undefined ? undefined : { label, words };
}

/** Where a text names footnotes. */
export const footnoteMarks = (text: string) =>
  Array.from(text.matchAll(MARK), ({ 0: mark, 1: label = "", index }) => ({
    label,
    start: index,
    end: index + mark.length,
  }));

const NOTE_CHARACTERS_MAX = 2_000;
const NOTES_MAX = 1_000;
/** A note says something: `^[a-z]` is a pattern. */
const SAYS = /[\p{L}\p{N}][^\s]*\s+[^\s]*[\p{L}\p{N}]/u;

/** Writes notes that stand in the text, `^[such as this one]`, as footnotes below the page. */
export function unwrapInlineNotes(markdown: string): string {
  if (!markdown.includes("^[")) return markdown;
  const notes: string[] = [];
  const stem = markdown.includes("[^note-") ? "inline-note" : "note";
  const label = (number: number) => `${stem}-${number}`;
  const text = outsideFences(markdown, (words) => {
    const { hidden, show } = hideCode(words);
    return show(withoutNotes(hidden, (note) => `[^${label(notes.push(show(note)))}]`));
  });
  const below = notes.map((note, index) => `\n\n[^${label(index + 1)}]: ${note.replace(/\s+/g, " ").trim()}`);
  return text + below.join("");
}

/** A text with a mark in the place of each note. */
function withoutNotes(text: string, mark: (note: string) => string): string {
  const pieces: string[] = [];
  let at = 0;
  let count = 0;
  for (let start = text.indexOf("^["); start >= 0; start = text.indexOf("^[", Math.max(at, start + 1))) {
    const end = /[\\[]/.test(text.charAt(start - 1)) ? undefined : endOfBrackets(text, start + 1);
    const note = end === undefined ? "" : text.slice(start + 2, end);
    if (end === undefined || !SAYS.test(note) || /\n[ \t]*\n/.test(note)) continue;
    if (++count > NOTES_MAX) break;
    pieces.push(text.slice(at, start), mark(note));
    at = end + 1;
  }
  return pieces.join("") + text.slice(at);
}

/** Where the bracket closes that opens at a position. */
function endOfBrackets(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + NOTE_CHARACTERS_MAX); at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "[") depth++;
    else if (character === "]" && --depth === 0) return at;
  }
  return undefined;
}
