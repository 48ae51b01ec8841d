import { outsideCode, outsideFences } from "@docent/kernel/text/code-spans";
import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { snippet } from "@docent/kernel/text/snippet";
import { type AnchorStyle, placesIn } from "./anchors.ts";
import { linksIn } from "./destinations.ts";
import { isHidden, splitFrontMatter } from "./front-matter.ts";
import { type HtmlAround, readHtml } from "./html/html.ts";
import { readMan } from "./man/man.ts";
import { mendEmphasis, type Outline, readOutline, type Section } from "./md/md.ts";
import { isMdx } from "./mdx/mdx.ts";
import { notebookToMarkdown } from "./notebook.ts";
import { readOrg } from "./org/org.ts";
import type { PageFormat } from "./page-format.ts";
import { pandocToMarkdown, pandocWords, splitPandoc } from "./pandoc/pandoc.ts";
import {
  cutPassages,
  cutPassagesAtPlaces,
  type Passage,
  passagesOfHeadings,
  placeReferences,
} from "./passages/passages.ts";
import { OPENING_PASSES, PASSES, runPasses } from "./passes.ts";
import { plainInline } from "./plain-text.ts";
import { readPod } from "./pod/pod.ts";
import { type PublishedHeading, type PublishedIds, withPublishedIds } from "./published-ids/published-ids.ts";
import { rstToMarkdown } from "./rst/rst.ts";
import { textToMarkdown } from "./txt.ts";

export type { AnchorStyle } from "./anchors.ts";
export type { PageFormat } from "./page-format.ts";
export type { Passage } from "./passages/passages.ts";

interface ParsePageOptions {
  /** The title of a page that does not have one. */
  fallbackTitle: string;
  format?: PageFormat;
  /** The style of the site's anchors. Default: GitHub's. */
  anchors?: AnchorStyle;
  /** Whether images of HTML are written as such: their files can be had. */
  keepsImages?: boolean;
  /** What the source knows of a page of HTML. */
  around?: HtmlAround | undefined;
  /** The ids that it has where it is published, where these are known. */
  published?: PublishedIds | undefined;
}

/** A parsed page. */
export interface ParsedPage {
  title: string;
  description?: string;
  /** Has no prototype and no cycles, and is bounded. */
  frontMatter: Record<string, unknown>;
  /** The body without front matter, as Markdown whatever the format. */
  markdown: string;
  passages: Passage[];
  /** The targets of the page's links: decoded, distinct, in order. */
  links: string[];
  /** What links to the page may name: the anchors of its headings, and its marked places. */
  anchors: string[];
  /** Its headings in order, each with the id that is written for it. */
  headings: PublishedHeading[];
  /** Whether the page asks to be left out of search. */
  hidden: boolean;
  /** What was wrong with the source, for its author; the page is usable all the same. */
  faults: string[];
}

const MARKDOWN_FORMATS = new Set<PageFormat>(["md", "mdx", "ipynb", "qmd"]);
/** Front matter keys for a page's title in a menu. */
const SHORT_TITLES = ["sidebarTitle", "sidebar_label", "linkTitle", "nav_title"];
const MAX_TITLE_CHARACTERS = 300;
const MAX_DESCRIPTION_CHARACTERS = 1_000;

/**
 * Parses a page: converts its format to Markdown, then splits it into sections and passages. Never throws:
 * what it does not understand stays as words, and is reported in `faults`.
 */
export function parsePage(source: string, options: ParsePageOptions): ParsedPage {
  const said = asMarkdown(source, options);
  const { data } = said;
  const written = mendEmphasis(said.markdown);
  const isMarkdown = MARKDOWN_FORMATS.has(options.format ?? "md");
  const read = readOutline(written, options.anchors);
  const markdown = options.published ? withPublishedIds(written, read.sections, options.published) : written;
  const outline = placeReferences(
    markdown === written ? read : readOutline(markdown, options.anchors),
    isMarkdown,
  );
  const passages = options.format === "document" ? cutPassagesAtPlaces(outline) : cutPassages(outline);
  const description =
    words(data["description"], MAX_DESCRIPTION_CHARACTERS) ??
    plainWords(said.description, MAX_DESCRIPTION_CHARACTERS);
  return {
    title:
      plainWords(said.title, MAX_TITLE_CHARACTERS) ??
      titleOf(data, outline.sections) ??
      options.fallbackTitle,
    ...(description === undefined ? {} : { description }),
    frontMatter: data,
    markdown,
    passages: passages.length > 0 ? passages : passagesOfHeadings(outline, description),
    links: linksIn(markdown),
    anchors: [...outline.sections.map(({ anchor }) => anchor), ...placesIn(markdown)],
    headings: outline.sections.flatMap(({ level, heading, anchor, hasOwnId }) =>
      level === 0 ? [] : [{ text: snippet(heading, MAX_TITLE_CHARACTERS), id: hasOwnId ? anchor : "" }],
    ),
    hidden: isHidden(data),
    faults: [...said.faults, ...outlineFaults(outline), ...(isMarkdown ? macroFaults(outline) : [])],
  };
}

/** A page's body as Markdown, with its metadata. */
interface MarkdownSource {
  /** Front matter, or its equivalent. */
  data: Record<string, unknown>;
  markdown: string;
  /** The title in plain words, if the format has a place for one besides front matter, as HTML does. */
  title?: string;
  /** In plain words. */
  description?: string;
  faults: string[];
}

/** Converts a page of any format to Markdown. Never throws. */
function asMarkdown(
  source: string,
  { format = "md", keepsImages = false, around }: Pick<ParsePageOptions, "format" | "keepsImages" | "around">,
): MarkdownSource {
  switch (format) {
    case "html":
      return htmlAsMarkdown(normalizeSource(source), keepsImages, around);
    case "rst":
      return { data: dataOf({}), markdown: rstToMarkdown(normalizeSource(source)), faults: [] };
    case "txt":
      return { data: dataOf({}), markdown: textToMarkdown(normalizeSource(source)), faults: [] };
    case "man":
      return namedAsMarkdown(readMan(normalizeSource(source)));
    case "org":
      return orgAsMarkdown(normalizeSource(source));
    case "pod":
      return namedAsMarkdown(readPod(normalizeSource(source)));
    case "written":
    case "document": {
      const { data, body, fault } = splitFrontMatter(source);
      return { data, markdown: body, faults: fault === undefined ? [] : [fault] };
    }
    case "ipynb": {
      const { markdown, fault } = notebookToMarkdown(normalizeSource(source));
      const page = asMarkdown(markdown, {});
      return fault === undefined ? page : { ...page, faults: [fault] };
    }
    case "qmd":
      return pandocAsMarkdown(source);
    case "md":
    case "mdx":
      return marksAsMarkdown(source, format);
  }
}

/** A page of Markdown, with what its generator and JSX add to that. */
function marksAsMarkdown(source: string, format: "md" | "mdx"): MarkdownSource {
  const { data, body, fault } = splitFrontMatter(source);
  const opened = runPasses(OPENING_PASSES, format, body, data);
  const dialect = format === "mdx" || isMdx(opened.markdown) ? "mdx" : "md";
  const { markdown, faults } = runPasses(PASSES, dialect, opened.markdown, data);
  return { data, markdown, faults: fault === undefined ? faults : [fault, ...faults] };
}

/** A page that says in its text what it is called, and has nothing in front of it. */
function namedAsMarkdown({
  title,
  description,
  markdown,
  faults,
}: ReturnType<typeof readMan>): MarkdownSource {
  return {
    data: dataOf({}),
    markdown,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    faults,
  };
}

function pandocAsMarkdown(source: string): MarkdownSource {
  const { data: said, body, fault } = splitPandoc(source);
  const data = dataOf({ ...said, ...pandocTitle(said) });
  const read = pandocToMarkdown(body, { data }).markdown;
  return {
    data,
    markdown: runPasses([...OPENING_PASSES, ...PASSES], "pandoc", read, data).markdown,
    faults: fault === undefined ? [] : [fault],
  };
}

const pandocTitle = (data: Record<string, unknown>) =>
  typeof data["title"] === "string" ? { title: pandocWords(data["title"], { metadata: data }) } : {};

function htmlAsMarkdown(html: string, keepsImages: boolean, around: HtmlAround = {}): MarkdownSource {
  const page = readHtml(html, { ...around, keepsImages });
  const { title, description, language, redirect } = page;
  const data = dataOf({
    ...page.front,
    ...(language === undefined ? {} : { language }),
    // A page that redirects has nothing to find.
    ...(page.noindex || redirect !== undefined ? { noindex: true } : {}),
  });
  return {
    data,
    markdown: page.markdown,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    faults: page.fault === undefined ? [] : [page.fault],
  };
}

function orgAsMarkdown(source: string): MarkdownSource {
  const { title, description, keywords, isHidden, markdown, faults } = readOrg(source);
  return {
    data: dataOf({ ...(keywords.length > 0 && { keywords }), ...(isHidden && { noindex: true }) }),
    markdown,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    faults,
  };
}

/** Copies to an object without a prototype, like front matter. */
function dataOf(data: Record<string, unknown>): Record<string, unknown> {
  return Object.assign(Object.create(null), data);
}

/** The title that front matter says. */
export const titleIn = (data: Record<string, unknown>): string | undefined =>
  words(data["title"], MAX_TITLE_CHARACTERS);

/** The title from front matter or the first heading, or else the name in the menu. */
function titleOf(data: Record<string, unknown>, sections: Section[]): string | undefined {
  const given = titleIn(data);
  if (given !== undefined) return given;
  const heading = sections.find((section) => section.level === 1 && section.heading !== "")?.heading;
  if (heading !== undefined) return snippet(heading, MAX_TITLE_CHARACTERS);
  return SHORT_TITLES.map((name) => words(data[name], MAX_TITLE_CHARACTERS)).find(
    (text) => text !== undefined,
  );
}

function plainWords(text: string | undefined, maxCharacters: number): string | undefined {
  return text === undefined ? undefined : snippet(text, maxCharacters) || undefined;
}

function words(value: unknown, maxCharacters: number): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = snippet(plainInline(withTagsAsWords(String(value))), maxCharacters);
  return text === "" ? undefined : text;
}

const CODE_OR_TAG = /(`+)(?!`)[\s\S]{0,1000}?\1|<\/?([A-Za-z][\w.-]{0,60})?[^<>]{0,200}>/g;
/** Tags that a title is dressed with: they are no words of it. */
const DRESS = new Set("a abbr b br code em i kbd mark s small span strong sub sup u".split(" "));

/** In front matter most tags are what a page is about: `<select>`, `<Fragment> (<>...</>)`. */
const withTagsAsWords = (title: string) =>
  title.replace(CODE_OR_TAG, (found: string, code: string | undefined, name: string | undefined) =>
    code !== undefined || DRESS.has((name ?? "").toLowerCase()) ? found : `\\${found}`,
  );

/** What is wrong with the Markdown itself. */
function outlineFaults(outline: Outline): string[] {
  const faults: string[] = [];
  for (const block of outline.sections.flatMap((section) => section.blocks)) {
    if (block.kind === "comment" && !block.text.includes("-->")) {
      faults.push(`comment opened on line ${block.startLine} of the body is not closed`);
    }
  }
  return faults;
}

const WORDY: ReadonlySet<string> = new Set(["paragraph", "list", "quote", "table"]);
/** What a program of the site's own fills in: of Jinja, Liquid, Vue, Hugo, or an include. */
const MACRO = /(?<![\\$`{])(?:\{\{[<%]?[^{}\n]{1,200}\}\}|\{%[^%\n]{1,200}%\}|\{![^{}!\n]{1,200}!\})/g;
const MACROS_SAID_MAX = 5;
const MACRO_CHARACTERS_MAX = 80;

/** The macros in a text that are no code. */
function macrosIn(text: string): string[] {
  if (!/\{[{%!]/.test(text)) return [];
  const found: string[] = [];
  outsideFences(text, (words) =>
    outsideCode(words, (prose) => {
      for (const [macro] of prose.matchAll(MACRO)) found.push(macro.slice(0, MACRO_CHARACTERS_MAX));
      return prose;
    }),
  );
  return found;
}

/** The macros that a page still has. In other formats they are words, as they are where a site is built. */
function macroFaults({ sections }: Outline): string[] {
  const macros = new Set<string>();
  for (const { headingSource, blocks } of sections)
    for (const text of [headingSource, ...blocks.flatMap(({ kind, text }) => (WORDY.has(kind) ? text : []))])
      for (const macro of macrosIn(text)) macros.add(macro);
  if (macros.size === 0) return [];
  const more = macros.size - MACROS_SAID_MAX;
  const said = [...macros].slice(0, MACROS_SAID_MAX).join(", ");
  return [`is left as it is written: ${said}${more > 0 ? `, and ${more} more` : ""}`];
}
