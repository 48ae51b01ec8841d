/** What words are set in: roman, bold, italic, or the type of code. */
export type Font = "R" | "B" | "I" | "C";

/** Words of one font. */
export interface Run {
  text: string;
  font: Font;
  /** Where they lead, where they are a link. */
  href?: string | undefined;
}

/** The font that words are set in, and the one before it, to which `\fP` returns. */
export interface Fonts {
  now: Font;
  before: Font;
}

const FONTS: Readonly<Record<string, Font>> = {
  R: "R",
  "1": "R",
  I: "I",
  "2": "I",
  B: "B",
  "3": "B",
  BI: "B",
  "4": "B",
};

const ROMAN: Readonly<Fonts> = { now: "R", before: "R" };

/** Changes to a font by its name; `P` and nothing are the one before. */
export function setFont(fonts: Fonts, name: string): void {
  const next =
    name === "P" || name === "" ? fonts.before : (FONTS[name] ?? (/^[CVT]/.test(name) ? "C" : "R"));
  fonts.before = fonts.now;
  fonts.now = next;
}

/** What an escape shows, which font it sets, and where it ends. */
interface Escape {
  end: number;
  shows?: string;
  font?: string;
  /** What is said on the next line goes on right here. */
  joins?: true;
}

/** Delimited arguments, and names in brackets, are not longer: whatever has no end is none. */
const ARGUMENT_MAX = 300;

/** Reads a line of text into runs. `joins` says that the next line goes on without a space. */
export function readText(text: string, fonts: Fonts): { runs: Run[]; joins: boolean } {
  const runs: Run[] = [];
  const add = (shown: string) => {
    if (shown === "") return;
    const last = runs.at(-1);
    if (last?.font === fonts.now) last.text += shown;
    else runs.push({ text: shown, font: fonts.now });
  };
  let joins = false;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("\\", at);
    if (next < 0) break;
    add(text.slice(at, next));
    const found = readEscape(text, next + 1);
    if (found.shows !== undefined) add(found.shows);
    if (found.font !== undefined) setFont(fonts, found.font);
    joins = found.joins === true;
    at = found.end;
    if (joins) break;
  }
  if (!joins) add(text.slice(at));
  return { runs, joins };
}

/** The plain words of a text. */
export const plainWords = (text: string) =>
  text.includes("\\")
    ? readText(text, { ...ROMAN })
        .runs.map((run) => run.text)
        .join("")
    : text;

/** What stands for itself, or for nothing. */
const SINGLE: Readonly<Record<string, string>> = {
  "": "",
  "-": "-",
  " ": " ",
  "~": " ",
  "0": " ",
  t: "\t",
  a: "",
  e: "\\",
  E: "\\",
  "\\": "\\",
  "'": "'",
  "`": "`",
  ".": ".",
  "|": "",
  "^": "",
  "&": "",
  ")": "",
  "/": "",
  ",": "",
  "%": "",
  ":": "",
  "!": "",
  "?": "",
  "{": "",
  "}": "",
  p: "",
  u: "",
  d: "",
  r: "",
  z: "",
  '"': "",
};
/** Escapes whose argument is delimited, or in brackets, and that show nothing. */
const SILENT = new Set("hvlLDxXARHSBw");
const NAMED_SILENT = new Set("mMFgkVYO*n$");

function readEscape(text: string, at: number): Escape {
  const name = text.charAt(at);
  if (name === "c") return { end: at + 1, joins: true };
  if (name === "f") {
    const { value, end } = readName(text, at + 1);
    return { end, font: value };
  }
  if (name === "(" || name === "[") {
    const { value, end } = readName(text, at);
    return { end, shows: glyph(value.split(" ")[0] ?? "") };
  }
  if (name === "s") return { end: at + 1 + sizeLength(text.slice(at + 1, at + 12)) };
  if (name === "C" || name === "N" || name === "o" || name === "b" || name === "Z") {
    const { value, end } = readDelimited(text, at + 1);
    if (name === "C") return { end, shows: glyph(value) };
    if (name === "N") return { end, shows: codePoint(Number(value).toString(16)) };
    // Of characters over each other the first one is read.
    if (name === "o") return { end, shows: plainWords(value).charAt(0) };
    return { end, shows: name === "b" ? plainWords(value) : "" };
  }
  if (SILENT.has(name)) {
    const { value, end } = readDelimited(text, at + 1);
    // Words are moved apart where nothing else is between them.
    return { end, shows: name === "h" && /^\|?\d*[1-9]/.test(value) ? " " : "" };
  }
  if (NAMED_SILENT.has(name)) return { end: readName(text, at + 1).end };
  return { end: at + 1, shows: SINGLE[name] ?? name };
}

/** A name of one character, of two behind a parenthesis, or of any in brackets. */
export function readName(text: string, at: number): { value: string; end: number } {
  const mark = text.charAt(at);
  if (mark === "(") return { value: text.slice(at + 1, at + 3), end: at + 3 };
  if (mark !== "[") return { value: mark, end: at + 1 };
  const close = text.slice(at, at + ARGUMENT_MAX).indexOf("]");
  return close < 0
    ? { value: "", end: at + 1 }
    : { value: text.slice(at + 1, at + close), end: at + close + 1 };
}

function readDelimited(text: string, at: number): { value: string; end: number } {
  if (text.charAt(at) === "[") return readName(text, at);
  const close = text.slice(at + 1, at + ARGUMENT_MAX).indexOf(text.charAt(at) || "'");
  return close < 0
    ? { value: "", end: at + 1 }
    : { value: text.slice(at + 1, at + 1 + close), end: at + close + 2 };
}

const sizeLength = (text: string) =>
  /^(?:[+-]?\([+-]?\d\d|[+-]?\[[^\]]{0,8}\]|[+-]?'[^']{0,8}'|[1-3]\d|[+-]?\d)/.exec(text)?.[0].length ?? 0;

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
function glyph(name: string): string {
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
function codePoint(hex: string): string {
  const code = Number.parseInt(hex, 16);
  const isCharacter =
    code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && !(code >= 0x7f && code < 0xa0);
  return isCharacter ? String.fromCodePoint(code) : "";
}
