interface Written {
  str: string;
  fontName: string;
}

const CHARACTERS_MIN = 20;
const PAIRS_MIN = 30;

/** What stands for letters of fonts without a table of them. */
export const UNKNOWN_SIGNS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uE000-\uF8FF\uFFFD\u{F0000}-\u{10FFFF}]/gu;

/**
 * The fonts of a page that do not say which letters they show: the numbers of their pictures come out as any signs. A few
 * such signs are bullets and icons. Words of such a font are worse than none.
 */
export function unreadableFonts(items: readonly Written[]): { fonts: Set<string>; characters: number } {
  const counts = new Map<string, { all: number; unknown: number; pairs: number; mixed: number }>();
  for (const { str, fontName } of items) {
    const count = counts.get(fontName) ?? { all: 0, unknown: 0, pairs: 0, mixed: 0 };
    counts.set(fontName, count);
    count.all += str.length;
    count.unknown += str.match(UNKNOWN_SIGNS)?.length ?? 0;
    countPairs(str, count);
  }
  const fonts = new Set<string>();
  let characters = 0;
  for (const [name, { all, unknown, pairs, mixed }] of counts) {
    const isUnknown = all >= CHARACTERS_MIN && unknown > 0.2 * all;
    if (!isUnknown && !(pairs >= PAIRS_MIN && mixed > 0.2 * pairs)) continue;
    fonts.add(name);
    characters += all;
  }
  return { fonts, characters };
}

/** Counts letters that stand beside one of another script: in words that people wrote there are next to none. */
function countPairs(text: string, count: { pairs: number; mixed: number }): void {
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const script = scriptOf(text.charCodeAt(at));
    if (before > 0 && script > 0) {
      count.pairs += 1;
      if (script !== before) count.mixed += 1;
    }
    before = script;
  }
}

/** A number for the script of a letter; 0 for what is in all scripts, and for signs. */
function scriptOf(code: number): number {
  if (code < 0x41 || (code > 0x5a && code < 0x61) || (code > 0x7a && code < 0xc0)) return 0;
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return 1;
  // Accents, and letters of formulas, stand among all others.
  if (code >= 0x300 && code < 0x400) return 0;
  if (code >= 0x600 && code < 0x780) return 0x600;
  if (code >= 0xfb50 && code < 0xff00) return 0x600;
  if (code >= 0x2000 && code < 0x2e80) return 0;
  if (code >= 0x2e80 && code < 0xa000) return 0x2e80;
  if (code >= 0xac00 && code < 0xd7b0) return 0xac00;
  if (code >= 0xd800 && code < 0xe000) return 0;
  if (code >= 0xf900 && code < 0xfb00) return 0x2e80;
  if (code >= 0xff00) return 0;
  return code >> 7 || 1;
}
