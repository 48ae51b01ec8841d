import type { Words } from "./wrap-words.ts";

/** What of a terminal decides how Markdown is drawn. */
export interface Look {
  /** Bold and colours are shown. */
  hasStyles: boolean;
  /** Links can be followed without their address being seen. */
  hasLinks: boolean;
}

/** Draws what stands in a line, as it comes. */
export interface InlineDrawing {
  /** Begins a line, all of it bold if it is a heading. Code that was open stays open. */
  begin(line: { isBold: boolean }): void;
  /** May hold back what is still undecided; never where nothing more comes on this line. */
  write(text: string, isWhole: boolean): Words[];
}

const PLAIN = /[^\\`*[]+/y;
const TICKS = /`+/y;
const ESCAPED = /\\[!-/:-@[-`{-~]/y;
/** Bold up to its end: code and escaped marks in it are none of its own. */
const BOLD = /\*\*(?=\S)(?:\\.|`+(?!`)[^`\n]+`+(?!`)|[^*`\\\n]|\*(?!\*))+\*\*/y;
const WORDS_OF_LINK = String.raw`\[((?:\\.|[^\]\\[\n]|\[[^\]\n]*\])*)\]`;
const LINK = new RegExp(
  String.raw`${WORDS_OF_LINK}\(<?([^()<>\s]*(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:[ \t]+"[^"\n]*")?\)`,
  "y",
);
const NO_LINK = new RegExp(`${WORDS_OF_LINK}[^(]`, "y");

/** Where a line is being read. */
interface Reading extends Look {
  text: string;
  at: number;
  /** Nothing more comes on this line. */
  isWhole: boolean;
  out: Words[];
  isHeading: boolean;
  isBold: boolean;
  /** The marks that end the code that is open. */
  ticks: string | undefined;
}

export function createInlineDrawing(look: Look): InlineDrawing {
  const reading: Reading = {
    ...look,
    text: "",
    at: 0,
    isWhole: false,
    out: [],
    isHeading: false,
    isBold: false,
    ticks: undefined,
  };
  return {
    begin({ isBold }) {
      reading.isHeading = isBold;
      reading.isBold = false;
    },
    write(text, isWhole) {
      const held = reading.text.slice(reading.at);
      Object.assign(reading, { text: held + text, at: 0, isWhole, out: [] });
      readDecided(reading);
      return reading.out;
    },
  };
}

/** Reads up to the end of what is decided. */
function readDecided(reading: Reading): void {
  while (reading.at < reading.text.length) {
    const length = reading.ticks === undefined ? readProse(reading) : readCode(reading, reading.ticks);
    if (length === 0) return;
    reading.at += length;
  }
}

const lookOf = ({ ticks, isHeading, isBold }: Reading): Words["look"] =>
  ticks !== undefined ? "code" : isHeading || isBold ? "bold" : undefined;

function show(reading: Reading, text: string): void {
  reading.out.push({ text, look: lookOf(reading) });
}

/** Marks are shown where code has no look of its own. */
function showMarks({ hasStyles, out }: Reading, text: string): void {
  if (!hasStyles) out.push({ text });
}

function take({ text, at }: Reading, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const goesOn = ({ text, at, isWhole }: Reading, length: number) => at + length < text.length || isWhole;

function literal(reading: Reading, length: number): number {
  show(reading, reading.text.slice(reading.at, reading.at + length));
  return length;
}

function readCode(reading: Reading, open: string): number {
  const { text, at } = reading;
  const next = text.indexOf("`", at);
  if (next !== at) return literal(reading, (next < 0 ? text.length : next) - at);
  const run = take(reading, TICKS)?.[0] ?? "";
  if (!goesOn(reading, run.length)) return 0;
  if (run !== open) return literal(reading, run.length);
  reading.ticks = undefined;
  showMarks(reading, run);
  return run.length;
}

function readProse(reading: Reading): number {
  const plain = take(reading, PLAIN)?.[0];
  if (plain !== undefined) return literal(reading, plain.length);
  const escaped = take(reading, ESCAPED)?.[0];
  if (escaped !== undefined) {
    show(reading, escaped.slice(1));
    return escaped.length;
  }
  const mark = reading.text[reading.at];
  if (mark === "`") return openCode(reading);
  if (mark === "*") return readBold(reading);
  if (mark === "[") return readLink(reading);
  // A backslash that escapes nothing.
  return goesOn(reading, 1) ? literal(reading, 1) : 0;
}

function openCode(reading: Reading): number {
  const run = take(reading, TICKS)?.[0] ?? "";
  if (!goesOn(reading, run.length)) return 0;
  showMarks(reading, run);
  reading.ticks = run;
  return run.length;
}

function readBold(reading: Reading): number {
  const { text, at, isWhole } = reading;
  if (!text.startsWith("**", at)) return goesOn(reading, 1) ? literal(reading, 1) : 0;
  if (!reading.isBold && take(reading, BOLD) === null)
    return isWhole || /\s/.test(text[at + 2] ?? "") ? literal(reading, 2) : 0;
  reading.isBold = !reading.isBold;
  return 2;
}

function readLink(reading: Reading): number {
  const [whole, label, url] = take(reading, LINK) ?? [];
  if (whole === undefined || label === undefined || url === undefined)
    return reading.isWhole || take(reading, NO_LINK) !== null ? literal(reading, 1) : 0;
  const text = plainOf(label);
  reading.out.push({ text, look: lookOf(reading), url });
  const { hasStyles, hasLinks } = reading;
  const isKnown = (hasStyles && hasLinks && /^https?:/i.test(url)) || text === url;
  if (!isKnown) reading.out.push({ text: ` (${url})`, look: "dim" });
  return whole.length;
}

/** The words of a link without marks. */
const plainOf = (label: string) => label.replace(/\\([!-/:-@[-`{-~])|\*\*|`+/g, "$1");
