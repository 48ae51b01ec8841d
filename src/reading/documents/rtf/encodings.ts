/** The name of an encoding: one of TextDecoder's, or one of those below. */
export type RtfEncoding = string;

const CODE_PAGES = new Map<number, RtfEncoding>([
  [437, "ibm437"],
  [708, "iso-8859-6"],
  [819, "windows-1252"],
  [850, "ibm850"],
  [858, "ibm850"],
  [866, "ibm866"],
  [874, "windows-874"],
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"],
  [1361, "euc-kr"],
  [10000, "macintosh"],
  [10001, "shift_jis"],
  [10002, "big5"],
  [10003, "euc-kr"],
  [10007, "x-mac-cyrillic"],
  [10008, "gbk"],
  [20127, "windows-1252"],
  [20866, "koi8-r"],
  [20932, "euc-jp"],
  [20936, "gbk"],
  [20949, "euc-kr"],
  [21866, "koi8-u"],
  [50220, "iso-2022-jp"],
  [50221, "iso-2022-jp"],
  [51932, "euc-jp"],
  [51936, "gbk"],
  [51949, "euc-kr"],
  [52936, "gbk"],
  [54936, "gb18030"],
  [65001, "utf-8"],
]);

const CHARSETS = new Map<number, number>([
  [0, 1252],
  [77, 10000],
  [78, 10001],
  [79, 10003],
  [80, 10008],
  [81, 10002],
  [128, 932],
  [129, 949],
  [130, 1361],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
  [255, 850],
]);

/** The encoding with a number of Windows; undefined for one that nothing here decodes. */
export function encodingOfCodePage(page: number): RtfEncoding | undefined {
  if (page >= 1250 && page <= 1258) return `windows-${page}`;
  if (page > 28590 && page <= 28606) return page === 28591 ? "windows-1252" : `iso-8859-${page - 28590}`;
  return CODE_PAGES.get(page);
}

/** The encoding of a font by its character set; undefined where that is the document's own. */
export function encodingOfCharset(charset: number): RtfEncoding | undefined {
  if (charset === 2) return "symbol";
  const page = CHARSETS.get(charset);
  return page === undefined ? undefined : encodingOfCodePage(page);
}

/** Whether a character may be of several bytes, the second of which may look like a letter. */
export const isMultibyte = (encoding: RtfEncoding) => MULTIBYTE.has(encoding);
const MULTIBYTE = new Set([
  "shift_jis",
  "gbk",
  "gb18030",
  "euc-kr",
  "euc-jp",
  "big5",
  "utf-8",
  "iso-2022-jp",
]);

/** The upper halves of the code pages of DOS, which no standard of the web has. */
const UPPER_HALVES = new Map<RtfEncoding, string>([
  [
    "ibm437",
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  ],
  [
    "ibm850",
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  ],
]);

const decoders = new Map<RtfEncoding, TextDecoder>();

/** Decodes a run of bytes; what is invalid becomes �. */
export function decodeBytes(encoding: RtfEncoding, bytes: readonly number[]): string {
  if (encoding === "symbol") return bytes.map(symbolOf).join("");
  const upper = UPPER_HALVES.get(encoding);
  if (upper !== undefined)
    return bytes
      .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper.charAt(byte - 0x80)))
      .join("");
  let decoder = decoders.get(encoding);
  if (decoder === undefined) {
    decoder = new TextDecoder(encoding);
    decoders.set(encoding, decoder);
  }
  return decoder.decode(Uint8Array.from(bytes));
}

const GREEK_UPPER = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const GREEK_LOWER = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
const SYMBOLS = new Map<number, string>([
  [0xa3, "≤"],
  [0xa5, "∞"],
  [0xab, "↔"],
  [0xac, "←"],
  [0xad, "↑"],
  [0xae, "→"],
  [0xaf, "↓"],
  [0xb0, "°"],
  [0xb1, "±"],
  [0xb3, "≥"],
  [0xb4, "×"],
  [0xb7, "•"],
  [0xb8, "÷"],
  [0xb9, "≠"],
  [0xbb, "≈"],
  [0xa7, "•"],
  [0xd8, "•"],
]);

/**
 * The character of a byte in a font of symbols. Which font, and so which picture, is not asked: what is no letter of Symbol
 * is a bullet, or nothing.
 */
export function symbolOf(byte: number): string {
  if (byte >= 0x41 && byte <= 0x5a) return GREEK_UPPER.charAt(byte - 0x41);
  if (byte >= 0x61 && byte <= 0x7a) return GREEK_LOWER.charAt(byte - 0x61);
  if (byte >= 0x20 && byte < 0x41) return String.fromCharCode(byte);
  return SYMBOLS.get(byte) ?? "";
}
