/** Text decoded from bytes, with what had to be assumed. */
interface DecodedText {
  text: string;
  /** What is wrong with the bytes, for the page's author. */
  fault?: string;
}

interface DecodeOptions {
  /** Whether the text may declare its own encoding, as HTML and XML do. */
  html?: boolean;
  /** The encoding that the sender named, such as in a Content-Type header. */
  charset?: string;
}

const SAMPLE_BYTES = 4_096;
const DECLARATION_BYTES = 2_048;
/** More than one control character in this many bytes means that it is not text. */
const BYTES_PER_CONTROL = 30;
/** Behind the sample, one NUL in this many bytes may stand in a text. */
const BYTES_PER_NUL = 2_000;
/** Western European text in windows-1252 never has a larger share of accented letters. */
const MOST_HIGH_BYTES_SHARE = 0.3;

/** Decodes bytes in any encoding; undefined where they are not text, such as an image's. */
export function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): DecodedText | undefined {
  const marked = byMark(bytes);
  if (marked !== undefined) return looksBinary(marked.text) ? undefined : marked;
  const wide = utf16WithoutMark(bytes);
  if (wide !== undefined) return decodeAs(wide, bytes);
  if (hasControls(bytes)) return undefined;
  return decodeNarrow(bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes, options);
}

/** Decodes bytes of which each character of ASCII is one. */
function decodeNarrow(bytes: Uint8Array, options: DecodeOptions): DecodedText | undefined {
  const utf8 = strictly("utf-8", bytes);
  if (utf8 !== undefined && !isStateful(bytes, options)) return { text: utf8 };
  const named = namedEncoding(bytes, options);
  const text = named === undefined || named === "utf-8" ? undefined : strictly(named, bytes);
  if (text !== undefined && !looksBinary(text)) return { text };
  return utf8 === undefined ? guess(bytes) : { text: utf8 };
}

function byMark(bytes: Uint8Array): DecodedText | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return strictOrFaulty("utf-8", bytes.subarray(3));
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return decodeUtf32(bytes.subarray(4), true);
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return decodeUtf32(bytes.subarray(4), false);
  if (a === 0xff && b === 0xfe) return strictOrFaulty("utf-16le", bytes.subarray(2));
  if (a === 0xfe && b === 0xff) return strictOrFaulty("utf-16be", bytes.subarray(2));
  return undefined;
}

function decodeAs(encoding: string, bytes: Uint8Array): DecodedText | undefined {
  const decoded = strictOrFaulty(encoding, bytes);
  return looksBinary(decoded.text) ? undefined : decoded;
}

function strictOrFaulty(encoding: string, bytes: Uint8Array): DecodedText {
  const text = strictly(encoding, bytes);
  if (text !== undefined) return { text };
  const repaired = new TextDecoder(encoding).decode(bytes);
  return {
    text: repaired,
    fault: `the text is not valid ${encoding.toUpperCase()}: what could not be read was replaced by �`,
  };
}

/** The decoded text; undefined where the bytes are invalid in the encoding, or it is unknown. */
function strictly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): DecodedText {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  let broken = bytes.byteLength % 4 !== 0;
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian);
    const valid = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    broken ||= !valid;
    parts.push(valid ? String.fromCodePoint(code) : "\ufffd");
  }
  const text = parts.join("");
  return broken
    ? { text, fault: "the text is not valid UTF-32: what could not be read was replaced by �" }
    : { text };
}

/**
 * Recognizes UTF-16 without a byte order mark: in ASCII text every second byte is zero, always on the same
 * side.
 */
function utf16WithoutMark(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const length = Math.min(bytes.length - (bytes.length % 2), SAMPLE_BYTES);
  if (length < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  const pairs = length / 2;
  if (odd > pairs * 0.3 && even < odd * 0.1) return "utf-16le";
  if (even > pairs * 0.3 && odd < even * 0.1) return "utf-16be";
  return undefined;
}

/** Whether there are control characters other than white space; old texts have form feeds and escapes. */
function hasControls(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let controls = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return true;
    if (byte === 0x7f || (byte < 0x20 && !isTextControl(byte))) controls += 1;
  }
  return controls * BYTES_PER_CONTROL > length || hasManyNuls(bytes);
}

/** A page that shows what a NUL is may have one; what is packed behind a text has many. */
function hasManyNuls(bytes: Uint8Array): boolean {
  const most = bytes.length / BYTES_PER_NUL;
  let nuls = 0;
  for (let at = bytes.indexOf(0); at >= 0 && nuls <= most; at = bytes.indexOf(0, at + 1)) nuls++;
  return nuls > most;
}

function looksBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES);
  let bad = 0;
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    if (code === 0 || code === 0xfffd || (code < 0x20 && !isTextControl(code))) bad += 1;
  }
  return bad * BYTES_PER_CONTROL > sample.length && bad > 2;
}

function isTextControl(code: number): boolean {
  return (code >= 0x09 && code <= 0x0d) || code === 0x1b;
}

/** Recognizes ISO-2022-JP and its like, which consist of ASCII bytes and would pass for it. */
function isStateful(bytes: Uint8Array, options: DecodeOptions): boolean {
  return bytes.includes(0x1b) && namedEncoding(bytes, options) === "iso-2022-jp";
}

/** The standard name of the encoding that the sender or the text itself declares, if it is known. */
function namedEncoding(bytes: Uint8Array, { html = false, charset }: DecodeOptions): string | undefined {
  const declared = html ? declaredCharset(bytes) : undefined;
  for (const name of [charset, declared]) {
    const encoding = name === undefined ? undefined : standardName(name);
    // A declaration that can be read as ASCII cannot be in UTF-16, whatever it says.
    if (encoding !== undefined) return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  }
  return undefined;
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, DECLARATION_BYTES));
  const meta = /<meta\s[^>]{0,300}?charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:.-]{1,40})/i.exec(start)?.[1];
  return meta ?? /^\s{0,20}<\?xml\s[^>]{0,200}?encoding\s{0,5}=\s{0,5}["']([\w:.-]{1,40})/i.exec(start)?.[1];
}

function standardName(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding.toLowerCase();
  } catch {
    return undefined;
  }
}

/**
 * Guesses at text that is neither UTF-8 nor what it declares: a few high bytes beside letters mean an old
 * Western text.
 */
function guess(bytes: Uint8Array): DecodedText | undefined {
  const repaired = new TextDecoder("utf-8").decode(bytes);
  const { broken, multibyte } = countUtf8(repaired);
  let high = 0;
  for (const byte of bytes) if (byte >= 0x80) high += 1;
  // More valid sequences than invalid ones do not come about by chance.
  const western =
    multibyte <= broken && high <= bytes.length * MOST_HIGH_BYTES_SHARE && !hasUndefined1252(bytes);
  if (western) {
    const text = new TextDecoder("windows-1252").decode(bytes);
    return { text, fault: "the text is not valid UTF-8: it was read as Windows-1252. Save it as UTF-8" };
  }
  if (looksBinary(repaired) && multibyte <= broken) return undefined;
  return { text: repaired, fault: "the text is not valid UTF-8: what could not be read was replaced by �" };
}

function countUtf8(text: string): { broken: number; multibyte: number } {
  let broken = 0;
  let multibyte = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken += 1;
    else if (code >= 0x80) multibyte += 1;
  }
  return { broken, multibyte };
}

function hasUndefined1252(bytes: Uint8Array): boolean {
  return [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((byte) => bytes.includes(byte));
}

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A page's source as every later step expects it: lines end in `\n`, no byte order mark, no NUL, no lone surrogate.
 * Noncharacters go too, because `render.ts` marks headings with them.
 */
export function normalizeSource(source: string): string {
  const text = source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source;
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD")
    .replace(/[\uFDD0-\uFDEF]/g, "");
}
