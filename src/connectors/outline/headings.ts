import type { NameHeading } from "../../generators/writing/writing.ts";

const WORDS: Readonly<Record<string, string>> = {
  $: "dollar",
  "%": "percent",
  "&": "and",
  "<": "less",
  ">": "greater",
  "|": "or",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "dj",
  ł: "l",
  þ: "th",
  ð: "d",
  ı: "i",
  "–": "-",
  "—": "-",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
};

/** Cyrillic letters from а to я, as they are spelled in ids. */
const CYRILLIC = "a b v g d e zh z i j k l m n o p r s t u f h c ch sh sh u y  e yu ya".split(" ");

const REMOVED = /[!"#$%&'.()*+,/:;<=>?@[\]\\^_`{|}~]/g;
/** Scripts that Outline spells in Latin letters, by tables that are not known here. */
const SPELLED =
  /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Arabic}]/u;
const ACCENTED = /^[a-z]\p{M}+$/u;

function spelled(letter: string): string {
  const small = letter.toLowerCase();
  const word = WORDS[small];
  if (word !== undefined) return word;
  if (small === "ё") return "yo";
  if (/^[а-я]$/.test(small)) return CYRILLIC[(small.codePointAt(0) ?? 0) - CYRILLIC_BEGIN] ?? "";
  const apart = small.normalize("NFD");
  return ACCENTED.test(apart) ? apart.slice(0, 1) : small;
}

const CYRILLIC_BEGIN = 0x430;

/** The ids of one page's headings, as Outline makes them; none where they cannot be told. */
export function createHeadingIds(): NameHeading {
  const counts = new Map<string, number>();
  return ({ words }) => {
    const letters = [...words.normalize("NFC")].map((letter) => spelled(letter).replace(REMOVED, ""));
    const slug = letters.join("").replaceAll("-", " ").trim().replace(/\s+/g, "-");
    if (SPELLED.test(slug)) return "";
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? `h-${slug}` : `h-${slug}-${count}`;
  };
}
