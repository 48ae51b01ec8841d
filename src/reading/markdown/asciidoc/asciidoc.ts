import type { AbstractBlock, Document, MemoryLogger } from "@asciidoctor/core";
import { splitFrontMatter } from "../front-matter.ts";
import { readInlineHtml } from "../html/html.ts";
import { plainInline } from "../plain-text.ts";
import { writeBody } from "./blocks.ts";
import { whyOutsized } from "./bounds.ts";
import { createIncludes, type ReadIncluded } from "./includes.ts";
import {
  type AsciidocLinks,
  inlineMethods,
  withoutSigns,
  writeFootnotes,
  writeInline,
  writeTitle,
} from "./inline.ts";

export { includedLines } from "./included-lines.ts";
export type { Included } from "./includes.ts";
export type { AsciidocLinks, CrossReference } from "./inline.ts";

/** Where a page in AsciiDoc comes from, and how what it names is found. */
export interface AsciidocPlace {
  location: string;
  /** Finds the files that it includes. */
  include: ReadIncluded;
  /** Attributes that are set from outside, or taken away; one that ends with "@", or is false, may be changed by the page. */
  attributes?: Readonly<Record<string, string | false | null>>;
  links?: AsciidocLinks;
}

/** A page in AsciiDoc as Markdown. */
export interface AsciidocPage {
  /** Its title, description and keywords, and its front matter where it has any. */
  data: Record<string, unknown>;
  /** The body. Headings carry their ids. */
  markdown: string;
  /** The attributes of the page's header, by name. */
  attributes: ReadonlyMap<string, string>;
  faults: string[];
}

/** Reads AsciiDoc, which may be done elsewhere. Neither throws for what is in a page. */
export interface AsciidocReader {
  page(source: string, place: AsciidocPlace): Promise<AsciidocPage>;
  /** The lists of a page that is a menu. */
  lists(source: string, place: AsciidocPlace): Promise<AsciidocLists>;
}

export interface AsciidocLists {
  lists: ListEntry[];
  faults: string[];
}

/** What is known of a page from its header alone. */
interface AsciidocHeader {
  /** As HTML. */
  title: string | undefined;
  /** What references, and menus, call the page where they do not say; as HTML. */
  reference: string | undefined;
  navigation: string | undefined;
  attributes: ReadonlyMap<string, string>;
}

const UNKNOWN_HEADER: AsciidocHeader = {
  title: undefined,
  reference: undefined,
  navigation: undefined,
  attributes: new Map(),
};

const FAULTS_MAX = 20;
const HEADER_CHARACTERS_MAX = 20_000;
/** Pictures within the text are no words, and longer than any line. */
const EMBEDDED = /\bdata:[\w/+.-]{1,100};base64,[\w+/=]{100,}/g;

/**
 * Reads a page in AsciiDoc. Nothing is run and nothing fetched; what it includes is asked of `place`, and bounded. What
 * it cannot make sense of stays as words. Never throws.
 */
export async function readAsciidoc(source: string, place: AsciidocPlace): Promise<AsciidocPage> {
  const { data, body: written, fault } = splitFrontMatter(source);
  const body = withoutSigns(written).replace(EMBEDDED, "data:");
  const faults = fault === undefined ? [] : [fault];
  const outsized = whyOutsized(body);
  if (outsized !== undefined)
    return { ...wordsAlone(body, data), faults: [...faults, `is read as plain words: it ${outsized}`] };
  try {
    const read = await readBody(body, place);
    return {
      ...read,
      data: Object.assign(data, { ...read.data, ...data }),
      faults: [...faults, ...read.faults],
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...wordsAlone(body, data), faults: [...faults, `cannot be read as AsciiDoc: ${why}`] };
  }
}

/** Reads AsciiDoc in this process. */
export const ownAsciidoc: AsciidocReader = { page: readAsciidoc, lists: readAsciidocLists };

/** The words of a page, and what stands in front of it. */
export function asciidocWords(source: string): AsciidocPage {
  const { data, body, fault } = splitFrontMatter(source);
  return { ...wordsAlone(withoutSigns(body), data), faults: fault === undefined ? [] : [fault] };
}

const wordsAlone = (body: string, data: Record<string, unknown>) => ({
  data,
  markdown: readInlineHtml(body.replace(/&/g, "&amp;").replace(/</g, "&lt;")),
  attributes: new Map<string, string>(),
});

/** What a page says of itself before its first section; its body is not read. */
export async function readAsciidocHeader(source: string, place: AsciidocPlace): Promise<AsciidocHeader> {
  const body = withoutSigns(splitFrontMatter(source).body).slice(0, HEADER_CHARACTERS_MAX);
  if (whyOutsized(body) !== undefined) return UNKNOWN_HEADER;
  try {
    const { document } = await load(body, place, { parse_header_only: true });
    const title: unknown = document.hasHeader() ? document.doctitle() : undefined;
    const attributes = textAttributes(document);
    const shown = async (name: string) => {
      const text = attributes.get(name);
      const html = text === undefined ? undefined : await withSubstitutions(document, text);
      return typeof html === "string" && html !== "" ? html : undefined;
    };
    return {
      title: typeof title === "string" ? title : undefined,
      reference: await shown("reftext"),
      navigation: await shown("navtitle"),
      attributes,
    };
  } catch {
    return UNKNOWN_HEADER;
  }
}

/** A text as the library shows it in a reference. Its types leave out what it mixes into its nodes. */
async function withSubstitutions(document: object, text: string): Promise<unknown> {
  const substitute: unknown = Reflect.get(document, "applyReftextSubs");
  return typeof substitute === "function" ? substitute.call(document, text) : text;
}

/** The lists of a page that is a menu. Never throws. */
async function readAsciidocLists(source: string, place: AsciidocPlace): Promise<AsciidocLists> {
  const outsized = whyOutsized(source);
  if (outsized !== undefined) return { lists: [], faults: [outsized] };
  try {
    const { document, faults } = await load(withoutSigns(source), place);
    return { lists: listsIn(document.blocks), faults };
  } catch (error) {
    return { lists: [], faults: [error instanceof Error ? error.message : String(error)] };
  }
}

async function readBody(body: string, place: AsciidocPlace): Promise<AsciidocPage> {
  const { document, logger, faults } = await load(body, place);
  const attributes = textAttributes(document);
  const markdown = await document.convert();
  return {
    data: headerOf(document, attributes),
    markdown: [markdown, ...writeFootnotes(document)].filter((each) => each !== "").join("\n\n"),
    attributes,
    faults: [...faults, ...complaintsOf(logger)].slice(0, FAULTS_MAX),
  };
}

async function load(body: string, place: AsciidocPlace, options: Readonly<Record<string, unknown>> = {}) {
  // Most sites have no page in AsciiDoc, and the library is large.
  const library = await import("@asciidoctor/core");
  const logger = new library.MemoryLogger();
  const faults: string[] = [];
  const registry = library.Extensions.create();
  const includes = createIncludes(place, faults);
  registry.includeProcessor(function () {
    this.handles(() => true);
    this.process(includes);
  });
  const document = await library.load(body, {
    ...options,
    safe: "secure",
    logger,
    extension_registry: registry,
    converter: createConverter(library, place.links),
    // A link to another page keeps the name of its file, by which the page is found.
    // Who writes keys and buttons turns them on, often where a site is built: "experimental" is what that is called.
    attributes: { relfilesuffix: ".adoc", experimental: "@", ...place.attributes },
  });
  return { document, logger, faults };
}

/** The library's converter, which writes a page as Markdown, and what is inside of its cells and lines as HTML. */
function createConverter(library: typeof import("@asciidoctor/core"), links: AsciidocLinks | undefined) {
  const base = new library.Html5Converter("html5", {});
  const embedded = base.convert_embedded.bind(base);
  return Object.assign(base, inlineMethods(base, links), {
    convert_embedded: (node: Document) =>
      node.parentDocument === null ? writeBody(node, links) : embedded(node),
  });
}

function textAttributes(document: Document): ReadonlyMap<string, string> {
  const entries: [string, unknown][] = Object.entries(document.getAttributes());
  return new Map(entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}

function headerOf(document: Document, attributes: ReadonlyMap<string, string>): Record<string, unknown> {
  const written: unknown = document.hasHeader() ? document.doctitle() : undefined;
  const title = typeof written === "string" ? plainInline(writeTitle(written)) : "";
  const description = attributes.get("description") ?? "";
  const keywords = (attributes.get("keywords") ?? "").split(",").flatMap((each) => each.trim() || []);
  return {
    ...(title !== "" && { title }),
    ...(description !== "" && { description: plainInline(writeInline(description)) }),
    ...(keywords.length > 0 && { keywords }),
  };
}

/** What the library found wrong with a page. */
function complaintsOf(logger: MemoryLogger): string[] {
  return logger.messages
    .filter(({ severity }) => severity === "WARN" || severity === "ERROR" || severity === "FATAL")
    .map(({ text, sourceLocation }) => {
      const line = sourceLocation?.lineno;
      return `${text}${line === undefined ? "" : ` (line ${line})`}`;
    });
}

/** An entry of a menu that is written as lists. */
export interface ListEntry {
  label: string;
  /** Where the first link in it leads. */
  href: string | undefined;
  /** Where it is a list: whether it has a title of its own. */
  isTitled: boolean;
  children: ListEntry[];
}

const LINK = /<a href="([^"]*)"[^>]*>([\s\S]+?)<\/a>/;
const DEEP_MAX = 20;

/** The lists of a page, each an entry with what it lists. */
const listsIn = (blocks: readonly AbstractBlock[]): ListEntry[] =>
  blocks.flatMap((block) =>
    block.context === "ulist" ? [entryOf(block.title, block.blocks, 0, block.hasTitle())] : [],
  );

function entryOf(
  html: string | null,
  items: readonly AbstractBlock[],
  depth: number,
  isTitled: boolean,
): ListEntry {
  const [, href, content] = LINK.exec(html ?? "") ?? [];
  const children =
    depth > DEEP_MAX ? [] : items.map((item) => entryOf(textOf(item), itemsBelow(item), depth + 1, true));
  return {
    label: plainInline(writeTitle(content ?? html, { unlinked: true })),
    href: href?.replaceAll("&amp;", "&"),
    isTitled,
    children,
  };
}

const textOf = (item: AbstractBlock): string | null =>
  "text" in item && typeof item.text === "string" ? item.text : null;

/** The items of the lists in an item, be it in a block or not. */
function itemsBelow(item: AbstractBlock): AbstractBlock[] {
  return item.blocks.flatMap((block) => {
    const list = block.context === "open" ? block.blocks[0] : block;
    return list?.context === "ulist" ? list.blocks : [];
  });
}
