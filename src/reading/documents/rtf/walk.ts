import {
  decodeBytes,
  encodingOfCharset,
  encodingOfCodePage,
  isMultibyte,
  type RtfEncoding,
  symbolOf,
} from "./encodings.ts";
import { type RtfTokens, rtfTokens } from "./tokens.ts";

/** What is told of a file of RTF, in its order. */
export interface RtfVisitor {
  open(): void;
  close(): void;
  /**
   * A control word, except those of fonts, encodings and characters. `isOptional` marks a group that readers may skip.
   * "skip" skips what is left of the group.
   */
  word(name: string, value: number | undefined, isOptional: boolean): "skip" | undefined;
  /** Characters, decoded. */
  text(words: string): void;
  /** Whether no more is wanted. */
  isDone(): boolean;
}

/** What groups keep apart. */
interface TextState {
  font: number | undefined;
  /** How many characters behind a `\u` stand for the same. */
  fallbackLength: number;
}

interface Walk {
  tokens: RtfTokens;
  visitor: RtfVisitor;
  state: TextState;
  outer: TextState[];
  /** Groups opened beyond the bound of depth; they share a state. */
  tooDeep: number;
  encoding: RtfEncoding;
  fonts: Map<number, RtfEncoding | undefined>;
  defaultFont: number | undefined;
  /** Bytes that are not yet decoded: a character may have several. */
  bytes: number[];
  fallbackLeft: number;
  isOptional: boolean;
}

const DEPTH_MAX = 5_000;
const FONTS_MAX = 20_000;

/** Walks through a file of RTF. Whether its last group was closed. */
export function walkRtf(source: string, visitor: RtfVisitor): boolean {
  const walk: Walk = {
    tokens: rtfTokens(source),
    visitor,
    state: { font: undefined, fallbackLength: 1 },
    outer: [],
    tooDeep: 0,
    encoding: "windows-1252",
    fonts: new Map(),
    defaultFont: undefined,
    bytes: [],
    fallbackLeft: 0,
    isOptional: false,
  };
  while (!visitor.isDone()) {
    const kind = walk.tokens.next();
    if (kind === "text") readText(walk);
    else if (kind === "byte") readByte(walk);
    else {
      flushBytes(walk);
      if (kind === "end") return false;
      if (kind === "open") open(walk);
      else if (kind === "word") readWord(walk);
      else if (kind === "symbol") readSymbol(walk);
      else if (close(walk)) return true;
    }
  }
  return true;
}

function open(walk: Walk): void {
  walk.fallbackLeft = 0;
  walk.isOptional = false;
  if (walk.outer.length >= DEPTH_MAX) {
    walk.tooDeep += 1;
    return;
  }
  walk.outer.push(walk.state);
  walk.state = { ...walk.state };
  walk.visitor.open();
}

/** Whether the group was the whole document. */
function close(walk: Walk): boolean {
  walk.fallbackLeft = 0;
  walk.isOptional = false;
  if (walk.tooDeep > 0) {
    walk.tooDeep -= 1;
    return false;
  }
  walk.visitor.close();
  walk.state = walk.outer.pop() ?? walk.state;
  return walk.outer.length === 0;
}

function encodingNow({ state, fonts, encoding, defaultFont }: Walk): RtfEncoding {
  // Words of no font in particular, such as a title's, are in the document's encoding.
  if (state.font === undefined && isMultibyte(encoding)) return encoding;
  const font = state.font ?? defaultFont;
  return (font === undefined ? undefined : fonts.get(font)) ?? encoding;
}

function readText(walk: Walk): void {
  walk.isOptional = false;
  const skipped = Math.min(walk.fallbackLeft, walk.tokens.text.length);
  walk.fallbackLeft -= skipped;
  const text = walk.tokens.text.slice(skipped);
  if (text === "") return;
  const encoding = encodingNow(walk);
  if (walk.bytes.length === 0 && encoding !== "symbol" && !hasHighBytes(text)) walk.visitor.text(text);
  else {
    // What follows a first byte may look like a letter, and stand as one.
    for (let at = 0; at < text.length; at++) walk.bytes.push(text.charCodeAt(at));
    if (!isMultibyte(encoding)) flushBytes(walk);
  }
}

function hasHighBytes(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return true;
  return false;
}

function readByte(walk: Walk): void {
  if (walk.fallbackLeft > 0) walk.fallbackLeft -= 1;
  else walk.bytes.push(walk.tokens.value ?? 0x3f);
}

function flushBytes(walk: Walk): void {
  if (walk.bytes.length === 0) return;
  const text = decodeBytes(encodingNow(walk), walk.bytes);
  walk.bytes = [];
  walk.visitor.text(text);
}

function readSymbol(walk: Walk): void {
  const { name } = walk.tokens;
  if (name === "*") {
    walk.isOptional = true;
    return;
  }
  walk.isOptional = false;
  if (walk.fallbackLeft > 0) {
    walk.fallbackLeft -= 1;
    return;
  }
  if (name === "\n" || name === "\r") walk.visitor.word("par", undefined, false);
  else walk.visitor.text(SYMBOLS.get(name) ?? "");
}

const SYMBOLS = new Map([
  ["\\", "\\"],
  ["{", "{"],
  ["}", "}"],
  ["~", "\u00a0"],
  ["_", "-"],
  ["\t", "\t"],
]);

function readWord(walk: Walk): void {
  const { tokens, state, visitor } = walk;
  const { name, value } = tokens;
  const isOptional = walk.isOptional;
  walk.isOptional = false;
  if (walk.fallbackLeft > 0 && name !== "u") {
    walk.fallbackLeft -= 1;
    return;
  }
  walk.fallbackLeft = 0;
  if (name === "fonttbl") {
    readFonts(walk);
    return;
  }
  const character = CHARACTERS.get(name);
  if (character !== undefined) visitor.text(character);
  else if (name === "u") readUnicode(walk, value ?? 0);
  else if (name === "uc") state.fallbackLength = Math.min(Math.max(0, value ?? 1), 100);
  else if (name === "f") state.font = value;
  else if (name === "plain") state.font = undefined;
  else if (DOCUMENT_WORDS.has(name)) readDocumentWord(walk, name, value);
  if (visitor.word(name, value, isOptional) !== "skip") return;
  tokens.skipGroup();
  if (walk.tooDeep > 0) walk.tooDeep -= 1;
  else close(walk);
}

function readUnicode(walk: Walk, value: number): void {
  const code = value < 0 ? value + 0x10000 : value;
  // Symbol fonts lie in a private area by their bytes.
  const text = code >= 0xf020 && code <= 0xf0ff ? symbolOf(code - 0xf000) : unicode(code);
  walk.fallbackLeft = walk.state.fallbackLength;
  walk.visitor.text(text);
}

const unicode = (code: number) =>
  code > 0xffff
    ? code <= 0x10ffff
      ? String.fromCodePoint(code)
      : ""
    : code < 0x20
      ? ""
      : String.fromCharCode(code);

const DOCUMENT_WORDS = new Set(["ansi", "mac", "pc", "pca", "ansicpg", "deff"]);

function readDocumentWord(walk: Walk, name: string, value: number | undefined): void {
  if (name === "deff") walk.defaultFont = value;
  else if (name === "ansicpg") walk.encoding = encodingOfCodePage(value ?? 1252) ?? walk.encoding;
  else if (name === "mac") walk.encoding = "macintosh";
  else if (name === "pc") walk.encoding = "ibm437";
  else if (name === "pca") walk.encoding = "ibm850";
}

/** Reads the table of fonts up to the end of its group, which stays open. */
function readFonts(walk: Walk): void {
  const { tokens, fonts } = walk;
  let font: number | undefined;
  for (let depth = 0; ; ) {
    const kind = tokens.next();
    if (kind === "end") return;
    if (kind === "open") depth += 1;
    if (kind === "close") {
      depth -= 1;
      if (depth < 0) break;
    }
    if (kind !== "word") continue;
    if (tokens.name === "f") font = tokens.value;
    const encoding = fontEncoding(tokens.name, tokens.value ?? 0);
    if (font !== undefined && encoding !== undefined && fonts.size < FONTS_MAX) fonts.set(font, encoding);
  }
  close(walk);
}

function fontEncoding(name: string, value: number): RtfEncoding | undefined {
  if (name === "fcharset") return encodingOfCharset(value);
  return name === "cpg" ? encodingOfCodePage(value) : undefined;
}

/** Control words that are characters. */
const CHARACTERS = new Map([
  ["tab", "\t"],
  ["emdash", "—"],
  ["endash", "–"],
  ["emspace", "\u2003"],
  ["enspace", "\u2002"],
  ["qmspace", "\u2005"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["zwj", "\u200d"],
  ["zwnj", "\u200c"],
]);
