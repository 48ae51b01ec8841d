/** What stands at a position of a file of RTF. */
type RtfTokenKind = "open" | "close" | "word" | "symbol" | "text" | "byte" | "end";

/** The tokens of a file of RTF, one after another. Its fields describe the last one. */
export interface RtfTokens {
  next(): RtfTokenKind;
  /** Of a control word; the character of a control symbol. */
  name: string;
  /** The number behind a control word, if there is one; a byte's. */
  value: number | undefined;
  /** Of text: a character for each byte. */
  text: string;
  /** Goes on behind the end of the group that is open. */
  skipGroup(): void;
}

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const NAME_CHARACTERS_MAX = 32;
const DIGITS_MAX = 10;

/** Reads a source that has a character for each byte. Takes time linear in its length. */
export function rtfTokens(source: string): RtfTokens {
  let at = 0;
  const tokens: RtfTokens = { next, name: "", value: undefined, text: "", skipGroup };

  function next(): RtfTokenKind {
    while (isLineBreak(source.charCodeAt(at))) at += 1;
    if (at >= source.length) return "end";
    const code = source.charCodeAt(at);
    if (code === BACKSLASH) return control();
    if (code !== OPEN && code !== CLOSE) return text();
    at += 1;
    return code === OPEN ? "open" : "close";
  }

  function text(): RtfTokenKind {
    const start = at;
    while (at < source.length && !isSpecial(source.charCodeAt(at))) at += 1;
    tokens.text = source.slice(start, at);
    return "text";
  }

  function control(): RtfTokenKind {
    at += 1;
    if (!isLetter(source.charCodeAt(at))) return symbol();
    const start = at;
    while (isLetter(source.charCodeAt(at)) && at - start < NAME_CHARACTERS_MAX) at += 1;
    tokens.name = source.slice(start, at);
    const digits = digitsAt(source, at);
    at += digits.length;
    tokens.value = digits === "" ? undefined : Number(digits);
    if (source.charCodeAt(at) === 0x20) at += 1;
    // Bytes that are no text: an embedded picture's.
    if (tokens.name === "bin") at += Math.max(0, tokens.value ?? 0);
    return "word";
  }

  function symbol(): RtfTokenKind {
    if (at >= source.length) return "end";
    tokens.name = source.charAt(at);
    tokens.value = undefined;
    at += 1;
    if (tokens.name !== "'") return "symbol";
    const hex = source.slice(at, at + 2);
    if (!/^[\da-f]{2}$/i.test(hex)) {
      tokens.text = "";
      return "text";
    }
    at += 2;
    tokens.value = Number.parseInt(hex, 16);
    return "byte";
  }

  function skipGroup(): void {
    at = groupEnd(source, at);
  }

  return tokens;
}

/** The number at a position, with its sign; "" where there is none. */
function digitsAt(source: string, at: number): string {
  const start = source.charCodeAt(at) === 0x2d ? at + 1 : at;
  let end = start;
  while (isDigit(source.charCodeAt(end)) && end - start < DIGITS_MAX) end += 1;
  return end === start ? "" : source.slice(at, end);
}

const BINARY = /\\bin(\d{1,10})/y;

/** The position behind the end of a group that is open. */
function groupEnd(source: string, start: number): number {
  let at = start;
  for (let depth = 1; at < source.length && depth > 0; at++) {
    const code = source.charCodeAt(at);
    if (code === OPEN) depth += 1;
    else if (code === CLOSE) depth -= 1;
    else if (code === BACKSLASH) {
      BINARY.lastIndex = at;
      const binary = BINARY.exec(source);
      at += binary === null ? 1 : binary[0].length + Number(binary[1]);
    }
  }
  return at;
}

const isLineBreak = (code: number) => code === 0x0a || code === 0x0d || code === 0;
const isSpecial = (code: number) =>
  code === BACKSLASH || code === OPEN || code === CLOSE || code === 0x0a || code === 0x0d || code === 0;
const isLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
