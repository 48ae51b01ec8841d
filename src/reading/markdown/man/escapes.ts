import { codePoint, glyph } from "./glyphs.ts";

/** What words are set in: roman, bold, italic, or the type of code. */
export type Font = "R" | "B" | "I" | "C";

/** Words of one font. */
export interface Run {
  text: string;
  font: Font;
  /** Where they lead, where they are a link. */
  href?: string | undefined;
}

/** The font that words are set in, and the one before it, to which `\fP` returns. */
export interface Fonts {
  now: Font;
  before: Font;
}

const FONTS: Readonly<Record<string, Font>> = {
  R: "R",
  "1": "R",
  I: "I",
  "2": "I",
  B: "B",
  "3": "B",
  BI: "B",
  "4": "B",
};

const ROMAN: Readonly<Fonts> = { now: "R", before: "R" };

/** Changes to a font by its name; `P` and nothing are the one before. */
export function setFont(fonts: Fonts, name: string): void {
  const next =
    name === "P" || name === "" ? fonts.before : (FONTS[name] ?? (/^[CVT]/.test(name) ? "C" : "R"));
  fonts.before = fonts.now;
  fonts.now = next;
}

/** What an escape shows, which font it sets, and where it ends. */
interface Escape {
  end: number;
  shows?: string;
  font?: string;
  /** What is said on the next line goes on right here. */
  joins?: true;
}

/** Delimited arguments, and names in brackets, are not longer: whatever has no end is none. */
const ARGUMENT_MAX = 300;

/** Reads a line of text into runs. `joins` says that the next line goes on without a space. */
export function readText(text: string, fonts: Fonts): { runs: Run[]; joins: boolean } {
  const runs: Run[] = [];
  const add = (shown: string) => {
    if (shown === "") return;
    const last = runs.at(-1);
    if (last?.font === fonts.now) last.text += shown;
    else runs.push({ text: shown, font: fonts.now });
  };
  let joins = false;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("\\", at);
    if (next < 0) break;
    add(text.slice(at, next));
    const found = readEscape(text, next + 1);
    if (found.shows !== undefined) add(found.shows);
    if (found.font !== undefined) setFont(fonts, found.font);
    joins = found.joins === true;
    at = found.end;
    if (joins) break;
  }
  if (!joins) add(text.slice(at));
  return { runs, joins };
}

/** The plain words of a text. */
export const plainWords = (text: string) =>
  text.includes("\\")
    ? readText(text, { ...ROMAN })
        .runs.map((run) => run.text)
        .join("")
    : text;

/** What stands for itself, or for nothing. */
const SINGLE: Readonly<Record<string, string>> = {
  "": "",
  "-": "-",
  " ": " ",
  "~": " ",
  "0": " ",
  t: "\t",
  a: "",
  e: "\\",
  E: "\\",
  "\\": "\\",
  "'": "'",
  "`": "`",
  ".": ".",
  "|": "",
  "^": "",
  "&": "",
  ")": "",
  "/": "",
  ",": "",
  "%": "",
  ":": "",
  "!": "",
  "?": "",
  "{": "",
  "}": "",
  p: "",
  u: "",
  d: "",
  r: "",
  z: "",
  '"': "",
};
/** Escapes whose argument is delimited, or in brackets, and that show nothing. */
const SILENT = new Set("hvlLDxXARHSBw");
const NAMED_SILENT = new Set("mMFgkVYO*n$");

function readEscape(text: string, at: number): Escape {
  const name = text.charAt(at);
  if (name === "c") return { end: at + 1, joins: true };
  if (name === "f") {
    const { value, end } = readName(text, at + 1);
    return { end, font: value };
  }
  if (name === "(" || name === "[") {
    const { value, end } = readName(text, at);
    return { end, shows: glyph(value.split(" ")[0] ?? "") };
  }
  if (name === "s") return { end: at + 1 + sizeLength(text.slice(at + 1, at + 12)) };
  if (name === "C" || name === "N" || name === "o" || name === "b" || name === "Z") {
    const { value, end } = readDelimited(text, at + 1);
    if (name === "C") return { end, shows: glyph(value) };
    if (name === "N") return { end, shows: codePoint(Number(value).toString(16)) };
    // Of characters over each other the first one is read.
    if (name === "o") return { end, shows: plainWords(value).charAt(0) };
    return { end, shows: name === "b" ? plainWords(value) : "" };
  }
  if (SILENT.has(name)) {
    const { value, end } = readDelimited(text, at + 1);
    // Words are moved apart where nothing else is between them.
    return { end, shows: name === "h" && /^\|?\d*[1-9]/.test(value) ? " " : "" };
  }
  if (NAMED_SILENT.has(name)) return { end: readName(text, at + 1).end };
  return { end: at + 1, shows: SINGLE[name] ?? name };
}

/** A name of one character, of two behind a parenthesis, or of any in brackets. */
export function readName(text: string, at: number): { value: string; end: number } {
  const mark = text.charAt(at);
  if (mark === "(") return { value: text.slice(at + 1, at + 3), end: at + 3 };
  if (mark !== "[") return { value: mark, end: at + 1 };
  const close = text.slice(at, at + ARGUMENT_MAX).indexOf("]");
  return close < 0
    ? { value: "", end: at + 1 }
    : { value: text.slice(at + 1, at + close), end: at + close + 1 };
}

function readDelimited(text: string, at: number): { value: string; end: number } {
  if (text.charAt(at) === "[") return readName(text, at);
  const close = text.slice(at + 1, at + ARGUMENT_MAX).indexOf(text.charAt(at) || "'");
  return close < 0
    ? { value: "", end: at + 1 }
    : { value: text.slice(at + 1, at + 1 + close), end: at + close + 2 };
}

const sizeLength = (text: string) =>
  /^(?:[+-]?\([+-]?\d\d|[+-]?\[[^\]]{0,8}\]|[+-]?'[^']{0,8}'|[1-3]\d|[+-]?\d)/.exec(text)?.[0].length ?? 0;
