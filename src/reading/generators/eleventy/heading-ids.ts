import { createFreeNames } from "@docent/kernel/text/words-of-name";
import { createSlugger } from "../../markdown/anchors.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import { askOfHeadingIds } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { eachOutsideCode, type NameHeading } from "../writing/writing.ts";

/** How a site makes the ids of headings: not at all, by Eleventy's own plugin, or by markdown-it-anchor. */
export interface HeadingIds {
  plugin: "none" | "own" | "anchor";
  slug: "encoded" | "github" | "slugify" | "slugify-1" | "slug";
  /** The levels that have ids. */
  hasIds: (level: number) => boolean;
  /** Whether dashes and quotes are made those of print. */
  isSmart: boolean;
}

/** Tells by the text of a configuration how ids are made. */
export function headingIdsIn(text: string, isOld: boolean, unknowns: Unknown[]): HeadingIds {
  const code = text.replace(/^\s*\/\/.*$/gm, "");
  const isOwn = /addPlugin\(\s*(?:\w+\.)?IdAttributePlugin/.test(code);
  const isAnchor = /["']markdown-it-anchor["']/.test(code);
  const all = () => true;
  const isSmart = /\btypographer\s*:\s*true/.test(code);
  if (!isOwn && !isAnchor) return { plugin: "none", slug: "encoded", hasIds: all, isSmart };
  const plugin = isOwn ? "own" : "anchor";
  const given = /\bslugify\s*[:,}(]\s*([^\n]{0,200})/.exec(optionsOf(code, isOwn))?.[1];
  const usual = isOwn ? "slugify" : "encoded";
  const slug = given === undefined ? usual : slugIn(code, given);
  if (slug === undefined) unknowns.push(...askOfHeadingIds("slugify", given));
  // Until its third version, Eleventy has an older package for that.
  const known = slug === "slugify" && isOld ? "slugify-1" : slug;
  return { plugin, slug: known ?? usual, hasIds: isOwn ? all : levelsIn(optionsOf(code, isOwn)), isSmart };
}

/** What a plugin is given, and what stands around that. */
function optionsOf(code: string, isOwn: boolean): string {
  const use = isOwn
    ? /addPlugin\(\s*(?:\w+\.)?IdAttributePlugin/
    : /(?:\.use\(\s*|addPlugin\(\s*)(?:\w*[aA]nchor\w*)/;
  const start = code.search(use);
  return start < 0 ? "" : (code.slice(start, start + 500).split(/\n\s*\}?\)/, 1)[0] ?? "");
}

function slugIn(code: string, given: string): HeadingIds["slug"] | undefined {
  if (/getFilter\(["']slugify["']\)/.test(given)) return "slugify";
  if (/getFilter\(["']slug["']\)/.test(given)) return "slug";
  // A function that does more than to hand on what it is given is a program.
  const name = /^(?:\(?\w+\)?\s*=>\s*)?([\w.]+)\(?\w*\)?[,;\s})]*$/.exec(given.trim())?.[1]?.split(".")[0];
  if (name === undefined) return undefined;
  const from = new RegExp(`\\b${name}\\b[^\\n]{0,80}(?:from|require\\()\\s*["']([^"']+)["']`).exec(code)?.[1];
  if (from === "github-slugger") return "github";
  if (from === "@sindresorhus/slugify") return "slugify";
  return from === "slugify" ? "slug" : undefined;
}

function levelsIn(options: string): (level: number) => boolean {
  const [, list, number] = /\blevel\s*:\s*(?:\[([\d,\s]*)\]|(\d))/.exec(options) ?? [];
  if (number !== undefined) return (level) => level >= Number(number);
  if (list === undefined) return () => true;
  const levels = list.split(",").map(Number);
  return (level) => levels.includes(level);
}

/** Ids as the site makes them: a repeated one is `a-2` by Eleventy's plugin, and `a-1` by markdown-it-anchor. */
export function createHeadingNames(
  { plugin, slug, hasIds, isSmart }: HeadingIds,
  hasAttributes: boolean,
): NameHeading {
  if (plugin === "none") return ({ given, isInTag }) => (hasAttributes || isInTag ? (given ?? "") : "");
  const taken = new Set<string>();
  const free = createFreeNames(taken, { from: 1 });
  const counts = new Map<string, number>();
  return ({ level, source, definitions, given, isInTag }) => {
    if (given !== undefined && hasAttributes && !isInTag) {
      taken.add(given);
      return given;
    }
    const written = isSmart ? eachOutsideCode(source, printed) : source;
    // What stands before a tag that is no text has a blank behind it.
    const stem = hasIds(level) ? slugOf(inlineText(withoutPictures(written.trim()), definitions), slug) : "";
    if (stem === undefined || !hasIds(level)) return "";
    if (plugin === "own") {
      const count = (counts.get(stem) ?? 0) + 1;
      counts.set(stem, count);
      return count === 1 ? stem : `${stem}-${count}`;
    }
    return free(stem);
  };
}

const withoutPictures = (source: string) => source.replace(/!\[[^\]\n]*\]\([^()\n]*\)|<img\b[^<>]*>/g, "");

/** As markdown-it prints words. */
const printed = (text: string) =>
  text
    .replace(/(?<!-)---(?!-)/g, "—")
    .replace(/(?<!-)--(?!-)/g, "–")
    .replace(/\.{2,}/g, "…")
    .replace(/(?<=\w)'(?=\w)/g, "’")
    .replace(/"([^"]*)"/g, "“$1”")
    .replace(/'([^']*)'/g, "‘$1’");

export function slugOf(words: string, slug: HeadingIds["slug"]): string | undefined {
  switch (slug) {
    case "github":
      return createSlugger().unique(words);
    case "slugify":
      return slugified(words.normalize().replace(/([a-zA-Z\d]+)'([ts])(\s|$)/g, "$1$2$3"));
    case "slugify-1":
      return slugified(words);
    case "slug":
      return slugged(words);
    default:
      return encodeURIComponent(words.trim().toLowerCase().replace(/\s+/g, "-"));
  }
}

const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  ä: "ae",
  ö: "oe",
  ü: "ue",
  æ: "ae",
  ø: "oe",
  ð: "d",
  đ: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  "€": "e",
  "&": " and ",
  "♥": " love ",
};
/** Letters whose names a dictionary has. */
const SPOKEN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Thaana}]/u;

/** As the package `@sindresorhus/slugify` does it. */
function slugified(words: string): string | undefined {
  if (SPOKEN.test(words)) return undefined;
  return spelledOut(words, SPELLED)
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "");
}

const spelledOut = (words: string, spelled: Readonly<Record<string, string>>) =>
  words
    .normalize()
    .toLowerCase()
    .replace(/[ßäöüæøðđþłı€&♥]/gu, (sign) => spelled[sign] ?? "")
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "");

const SLUG_SPELLED: Readonly<Record<string, string>> = {
  ...SPELLED,
  ä: "a",
  ö: "o",
  ü: "u",
  ø: "o",
  đ: "dj",
  "&": "and",
  "€": "euro",
};

/** As the package `slugify` does it: signs that it does not know are left out. */
function slugged(words: string): string | undefined {
  if (SPOKEN.test(words)) return undefined;
  return spelledOut(words, SLUG_SPELLED)
    .replace(/[^\w\s$*_+~.()'"!\-:@]+/g, "")
    .trim()
    .replace(/[-\s]+/g, "-");
}
