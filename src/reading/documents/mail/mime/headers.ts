import { decodeCharset } from "./charsets.ts";
import { base64Bytes, quotedBytes } from "./transfer.ts";

/** The fields of a header by their names in small letters; of several of one name the first. */
export type Headers = ReadonlyMap<string, string>;

const HEADER_CHARACTERS_MAX = 500_000;
const FIELDS_MAX = 2_000;
const VALUE_CHARACTERS_MAX = 100_000;

/**
 * Reads the header at a position of a source that has a character for each byte. It ends at a blank line, or at a line that
 * is no field.
 */
export function readHeaders(
  source: string,
  start: number,
  end: number,
): { headers: Headers; bodyAt: number } {
  const near = source.slice(start, Math.min(end, start + HEADER_CHARACTERS_MAX));
  const length = headerLength(near);
  const headers = new Map<string, string>();
  let name = "";
  let value: string[] = [];
  let bodyAt = length;
  const put = () => {
    if (name !== "" && !headers.has(name) && headers.size < FIELDS_MAX)
      headers.set(name, value.join(" ").slice(0, VALUE_CHARACTERS_MAX));
  };
  for (const { 0: line, index } of near.slice(0, length).matchAll(/[^\r\n]+/g)) {
    if (/^[ \t]/.test(line)) {
      value.push(line.trim());
      continue;
    }
    const field = FIELD.exec(line)?.[1];
    if (field === undefined && name !== "") {
      bodyAt = index;
      break;
    }
    put();
    name = field?.toLowerCase() ?? "";
    value = [line.slice(line.indexOf(":") + 1).trim()];
  }
  put();
  return { headers, bodyAt: start + bodyAt };
}

const FIELD = /^([\x21-\x39\x3b-\x7e]{1,100})[ \t]{0,20}:/;

/** The length of a header with the blank line that ends it. */
function headerLength(text: string): number {
  // A header may be empty: then the blank line is the first.
  const empty = /^\r?\n/.exec(text);
  if (empty !== null) return empty[0].length;
  const blank = /\r\n\r\n|\n\r?\n|\r\r/.exec(text);
  return blank === null ? text.length : blank.index + blank[0].length;
}

/** A field with parameters, such as `text/plain; charset=utf-8`. */
export interface Parameters {
  value: string;
  parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.){0,2000})"|([^;\s]{0,2000}))/g;

export function readParameters(field: string | undefined): Parameters {
  const text = (field ?? "").slice(0, 20_000);
  const value = (/^[^;\s(]*/.exec(text)?.[0] ?? "").toLowerCase();
  const given = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!given.has(key)) given.set(key, quoted === undefined ? plain : quoted.replace(/\\(.)/g, "$1"));
  }
  return { value, parameters: joinParameters(given) };
}

/** Joins values that are given in pieces, and decodes them: `name*0*=utf-8''a%20; name*1=b`. */
function joinParameters(given: ReadonlyMap<string, string>): Map<string, string> {
  const joined = new Map<string, string>();
  for (const [key, value] of given) {
    const name = /^([^*]+)\*(?:0\*?)?$/.exec(key)?.[1];
    if (name === undefined) {
      if (!key.includes("*")) joined.set(key, joined.get(key) ?? decodeWords(value));
      continue;
    }
    let whole = value;
    let isEncoded = key.endsWith("*");
    for (let piece = 1; piece < 100; piece++) {
      const encoded = given.get(`${name}*${piece}*`);
      const more = encoded ?? given.get(`${name}*${piece}`);
      if (more === undefined) break;
      isEncoded ||= encoded !== undefined;
      whole += more;
    }
    joined.set(name, isEncoded ? decodeExtended(whole) : decodeWords(whole));
  }
  return joined;
}

function decodeExtended(value: string): string {
  const [, charset = "utf-8", text = value] = /^([\w.:-]{0,40})'[\w-]{0,40}'([\s\S]*)$/.exec(value) ?? [];
  const bytes = text.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodeCharset(Uint8Array.from(Buffer.from(bytes, "latin1")), charset || "utf-8");
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{1,40})?\?([bq])\?([^?]{0,5000})\?=(\s+(?==\?))?/gi;

/** Decodes a field's words: `=?utf-8?q?f=C3=BCr?=`. Bytes that are not encoded at all are read as UTF-8 or 1252. */
export function decodeWords(field: string): string {
  const bare = hasHighBytes(field) ? decodeCharset(Uint8Array.from(Buffer.from(field, "latin1")), "") : field;
  if (!bare.includes("=?")) return bare;
  const parts: string[] = [];
  let bytes: Uint8Array[] = [];
  let open = "";
  const flush = () => {
    if (bytes.length > 0) parts.push(decodeCharset(Buffer.concat(bytes), open));
    bytes = [];
  };
  let at = 0;
  for (const match of bare.matchAll(ENCODED_WORD)) {
    const [whole, charset = "", encoding = "", text = ""] = match;
    if (match.index > at || charset.toLowerCase() !== open) flush();
    parts.push(bare.slice(at, match.index));
    open = charset.toLowerCase();
    // A character may lie across two words: their bytes are joined before they are decoded.
    bytes.push(/b/i.test(encoding) ? base64Bytes(text) : quotedBytes(text.replaceAll("_", " ")));
    at = match.index + whole.length;
  }
  flush();
  parts.push(bare.slice(at));
  return parts.join("");
}

const hasHighBytes = (text: string) => /[\x80-\xff]/.test(text);

const ADDRESSES_MAX = 1_000;

/** The addresses of a field, each as it is shown: `Ann <ann@docent.test>`. */
export function readAddresses(field: string | undefined): string[] {
  if (field === undefined) return [];
  const found: string[] = [];
  let current = "";
  let isQuoted = false;
  for (let at = 0; at < field.length && found.length < ADDRESSES_MAX; at++) {
    const character = field.charAt(at);
    if (character === "\\" && isQuoted) {
      current += character + field.charAt(at + 1);
      at += 1;
      continue;
    }
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== "," && character !== ";")) {
      current += character;
      continue;
    }
    found.push(current);
    current = "";
  }
  return [...found, current].map(shownAddress).filter((address) => address !== "");
}

function shownAddress(written: string): string {
  const plain = written.replace(/"((?:[^"\\]|\\.){0,1000})"/g, (_, inside: string) =>
    inside.replace(/\\(.)/g, "$1"),
  );
  return decodeWords(plain)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^<([^<>]*)>$/, "$1")
    .slice(0, 300);
}
