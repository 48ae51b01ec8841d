import { asRecord, asText } from "@docent/kernel/text/json";
import type { Unknown } from "../docs-site.ts";
import type { NameHeading } from "../writing/writing.ts";

export type Slugify = (words: string) => string;

/** How the extension `toc` is told to make ids of headings. */
export function slugifyOf(options: Readonly<Record<string, unknown>>, unknowns: Unknown[]): Slugify {
  const separator = asText(options["separator"]) ?? "-";
  const given = options["slugify"];
  const name = asText(given)?.replace(/^python:/, "");
  const arguments_ = asRecord(asRecord(given)["kwds"] ?? options["kwds"]);
  if (given === undefined || name === "markdown.extensions.toc.slugify")
    return (words) => ascii(words, separator);
  if (name === "markdown.extensions.toc.slugify_unicode") return (words) => collapsed(words, separator);
  const cases: Record<string, string> = {
    "pymdownx.slugs.uslugify": "lower",
    "pymdownx.slugs.uslugify_cased": "none",
    "pymdownx.slugs.gfm": "lower-ascii",
  };
  const known = name === undefined ? (asText(arguments_["case"]) ?? "none") : cases[name];
  if (known !== undefined) return (words) => unicode(words, { separator, letters: known });
  unknowns.push({ question: `How does ${name} make ids of headings? It is a program.`, guess: "as usual" });
  return (words) => ascii(words, separator);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const NOT_ASCII = /[^\u0000-\u007F]/g;

const ascii = (words: string, separator: string) =>
  collapsed(words.normalize("NFKD").replace(NOT_ASCII, ""), separator);

/** As in Python, marks are no part of a word. */
const NOT_WORDS = /[^\p{L}\p{N}_\s-]/gu;

function collapsed(words: string, separator: string): string {
  const kept = words.replace(NOT_WORDS, "").trim().toLowerCase();
  return kept.replace(separator === "_" ? /[_\s]+/g : /[-\s]+/g, separator);
}

function unicode(words: string, { separator, letters }: { separator: string; letters: string }): string {
  const plain = words.normalize("NFC").trim();
  const cased =
    letters === "none"
      ? plain
      : letters === "lower-ascii"
        ? plain.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
        : plain.toLowerCase();
  return cased.replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", separator);
}

/** The slug that Material makes of titles, for addresses. */
export const unicodeSlug = (words: string) => unicode(words, { separator: "-", letters: "lower" });

/** Names the headings of a page. The ids that its author gave are taken before any is made. */
export function createHeadingNames(slugify: Slugify, givenIds: Iterable<string>): NameHeading {
  const used = new Set(givenIds);
  const counts = new Map<string, number>();
  const explicit = new Set(givenIds);
  return ({ words, given }) => {
    if (given !== undefined && explicit.has(given)) return given;
    const id = free(slugify(words.replace(/\[\^[^\]]{1,100}\]/g, "").replace(/\s+/g, " ")), used, counts);
    used.add(id);
    return id;
  };
}

/** The first of `id`, `id_1`, `id_2` … that is free; a number that it ends with counts on. */
export function free(id: string, used: ReadonlySet<string>, counts: Map<string, number>): string {
  if (id !== "" && !used.has(id)) return id;
  const [, stem = id, number = "0"] = /^(.*)_(\d{1,9})$/.exec(id) ?? [];
  const key = `${stem}_${number}`;
  let count = counts.get(key) ?? Number(number);
  do count += 1;
  while (used.has(`${stem}_${count}`));
  counts.set(key, count);
  return `${stem}_${count}`;
}
