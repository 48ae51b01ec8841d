/**
 * What tokenizers tell apart. `again` is a sign that is the same as the one before it, `number` the start of a number
 * after a space, and `gap` a space after a space or at the beginning of a line.
 */
export const KINDS = [
  "word",
  "letter",
  "capitals",
  "capital",
  "number",
  "digit",
  "gap",
  "space",
  "line",
  "tab",
  "mark",
  "again",
  "accent",
  "greek",
  "cyrillic",
  "hebrew",
  "arabic",
  "indic",
  "thai",
  "hangul",
  "kana",
  "han",
  "sign",
  "astral",
  "other",
] as const;

export type Kind = (typeof KINDS)[number];

/** Where each kind of character begins; it ends where the next one does. Latin letters are told apart by case below. */
const BEGINS: readonly (readonly [number, Kind])[] = [
  [0x00, "other"],
  [0x09, "tab"],
  [0x0a, "line"],
  [0x0b, "other"],
  [0x0d, "line"],
  [0x0e, "other"],
  [0x20, "space"],
  [0x21, "mark"],
  [0x30, "digit"],
  [0x3a, "mark"],
  [0x41, "capital"],
  [0x5b, "mark"],
  [0x61, "letter"],
  [0x7b, "mark"],
  [0x7f, "other"],
  [0xa0, "sign"],
  [0xc0, "accent"],
  [0x250, "other"],
  [0x300, "accent"],
  [0x370, "greek"],
  [0x400, "cyrillic"],
  [0x530, "other"],
  [0x590, "hebrew"],
  [0x600, "arabic"],
  [0x700, "other"],
  [0x750, "arabic"],
  [0x780, "other"],
  [0x900, "indic"],
  [0xe00, "thai"],
  [0xe80, "other"],
  [0x1100, "hangul"],
  [0x1200, "other"],
  [0x1e00, "accent"],
  [0x1f00, "greek"],
  [0x2000, "sign"],
  [0x2c00, "other"],
  [0x3000, "sign"],
  [0x3040, "kana"],
  [0x3100, "other"],
  [0x3130, "hangul"],
  [0x3190, "other"],
  [0x31f0, "kana"],
  [0x3200, "other"],
  [0x3400, "han"],
  [0xa000, "other"],
  [0xac00, "hangul"],
  [0xd7b0, "other"],
  [0xd800, "astral"],
  [0xe000, "other"],
  [0xf900, "han"],
  [0xfb00, "other"],
  [0xff00, "sign"],
  [0xff66, "kana"],
  [0xffa0, "hangul"],
  [0xffe0, "other"],
];

/** The kind of one unit of UTF-16, before it is known what stands beside it. */
export function kindOf(unit: number): Kind {
  if (unit >= 0x61 && unit <= 0x7a) return "letter";
  let low = 0;
  let high = BEGINS.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((BEGINS[middle]?.[0] ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  return BEGINS[low]?.[1] ?? "other";
}
