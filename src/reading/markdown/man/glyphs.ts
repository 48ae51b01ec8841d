/** The special characters of groff and mandoc that pages use, by their names: a name, then what it shows. */
const NAMED = `
lq “ rq ” oq ‘ cq ’ aq ' dq " Bq „ bq ‚ Fo « Fc » fo ‹ fc › ga \` aa ´ ha ^ ti ~ rs \\ sl / bv │ br │ ba | bb ¦ ul _ rn ‾ ru _
hy - mi − en – em — bu • ci ○ sq □ lz ◊ dg † dd ‡ ps ¶ sc § de ° co © rg ® tm ™ ct ¢ Do $ Eu € eu € Po £ Ye ¥ Cs ¤ Fn ƒ
at @ sh # pl + eq = mu × di ÷ +- ± -+ ∓ ** ∗ t+- ± tmu × tdi ÷ no ¬ tno ¬ <= ≤ >= ≥ << ≪ >> ≫ != ≠ == ≡ ne ≢ =~ ≅ |= ≃ ~~ ≈ ~= ≈
if ∞ pt ∝ sr √ is ∫ su ∑ sum ∑ pd ∂ gr ∇ es ∅ mo ∈ nm ∉ sb ⊂ sp ⊃ ib ⊆ ip ⊇ nb ⊄ nc ⊅ ca ∩ cu ∪ fa ∀ te ∃ st ∋ AN ∧ OR ∨ tf ∴ 3d ∴
-> → <- ← <> ↔ ua ↑ da ↓ va ↕ uA ⇑ dA ⇓ rA ⇒ lA ⇐ hA ⇔ vA ⇕ rh ☞ lh ☜ OK ✓ CR ↵ an ⎯ /_ ∠ pp ⊥ c* ⊗ c+ ⊕
12 ½ 14 ¼ 34 ¾ 18 ⅛ 38 ⅜ 58 ⅝ 78 ⅞ S1 ¹ S2 ² S3 ³ Of ª Om º r! ¡ r? ¿
lB [ rB ] lC { rC } la ⟨ ra ⟩ lh ☜ lc ⌈ rc ⌉ lf ⌊ rf ⌋ fm ′ sd ″ mc µ bd ═
ss ß AE Æ ae æ OE Œ oe œ -D Ð Sd ð TP Þ Tp þ O/ Ø o/ ø /L Ł /l ł /O Ø /o ø IJ Ĳ ij ĳ .i ı .j ȷ oA Å oa å
ff ff fi fi fl fl Fi ffi Fl ffl CL ♣ SP ♠ HE ♥ DI ♦ -h ℏ hbar ℏ Ah ℵ Im ℑ Re ℜ wp ℘ +h ϑ +f ϕ +p ϖ +e ϵ ts ς lk { lt ⎧ lb ⎩ rt ⎫ rk } rb ⎭
`;
const GREEK_NAMES = "ABGDEZYHIKLMNCOPRSTUFXQW";
const GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ";

/** Marks above and below letters, as names of accented ones begin with them. */
const ACCENTS: Readonly<Record<string, string>> = {
  "'": "\u0301",
  "`": "\u0300",
  "^": "\u0302",
  ":": "\u0308",
  "~": "\u0303",
  o: "\u030A",
  ",": "\u0327",
  v: "\u030C",
  "-": "\u0304",
  a: "\u0301",
};

const GLYPHS: ReadonlyMap<string, string> = new Map([
  ...NAMED.trim()
    .split(/\s*\n/)
    .flatMap((line) => pairsOf(line.trim().split(/\s+/))),
  ...[...GREEK_NAMES].flatMap((name, index): [string, string][] => {
    const letter = GREEK[index] ?? "";
    return [
      [`*${name}`, letter],
      [`*${name.toLowerCase()}`, letter.toLowerCase()],
    ];
  }),
]);

function pairsOf(words: readonly string[]): [string, string][] {
  return words.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, words[index + 1] ?? ""]] : [],
  );
}

/** The character that a name stands for: `bu`, `'e`, `u00E9`, `u0065_0301`. "" for one that nobody knows. */
export function glyph(name: string): string {
  const known = GLYPHS.get(name);
  if (known !== undefined) return known;
  if (/^u[0-9A-F]{4,6}(?:_[0-9A-F]{4,6}){0,4}$/i.test(name))
    return name.slice(1).split("_").map(codePoint).join("").normalize("NFC");
  const char = /^char(\d{1,7})$/.exec(name)?.[1];
  if (char !== undefined) return codePoint(Number(char).toString(16));
  const [first = "", ...rest] = name;
  const accent = ACCENTS[first];
  if (accent !== undefined && /^[A-Za-z]$/.test(rest.join("")))
    return (rest.join("") + accent).normalize("NFC");
  return name.length === 1 ? name : "";
}

/** A character by its number; controls and what is none are left out. */
export function codePoint(hex: string): string {
  const code = Number.parseInt(hex, 16);
  const isCharacter =
    code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && !(code >= 0x7f && code < 0xa0);
  return isCharacter ? String.fromCodePoint(code) : "";
}
