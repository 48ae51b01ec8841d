import { decodeText } from "@docent/kernel/text/decode-bytes";

/** Text, with what had to be assumed of its encoding. */
interface DecodedValues {
  text: string;
  /** Completes "<location> …". */
  fault?: string;
}

const SAMPLE_BYTES = 100_000;
/** A file with a larger share of zeros is no text with a fault. */
const ZEROS_MAX = 0.01;
/** In words of other scripts than the Latin one, so many bytes beyond ASCII stand beside another. */
const LEAST_NEIGHBOURS = 0.8;
/** Of what is no ASCII, such a share is letters that the language of an encoding has most often. */
const LEAST_FREQUENT = 0.3;

/** Encodings in which spreadsheets of other languages save: how they are called, and their languages' frequent letters. */
interface CodePage {
  encoding: string;
  name: string;
  frequent: RegExp;
}

/** The first level of GB 2312, whose characters are ordered by their sounds in it, holds the frequent ones. */
const FREQUENT_CHINESE = /[\u4e00-\u9fff]/gu;

const CODE_PAGES: readonly CodePage[] = [
  { encoding: "windows-1251", name: "Windows-1251", frequent: /[оеаинтрс]/gu },
  { encoding: "koi8-r", name: "KOI8-R", frequent: /[оеаинтрс]/gu },
  { encoding: "windows-1253", name: "Windows-1253", frequent: /[αοιετσνρ]/gu },
  { encoding: "windows-1255", name: "Windows-1255", frequent: /[יוהלארמת]/gu },
  { encoding: "windows-1256", name: "Windows-1256", frequent: /[اليمونرت]/gu },
  { encoding: "shift_jis", name: "Shift JIS", frequent: /[\u3041-\u30fe]/gu },
  { encoding: "euc-kr", name: "EUC-KR", frequent: /[\uac00-\ud7a3]/gu },
  { encoding: "gbk", name: "GBK", frequent: FREQUENT_CHINESE },
];

/** Decodes values, also in the code pages that spreadsheets write without saying so; undefined where they are no text. */
export function decodeValues(content: Uint8Array): DecodedValues | undefined {
  const bytes = withoutZeros(content);
  const decoded = decodeText(bytes);
  if (decoded !== undefined && decoded.fault === undefined) return { text: decoded.text };
  const guessed = hasControls(bytes) ? undefined : guessCodePage(bytes);
  if (guessed !== undefined) return guessed;
  return decoded === undefined
    ? undefined
    : { text: decoded.text, fault: (decoded.fault ?? "").replace(/^the text /, "") };
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  let zeros = 0;
  for (const byte of bytes) if (byte === 0) zeros += 1;
  return zeros === 0 || zeros > bytes.length * ZEROS_MAX ? bytes : bytes.filter((byte) => byte !== 0);
}

const hasControls = (bytes: Uint8Array) =>
  bytes.subarray(0, SAMPLE_BYTES).some((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13);

function guessCodePage(bytes: Uint8Array): DecodedValues | undefined {
  // A sample ends at a line, so that it cuts no character.
  const end = bytes.length <= SAMPLE_BYTES ? bytes.length : bytes.lastIndexOf(10, SAMPLE_BYTES) + 1;
  const sample = bytes.subarray(0, end === 0 ? SAMPLE_BYTES : end);
  const isLatin = neighbourShare(sample) < LEAST_NEIGHBOURS;
  let best: { page: CodePage; share: number } | undefined;
  for (const page of CODE_PAGES) {
    // The second byte of its characters may be one of ASCII.
    if (isLatin && page.encoding !== "shift_jis") continue;
    const share = frequentShare(sample, page);
    if (share >= LEAST_FREQUENT && share > (best?.share ?? 0)) best = { page, share };
  }
  if (best === undefined) return undefined;
  const { encoding, name } = best.page;
  return {
    text: new TextDecoder(encoding).decode(bytes),
    fault: `is not valid UTF-8: it was read as ${name}. Save it as UTF-8`,
  };
}

/** The share of bytes beyond ASCII that stand beside another: letters with accents stand alone in Latin words. */
function neighbourShare(bytes: Uint8Array): number {
  let high = 0;
  let beside = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    high += 1;
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) beside += 1;
  }
  return high < 4 ? 0 : beside / high;
}

function frequentShare(sample: Uint8Array, { encoding, frequent }: CodePage): number {
  const text = strictly(encoding, sample);
  const others = text?.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  if (text === undefined || others === 0) return 0;
  const share = (text.match(frequent)?.length ?? 0) / others;
  return encoding === "gbk" ? share * firstLevelShare(sample) : share;
}

/** The share of pairs of bytes that are frequent characters of Chinese. */
function firstLevelShare(bytes: Uint8Array): number {
  let pairs = 0;
  let frequent = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    pairs += 1;
    at += 1;
    if (lead >= 0xb0 && lead <= 0xd7 && (bytes[at] ?? 0) >= 0xa1) frequent += 1;
  }
  return frequent / pairs;
}

function strictly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
