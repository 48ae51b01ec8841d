import { outsideCode, outsideFences } from "@docent/kernel/text/code-spans";

/**
 * The generators whose heading anchors a site can have. Docusaurus, Starlight and GitHub make the same ones.
 */
export const ANCHOR_STYLES = ["github", "docusaurus", "mintlify", "vitepress", "mkdocs", "sphinx"] as const;
export type AnchorStyle = (typeof ANCHOR_STYLES)[number];

/** Makes the anchors of one page's headings. */
export interface Slugger {
  /** A generated anchor that differs from all earlier ones. */
  unique(words: string): string;
  /** Registers an anchor that the page's author chose. */
  claim(anchor: string): string;
}

interface Style {
  slug(words: string): string;
  /** The word that repeated anchors add a number to, and the first number to try. */
  stem(anchor: string): { stem: string; from: number };
  numbered(stem: string, number: number): string;
  /** Whether a heading without a letter or digit gets a number as its anchor. */
  numbersEmpty: boolean;
}

const GITHUB: Style = {
  slug: githubSlug,
  stem: (anchor) => ({ stem: anchor, from: 1 }),
  numbered: (stem, number) => `${stem}-${number}`,
  numbersEmpty: false,
};

const STYLES: Record<AnchorStyle, Style> = {
  github: GITHUB,
  docusaurus: GITHUB,
  vitepress: { ...GITHUB, slug: vitepressSlug },
  mintlify: { ...GITHUB, slug: mintlifySlug, stem: (anchor) => ({ stem: anchor, from: 2 }) },
  mkdocs: {
    slug: mkdocsSlug,
    stem: mkdocsStem,
    numbered: (stem, number) => `${stem}_${number}`,
    numbersEmpty: true,
  },
  sphinx: {
    slug: sphinxSlug,
    stem: () => ({ stem: "id", from: 1 }),
    numbered: (stem, number) => `${stem}${number}`,
    numbersEmpty: true,
  },
};

/** The generator's anchor for these words, before it is made unique. */
export function slug(words: string, style: AnchorStyle = "github"): string {
  return STYLES[style].slug(words);
}

/**
 * Numbers repeated anchors exactly as the generator does: on GitHub `a`, `a-1`, `a-2`, even where a heading
 * is literally `a-1`.
 */
export function createSlugger(style: AnchorStyle = "github"): Slugger {
  const { slug: slugOf, stem: stemOf, numbered, numbersEmpty } = STYLES[style];
  const given = new Set<string>();
  const numbers = new Map<string, number>();

  function freeOne(anchor: string): string {
    const { stem, from } = stemOf(anchor);
    let number = Math.max(numbers.get(stem) ?? 1, from);
    while (given.has(numbered(stem, number))) number += 1;
    numbers.set(stem, number + 1);
    return numbered(stem, number);
  }

  return {
    unique(words) {
      const anchor = slugOf(words);
      const taken = given.has(anchor) || (numbersEmpty && anchor === "");
      const result = taken ? freeOne(anchor) : anchor;
      given.add(result);
      return result;
    },
    claim(anchor) {
      given.add(anchor);
      return anchor;
    },
  };
}

const NOT_ON_GITHUB = /[^\p{Alphabetic}\p{Mark}\p{Decimal_Number}\p{Connector_Punctuation}\- ]/gu;

function githubSlug(words: string): string {
  return words.toLowerCase().replace(NOT_ON_GITHUB, "").replaceAll(" ", "-");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const CONTROL = /[\u0000-\u001F]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const NOT_ASCII = /[^\u0000-\u007F]/g;
const COMBINING_MARKS = /[\u0300-\u036F]/g;
const VITEPRESS_SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/**
 * The slug of VitePress and VuePress: accents are folded, marks become dashes, and no anchor begins with a
 * digit.
 */
function vitepressSlug(words: string): string {
  const plain = words.normalize("NFKD").replace(COMBINING_MARKS, "").replace(CONTROL, "");
  return withoutOuterDashes(plain.replace(VITEPRESS_SPECIAL, "-"))
    .replace(/^(?=\d)/, "_")
    .toLowerCase();
}

/** The slug of Python-Markdown, which MkDocs uses: only ASCII is left. */
function mkdocsSlug(words: string): string {
  const ascii = words.normalize("NFKD").replace(NOT_ASCII, "");
  return ascii
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-");
}

/** Counts on from a number at the end of an anchor: `a_1` is followed by `a_2`. */
function mkdocsStem(anchor: string): { stem: string; from: number } {
  const [, stem = anchor, number = 0] = /^(.*)_(\d{1,9})$/.exec(anchor) ?? [];
  return { stem, from: Number(number) + 1 };
}

/**
 * The slug of Sphinx, in reStructuredText and MyST: ASCII letters and digits, dashes for all else, no leading
 * digit.
 */
export function sphinxSlug(words: string): string {
  const folded = words.toLowerCase().replace(/[ßæœøđħłŧ]/g, (letter) => SPHINX_LETTERS[letter] ?? "");
  const ascii = folded.normalize("NFKD").replace(NOT_ASCII, "");
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-$/g, "");
}

const SPHINX_LETTERS: Record<string, string> = {
  ß: "sz",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ħ: "h",
  ł: "l",
  ŧ: "t",
};

const EMOJI =
  /\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|[\u200D\uFE0E\uFE0F]/gu;

/**
 * The slug of Mintlify: quotes are made typographic, then ASCII marks become dashes where a URL may contain
 * them, and stay where it may not.
 */
function mintlifySlug(words: string): string {
  const set = words
    .toLowerCase()
    .trim()
    .replace(/\s+/g, "-")
    .replace(/(?<=^|[-([{])'(?=\S)/g, "‘")
    .replaceAll("'", "’")
    .replace(/(?<=^|[-([{])"(?=\S)/g, "“")
    .replaceAll('"', "”");
  const dashed = withoutOuterDashes(set.replace(/[-.!~*()]+/g, "-"));
  return dashed.replace(/[?,;:[\]{}]/g, "").replace(EMOJI, "");
}

function withoutOuterDashes(anchor: string): string {
  return anchor.replace(/-{2,}/g, "-").replace(/^-|-$/g, "");
}

/** What may be the name of a place: nothing that would end a tag, a cell of a table, or code. */
const PLACE_ID = /^[^\s"<>`|\\~][^\s"<>`|\\]{0,199}$/;
const PLACE = /<a id="([^\s"<>`|\\~][^\s"<>`|\\]{0,199})"><\/a>/g;

/**
 * Marks a place that links lead to and that is no heading: a cell of a table, a term, a parameter. It stands in a page's
 * Markdown, and in no passage. "" for a name that it cannot have.
 */
export const placeMark = (id: string) =>
  PLACE_ID.test(id) ? `<a id="${id.replaceAll("&", "&amp;")}"></a>` : "";

/** Blocks of Markdown with the mark of the place that they are: in words where they begin with such, or else above. */
export function withPlace(blocks: readonly string[], mark: string): readonly string[] {
  const [first = "", ...rest] = blocks;
  if (/^#{1,6} /.test(first) || blocks.some((text) => text.includes(mark))) return blocks;
  return /^(?:[\w*`![(]|\p{L})/u.test(first) && !/^(?:```|\d+[.)]\s|[*+]\s)/.test(first)
    ? [mark + first, ...rest]
    : [mark, ...blocks];
}

/** The name of the place that a tag begins; undefined for any other tag. */
export const placeOfTag = (tag: string) =>
  /^<a id="([^\s"<>`|\\~][^\s"<>`|\\]{0,199})">$/.exec(tag)?.[1]?.replaceAll("&amp;", "&");

/** The places that are marked in a text, in order. */
export const placesIn = (markdown: string) =>
  [...markdown.matchAll(PLACE)].map(([, id = ""]) => id.replaceAll("&amp;", "&"));

/** A text without the marks of its places; those in its code are words. */
export const withoutPlaces = (markdown: string) =>
  markdown.includes('<a id="')
    ? outsideFences(markdown, (words) => outsideCode(words, (prose) => prose.replace(PLACE, "")))
    : markdown;

/** A heading's source, split into its words and an explicit anchor. */
interface HeadingSource {
  text: string;
  id?: string;
}

const MAX_BRACES = 300;
const MAX_ID_CHARACTERS = 1_000;
const TAG_ID =
  /<a\s[^<>]{0,300}?\b(?:id|name)\s{0,5}=\s{0,5}(?:"([^"<>]{1,200})"|'([^'<>]{1,200})')[^<>]{0,300}>/i;

/** The attributes up to an id: classes and others may stand before it. */
const ATTRIBUTES_TO_ID =
  /^:?\s{0,9}(?:(?:\.[\w:-]+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"']+))\s+)*#([^\s{}#]{1,200})(?:\s|$)/;

/** A heading that has no anchor at all, such as a page's title in many generators. */
const NO_ID = /(?:^|(?<!\s)\s+)\{#\}$/;

/** In a comment of MDX the id stands alone, with or without its mark. */
const COMMENTED_ID = /^\/\*\s{0,9}#?([\p{L}\p{N}_][^\s{}#*]{0,200})\s{0,9}\*\/$/u;

/**
 * Finds `{#id}`, `{: .class #id}`, `{/* #id *\/}`, or else `<a id="…">` in a heading. Braces win over a tag, and are
 * cut from the heading's text.
 */
export function takeHeadingId(source: string): HeadingSource {
  const braces = trailingBraces(source);
  if (braces) return braces;
  const tag = TAG_ID.exec(source);
  const id = tag?.[1] ?? tag?.[2];
  return id === undefined ? { text: source } : { text: source, id };
}

function trailingBraces(source: string): HeadingSource | undefined {
  const trimmed = source.trimEnd();
  if (!trimmed.endsWith("}")) return undefined;
  if (NO_ID.test(trimmed)) return { text: trimmed.replace(NO_ID, ""), id: "" };
  const whole = lastWordId(trimmed);
  if (whole) return whole;
  const start = trimmed.lastIndexOf("{");
  if (start < 0 || trimmed.length - start > MAX_BRACES) return undefined;
  const written = trimmed.slice(start + 1, -1);
  const id = COMMENTED_ID.exec(written)?.[1] ?? ATTRIBUTES_TO_ID.exec(written)?.[1];
  return id === undefined ? undefined : { text: trimmed.slice(0, start).trimEnd(), id };
}

/**
 * An id at the end of a heading. It may contain anything but white space, even braces: C++ and Rust have such
 * names.
 */
function lastWordId(trimmed: string): HeadingSource | undefined {
  const near = trimmed.slice(-MAX_ID_CHARACTERS - 4);
  const start = trimmed.length - near.length + near.search(/\S+$/);
  const word = trimmed.slice(start);
  const beginsWord = start === 0 || /\s/.test(trimmed.charAt(start - 1));
  if (!beginsWord || !word.startsWith("{#") || word.length < 4) return undefined;
  return { text: trimmed.slice(0, start).trimEnd(), id: word.slice(2, -1) };
}
