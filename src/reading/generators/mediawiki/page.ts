import { createFreeNames } from "@docent/kernel/text/words-of-name";
import {
  codeHtml,
  htmlOfText,
  htmlOfWords,
  markdownOf,
  mathsHtml,
  noteMark,
} from "../wiki-writing/wiki-writing.ts";
import { writeBlocks } from "./blocks.ts";
import type { DumpPage } from "./dump.ts";
import { type LinkContext, writeExternalLinks, writeLinks } from "./links.ts";
import { writeQuotes } from "./quotes.ts";
import { attributeIn, type ExtensionTag, plainHtml } from "./tags.ts";
import { type Expansion, expandPage, type WikiPages } from "./templates.ts";
import type { Title } from "./titles.ts";

/** A page of a wiki as Markdown. */
interface WrittenPage {
  markdown: string;
  /** The title that it is shown with, where it says one. */
  shownTitle: string | undefined;
  /** Its categories. */
  tags: string[];
  faults: string[];
}

/** What pages are written with. */
export interface PageContext extends WikiPages, Pick<LinkContext, "pathOf" | "imageOf"> {}

interface State extends Expansion {
  links: LinkContext;
  /** Pieces of HTML that stand in the text as their number. */
  kept: string[];
  notes: string[];
  noteNumbers: Map<string, number>;
}

const KEPT = /\uE000(\d{1,7})\uE001/g;
const NOTES_MAX = 5_000;

/** Writes a page of wikitext as Markdown, by way of HTML. */
export function writePage(context: PageContext, page: DumpPage, title: Title): WrittenPage {
  const state = createState(context, title);
  const html = blockHtml(state, expandPage(state, page.text), createIds());
  const notes = state.notes.map((note) => shown(state, note));
  const markdown = markdownOf(shown(state, html), notes);
  const { shownTitle } = state;
  return {
    markdown,
    shownTitle:
      shownTitle === undefined ? undefined : withoutTags(state, writeQuotes(inlineHtml(state, shownTitle))),
    tags: [...state.links.tags],
    faults: [...state.faults],
  };
}

function createState(wiki: PageContext, title: Title): State {
  const kept: string[] = [];
  const keep = (html: string) => `\uE000${kept.push(html) - 1}\uE001`;
  const links: LinkContext = {
    titles: wiki.titles,
    title,
    pathOf: wiki.pathOf,
    imageOf: wiki.imageOf,
    tags: new Set(),
    keep,
    marks: writeQuotes,
  };
  const state: State = {
    wiki,
    title,
    shownTitle: undefined,
    calls: 0,
    characters: 0,
    faults: new Set(),
    hold: (tag, expandContent) => holdTag(state, tag, expandContent),
    links,
    kept,
    notes: [],
    noteNumbers: new Map(),
  };
  return state;
}

/** What programs are told of a page by words between underscores: `__NOTOC__`, in any language. */
const SWITCH = /__(?:[\p{Lu}\p{Lo}]{3,40})__/gu;

/** Text with its links and tags as HTML, and its lines as they are. */
function inlineHtml(state: State, text: string): string {
  const plain = plainHtml(text.replace(SWITCH, ""), htmlOfWords);
  return writeExternalLinks(state.links, writeLinks(state.links, plain));
}

const createIds = () =>
  createFreeNames(new Set(), {
    keyOf: (id) => id.toLowerCase(),
    numbered: (anchor, number) => `${anchor}_${number}`,
  });

function blockHtml(state: State, text: string, idOf: (anchor: string) => string): string {
  const lines = inlineHtml(state, text.replace(/\r\n?/g, "\n")).split("\n");
  return writeBlocks({ idOf, wordsOf: (html) => withoutTags(state, html) }, lines);
}

const withoutTags = (state: State, html: string) =>
  shown(state, html)
    .replace(/<[^<>]*>/g, "")
    .replace(/\uE002\d+\uE003/g, "");

const SHOWN_CHARACTERS_MAX = 5_000_000;
const KEPT_DEPTH_MAX = 60;

/** A piece of HTML with all that is kept elsewhere in its place. */
function shown(state: State, html: string): string {
  let left = SHOWN_CHARACTERS_MAX;
  const show = (text: string, depth: number): string =>
    text.replace(KEPT, (_, number: string) => {
      const piece = state.kept[Number(number)] ?? "";
      left -= piece.length;
      if (left < 0 || depth > KEPT_DEPTH_MAX) {
        state.faults.add("what it repeats is more than is read: some of it is left out");
        return "";
      }
      return show(piece, depth + 1);
    });
  return show(html, 0);
}

type TagWriter = (state: State, tag: ExtensionTag, expand: (text: string) => string) => string;

const inWords = (state: State, content: string, expand: (text: string) => string) =>
  inlineHtml(state, expand(content)).split("\n").map(writeQuotes).join("\n");

const writeCodeTag: TagWriter = ({ links }, { attributes, content }) => {
  const isInline = /(?:^|\s)inline(?:$|[\s=])/i.test(attributes);
  const html = isInline
    ? `<code>${htmlOfText(content.trim())}</code>`
    : codeHtml(content.replace(/^\s*\n/, ""), attributeIn(attributes, "lang"));
  return links.keep(html);
};

const WRITERS: ReadonlyMap<string, TagWriter> = new Map<string, TagWriter>([
  ["nowiki", ({ links }, { content }) => links.keep(htmlOfWords(content))],
  // Its first line break is none of its text.
  [
    "pre",
    ({ links }, { content }) =>
      links.keep(`<pre>\n${htmlOfWords(content.replace(/^\n/, "").replace(/<\/?nowiki>/gi, ""))}</pre>`),
  ],
  ["syntaxhighlight", writeCodeTag],
  ["source", writeCodeTag],
  [
    "math",
    ({ links }, { attributes, content }) =>
      links.keep(mathsHtml(content.trim(), attributeIn(attributes, "display") === "block")),
  ],
  ["chem", ({ links }, { content }) => links.keep(mathsHtml(`\\ce{${content.trim()}}`, false))],
  ["ce", ({ links }, { content }) => links.keep(mathsHtml(`\\ce{${content.trim()}}`, false))],
  [
    "poem",
    (state, { content }, expand) =>
      state.links.keep(`<p>${inWords(state, content.trim(), expand).replaceAll("\n", "<br>\n")}</p>`),
  ],
  ["ref", writeNote],
  [
    "references",
    (_, { content }, expand) => {
      // Notes may be written here, and named elsewhere.
      expand(content);
      return "";
    },
  ],
  ["gallery", (state, { content }, expand) => galleryText(state, expand(content))],
  ["html", ({ links }, { content }) => links.keep(htmlOfWords(content.replace(/<[^<>]*>/g, " ")))],
]);

function holdTag(state: State, tag: ExtensionTag, expand: (text: string) => string): string {
  return WRITERS.get(tag.name)?.(state, tag, expand) ?? "";
}

/** A note has one number, however often it is named. */
function writeNote(
  state: State,
  { attributes, content }: ExtensionTag,
  expand: (text: string) => string,
): string {
  const { notes, noteNumbers } = state;
  const name = attributeIn(attributes.replace(/\/$/, ""), "name");
  const key = name === undefined ? undefined : `${attributeIn(attributes, "group") ?? ""}#${name}`;
  const known = key === undefined ? undefined : noteNumbers.get(key);
  if (known === undefined && notes.length >= NOTES_MAX) return "";
  const number = known ?? notes.push("");
  if (key !== undefined) noteNumbers.set(key, number);
  if (content.trim() !== "" && notes[number - 1] === "")
    notes[number - 1] = inWords(state, content.trim(), expand).replaceAll("\n", " ");
  return noteMark(number);
}

/** The files of a gallery, each as an item. */
function galleryText(state: State, content: string): string {
  const items = content.split("\n").flatMap((line) => {
    const [file = "", ...labels] = line.trim().split("|");
    if (file === "") return [];
    const { name } = state.links.titles.read(file, 6);
    const caption = labels.filter((label) => !/^(?:alt|link|lang|page)\s*=/i.test(label)).join("|");
    return [
      `* ${state.links.imageOf(name) === undefined ? "" : `[[File:${name}|${caption.replaceAll("|", " ")}]] `}${caption}`,
    ];
  });
  return `\n${items.filter((item) => item !== "* ").join("\n")}\n`;
}
