/** The letters of the font Symbol, from `A` and from `a`. */
const GREEK_LARGE = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const GREEK_SMALL = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
const SYMBOLS: ReadonlyMap<number, string> = new Map(
  Object.entries({
    163: "≤",
    165: "∞",
    171: "↔",
    172: "←",
    173: "↑",
    174: "→",
    175: "↓",
    176: "°",
    177: "±",
    179: "≥",
    180: "×",
    182: "∂",
    183: "•",
    184: "÷",
    185: "≠",
    186: "≡",
    187: "≈",
    188: "…",
    197: "⊕",
    199: "∩",
    200: "∪",
    206: "∈",
    209: "∇",
    210: "®",
    211: "©",
    212: "™",
    213: "∏",
    214: "√",
    215: "⋅",
    216: "¬",
    217: "∧",
    218: "∨",
    222: "⇒",
    229: "∑",
    242: "∫",
    34: "∀",
    36: "∃",
    39: "∋",
    45: "−",
  }).map(([code, character]) => [Number(code), character]),
);
const WINGDINGS: ReadonlyMap<number, string> = new Map(
  Object.entries({
    74: "☺",
    168: "☐",
    111: "☐",
    114: "☐",
    251: "✗",
    252: "✓",
    253: "☒",
    254: "☑",
    120: "☒",
    223: "←",
    224: "→",
    225: "↑",
    226: "↓",
    232: "➔",
    239: "⇦",
    240: "⇨",
  }).map(([code, character]) => [Number(code), character]),
);

/** A character of a font of symbols, as one that every font has; "" where it is only a drawing. */
export function symbolOf(font: string, code: number): string {
  const at = code >= 0xf000 ? code - 0xf000 : code;
  if (/wingdings/i.test(font)) return WINGDINGS.get(at) ?? "";
  if (/^symbol/i.test(font)) {
    if (at >= 0x41 && at <= 0x5a) return GREEK_LARGE.charAt(at - 0x41);
    if (at >= 0x61 && at <= 0x7a) return GREEK_SMALL.charAt(at - 0x61);
    const known = SYMBOLS.get(at);
    if (known !== undefined) return known;
  }
  if (code >= 0xf000) return at >= 0x20 && at < 0x7f && /^symbol/i.test(font) ? String.fromCharCode(at) : "";
  return code > 0x20 && code < 0x110000 ? String.fromCodePoint(code) : "";
}
