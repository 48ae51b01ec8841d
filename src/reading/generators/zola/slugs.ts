import type { NameHeading } from "../writing/writing.ts";
import type { SlugStyle } from "./settings.ts";

/**
 * A part of an address. Of letters that are not Latin a slug has how they are spoken, which needs a dictionary: undefined
 * then.
 */
export function pathSlug(words: string, style: SlugStyle): string | undefined {
  if (style === "on") return slugOf(words);
  return style === "off" ? words : words.replace(/(?<![ .])[ .]+$/, "").replace(/[<>:"/\\|?*]/g, "");
}

/** Ids as Zola gives them: a repeated one is `a-1`, and those that authors give are taken before all others. */
export function createHeadingNames(style: SlugStyle, given: readonly string[]): NameHeading {
  const taken = new Set(given);
  /** The first number that may be free. */
  const numbers = new Map<string, number>();
  return ({ words, given: own, isInTag }) => {
    if (own !== undefined && !isInTag) return own;
    const stem = style === "on" ? slugOf(words) : words.replace(/[ \t\n\r\f]/g, "_");
    if (stem === undefined) return "";
    let number = numbers.get(stem) ?? 0;
    let id = number === 0 ? stem : `${stem}-${number}`;
    while (taken.has(id)) id = `${stem}-${++number}`;
    numbers.set(stem, number);
    taken.add(id);
    return id;
  };
}

/** How letters and signs are written that are none of the alphabet with a mark on it. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ð: "d",
  đ: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  "©": "(c)",
  "®": "(r)",
  "™": "tm",
  "°": "deg",
  "×": "x",
};
const SPELLED_SIGN = new RegExp(`[${Object.keys(SPELLED).join("")}]`, "gu");
/** Signs that separate words. Others, such as emoji, have names, which stand in the slug. */
const SEPARATING = /[\s\p{P}\p{Cf}·¨´¸¦¬±÷⁄→←↔⇒]/gu;

function slugOf(words: string): string | undefined {
  const plain = words
    .toLowerCase()
    .replace(SPELLED_SIGN, (sign) => SPELLED[sign] ?? sign)
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(SEPARATING, "-");
  if (/\P{ASCII}/u.test(plain)) return undefined;
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
