import { htmlOfText } from "../wiki-writing/wiki-writing.ts";

/** A piece of a page that is markup of its own, and may go over several lines. */
export type Piece =
  | { kind: "verbatim"; text: string }
  | { kind: "macro"; name: string; params: Params; content: string | undefined }
  | { kind: "group"; text: string; params: Params }
  | { kind: "link"; text: string };

/** The parameters of a macro, a link or a group, by their names in small letters. */
type Params = ReadonlyMap<string, string>;

/** Holds HTML, and says what stands for it in the text meanwhile. */
type Keep = (html: string) => string;

const MACRO = /\{\{([A-Za-z][\w.-]{0,60})((?:\s(?:[^{}"\n]|"(?:[^"\\~]|[\\~][\s\S])*")*)?)(\/?)\}\}/y;
const PARAM = /([\w-]{1,60})\s*=\s*(?:"((?:[^"\\~]|[\\~][\s\S])*)"|([^\s"|]+))/g;
const STYLE = /\(%([^\n]{0,1000}?)%\)/y;
const ADDRESS = /(?:https?|ftp|mailto|image|attach):[^\s<>"|\]})\uE000-\uE003]{2,2000}/y;

/** How long a macro's name and parameters may be. */
const OPENING_CHARACTERS_MAX = 4_000;

export function readParams(text: string): Params {
  return new Map(
    [...text.matchAll(PARAM)].map(([, name = "", quoted, bare = ""]) => [
      name.toLowerCase(),
      quoted === undefined ? bare : quoted.replace(/[\\~]([\s\S])/g, "$1"),
    ]),
  );
}

/**
 * Takes out of a text what must not be read as words: verbatim text, macros, groups, links and addresses. `write` says what
 * stands in their place. What is left open is words. Takes linear time: what has no end is not searched for twice.
 */
export function takePieces(text: string, write: (piece: Piece) => string, keep: Keep): string {
  const out: string[] = [];
  const missing = new Set<string>();
  let style: Params = new Map();
  for (let at = 0; at < text.length; ) {
    const begin = nextSign(text, at);
    out.push(text.slice(at, begin));
    if (text.slice(at, begin).trim() !== "") style = new Map();
    at = begin;
    if (at >= text.length) break;
    if (text[at] === "~") {
      const [character = ""] = text.slice(at + 1, at + 3);
      out.push(character === "" ? "" : keep(htmlOfText(character)));
      at += 1 + character.length;
      continue;
    }
    STYLE.lastIndex = at;
    const said = text.startsWith("(%", at) ? STYLE.exec(text) : null;
    if (said !== null) {
      style = readParams(said[1] ?? "");
      at = STYLE.lastIndex;
      continue;
    }
    const found = pieceAt(text, at, style, missing);
    if (found === undefined) {
      out.push(text[at] ?? "");
      at += 1;
    } else {
      out.push(write(found.piece));
      at = found.end;
    }
    style = new Map();
  }
  return out.join("");
}

const SIGN = /~|\{\{|\[\[|\(\(\(|\(%|\b(?:https?:\/\/|ftp:\/\/|mailto:\S|image:\S|attach:\S)/g;

function nextSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? text.length;
}

interface Found {
  piece: Piece;
  end: number;
}

function pieceAt(text: string, at: number, params: Params, missing: Set<string>): Found | undefined {
  if (text.startsWith("{{{", at)) {
    const end = endOf(text, "{{{", "}}}", at + 3, missing);
    return end === undefined
      ? undefined
      : { piece: { kind: "verbatim", text: text.slice(at + 3, end) }, end: end + 3 };
  }
  if (text.startsWith("{{", at)) return macroAt(text, at, missing);
  if (text.startsWith("(((", at)) {
    const end = endOf(text, "(((", ")))", at + 3, missing);
    return end === undefined
      ? undefined
      : { piece: { kind: "group", text: text.slice(at + 3, end), params }, end: end + 3 };
  }
  if (text.startsWith("[[", at)) {
    const end = endOf(text, "[[", "]]", at + 2, missing);
    return end === undefined
      ? undefined
      : { piece: { kind: "link", text: text.slice(at + 2, end) }, end: end + 2 };
  }
  ADDRESS.lastIndex = at;
  const address = ADDRESS.exec(text)?.[0].replace(/[.,;:!?*_/^-]{1,20}$/, "");
  return address === undefined
    ? undefined
    : { piece: { kind: "link", text: address }, end: at + address.length };
}

function macroAt(text: string, at: number, missing: Set<string>): Found | undefined {
  MACRO.lastIndex = 0;
  const found = MACRO.exec(text.slice(at, at + OPENING_CHARACTERS_MAX));
  if (found === null) return undefined;
  const [whole, name = "", said = "", closed] = found;
  const params = readParams(said);
  const begin = at + whole.length;
  const macro = { kind: "macro", name: name.toLowerCase(), params } as const;
  // A slash may be the last sign of the parameters.
  if (closed === "/" || /\/\s*$/.test(said)) return { piece: { ...macro, content: undefined }, end: begin };
  const closing = `{{/${name}}}`;
  const end = endOf(text, `{{${name}`, closing, begin, missing);
  return end === undefined
    ? { piece: { ...macro, content: undefined }, end: begin }
    : { piece: { ...macro, content: text.slice(begin, end) }, end: end + closing.length };
}

/** Where what was opened ends, past others of its kind inside of it. */
function endOf(
  text: string,
  opening: string,
  closing: string,
  from: number,
  missing: Set<string>,
): number | undefined {
  if (missing.has(closing)) return undefined;
  let depth = 1;
  let at = from;
  for (;;) {
    const end = text.indexOf(closing, at);
    if (end < 0) {
      missing.add(closing);
      return undefined;
    }
    depth += countOf(text.slice(at, end), opening) - 1;
    if (depth === 0) return end;
    at = end + closing.length;
  }
}

function countOf(text: string, opening: string): number {
  let count = 0;
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + opening.length)) {
    const tag = opening.startsWith("{{") && opening !== "{{{" ? text.slice(at, text.indexOf("}}", at)) : "";
    // One that closes itself, or has a longer name, opens nothing.
    if (
      tag === "" ||
      (!tag.endsWith("/") && /^\{\{[\w.-]+(?:\s|$)/.test(tag) && !/[\w.-]/.test(tag[opening.length] ?? ""))
    )
      count += 1;
  }
  return count;
}
