import { createFreeNames } from "@docent/kernel/text/words-of-name";
import {
  type DocbookElement,
  type DocbookNode,
  dbhtmlOf,
  elementsOf,
  idOf,
  isElement,
  isInfo,
  lineOf,
  textOf,
  titleOf,
} from "./element.ts";

/** One of the pages that a document is cut into. */
export interface DocbookPage {
  /** Its place among the pages of its document. */
  index: number;
  element: DocbookElement;
  /** The file that it would be, without its extension: "sql-select", "chapter05/gcc-pass1"; "" for the document itself. */
  name: string;
  title: string;
  parent: DocbookPage | undefined;
  children: DocbookPage[];
}

/** Where an id is: on a page, in an element. */
interface DocbookPlace {
  page: DocbookPage;
  element: DocbookElement;
}

/** A document as DocBook's own stylesheets cut it, `chunk.xsl` of docbook-xsl. */
export interface CutDocument {
  /** In the document's order, the document itself first. */
  pages: DocbookPage[];
  places: ReadonlyMap<string, DocbookPlace>;
}

/** What is a page wherever it stands. */
const ALWAYS = new Set([
  "set",
  "book",
  "part",
  "preface",
  "chapter",
  "appendix",
  "article",
  "topic",
  "reference",
  "refentry",
  "colophon",
]);
const BESIDE_CHAPTERS = new Set(["bibliography", "glossary"]);
const HOLDS_CHAPTERS = new Set(["article", "book", "part"]);
const SECTIONS = new Set(["sect1", "section"]);

/** What a document can be that is a page, where it is one by itself. */
export const PAGE_ROOTS: ReadonlySet<string> = new Set([
  ...ALWAYS,
  ...BESIDE_CHAPTERS,
  ...SECTIONS,
  "sect2",
  "sect3",
  "sect4",
  "sect5",
  "simplesect",
  "dedication",
  "acknowledgements",
  "refsect1",
  "refsection",
]);

/** What the files of chapters without an id are called by. */
const LETTERS: Readonly<Record<string, string>> = {
  set: "se",
  book: "bk",
  article: "ar",
  preface: "pr",
  chapter: "ch",
  appendix: "ap",
  part: "pt",
  reference: "rn",
  refentry: "re",
  colophon: "co",
  bibliography: "bi",
  glossary: "go",
  topic: "to",
};

/** More is no book, and every page costs. */
const PAGES_MAX = 50_000;

interface Cutting {
  pages: DocbookPage[];
  places: Map<string, DocbookPlace>;
  freeName(name: string): string;
  /** How many of a kind there were, in this book. */
  counts: Map<string, number>;
  isSet: boolean;
}

/** Cuts a document into pages. */
export function cutDocument(root: DocbookElement): CutDocument {
  const cutting: Cutting = {
    pages: [],
    places: new Map(),
    freeName: createFreeNames(new Set([""]), { keyOf: (name) => name.toLowerCase() }),
    counts: new Map(),
    isSet: root.name === "set",
  };
  const page: DocbookPage = {
    index: 0,
    element: root,
    name: "",
    title: wordsOf(root),
    parent: undefined,
    children: [],
  };
  cutting.pages.push(page);
  visit(root, page, { numbered: "", folder: dbhtmlOf(root, "dir") ?? "" }, cutting);
  return { pages: cutting.pages, places: cutting.places };
}

/** What names below an element begin with: those without an id of their own, and the folder that they are put in. */
interface Around {
  numbered: string;
  folder: string;
}

function visit(element: DocbookElement, page: DocbookPage, around: Around, cutting: Cutting): void {
  const id = idOf(element);
  if (id !== undefined && !cutting.places.has(id)) cutting.places.set(id, { page, element });
  let sections = 0;
  const stops = element.children.some(
    (node) =>
      typeof node !== "string" &&
      !isElement(node) &&
      node.instruction === "dbhtml" &&
      node.words.trim() === "stop-chunking",
  );
  for (const child of elementsOf(element)) {
    if (SECTIONS.has(child.name)) sections += 1;
    const number = countOf(child, sections, cutting);
    const numbered = numberedName(child, number, around, cutting);
    const inner = { numbered: numbered ?? around.numbered, folder: folderBelow(child, around.folder) };
    const isPage = !stops && isOwnPage(child, page, sections) && cutting.pages.length < PAGES_MAX;
    if (!isPage) {
      visit(child, page, inner, cutting);
      continue;
    }
    const name = cutting.freeName(nameOf(child, numbered ?? "page", inner.folder));
    const own: DocbookPage = {
      index: cutting.pages.length,
      element: child,
      name,
      title: wordsOf(child),
      parent: page,
      children: [],
    };
    cutting.pages.push(own);
    page.children.push(own);
    visit(child, own, inner, cutting);
  }
}

/** The first section stays in its chapter, unless its author gave it a file. */
function isOwnPage(child: DocbookElement, page: DocbookPage, sections: number): boolean {
  const { name, parent } = child;
  if (ALWAYS.has(name)) return true;
  if (BESIDE_CHAPTERS.has(name)) return HOLDS_CHAPTERS.has(parent?.name ?? "");
  if (name === "sect1") return sections > 1 || dbhtmlOf(child, "filename") !== undefined;
  if (name !== "section" || page.element !== parent || hasSectionAround(child)) return false;
  return sections > 1 || dbhtmlOf(child, "filename") !== undefined;
}

const hasSectionAround = ({ parent }: DocbookElement) => {
  for (let above = parent; above !== undefined; above = above.parent)
    if (above.name === "section") return true;
  return false;
};

function countOf(element: DocbookElement, sections: number, { counts }: Cutting): number {
  const { name } = element;
  if (SECTIONS.has(name)) return sections;
  if (LETTERS[name] === undefined) return 0;
  // Chapters are counted from the beginning of their book.
  if (name === "book")
    for (const each of Object.keys(LETTERS)) if (each !== "book" && each !== "set") counts.delete(each);
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

/** `ch01`, `pt02`, `apa`, `ch01s02`: as the stylesheets name what has no id. */
function numberedName(
  { name, parent }: DocbookElement,
  number: number,
  { numbered }: Around,
  { isSet }: Cutting,
): string | undefined {
  const digits = String(number).padStart(2, "0");
  if (SECTIONS.has(name)) return `${numbered}s${digits}`;
  const letters = LETTERS[name];
  if (letters === undefined) return undefined;
  const inside =
    (isSet && name !== "book" && name !== "set") || (name === "refentry" && parent?.name === "reference");
  return `${inside ? numbered : ""}${letters}${name === "appendix" ? lettersOf(number) : digits}`;
}

/** a, b, … z, aa: as XSLT numbers by letters. */
function lettersOf(number: number): string {
  let rest = number;
  let letters = "";
  for (; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters;
  return letters;
}

const folderBelow = (element: DocbookElement, folder: string) => {
  const own = dbhtmlOf(element, "dir");
  return own === undefined ? folder : folder === "" ? own : `${folder}/${own}`;
};

/** What `<?dbhtml filename?>` says, or else the id, or else a number. */
function nameOf(element: DocbookElement, numbered: string, folder: string): string {
  const file = dbhtmlOf(element, "filename")?.replace(/\.\w{1,8}$/, "");
  const name = file ?? idOf(element) ?? numbered;
  const segments = `${folder}/${name}`
    .split("/")
    .filter((each) => each !== "" && each !== "." && each !== "..");
  return segments
    .join("/")
    .replace(/[\p{Cc}\s?#\\%]+/gu, "-")
    .slice(0, 300);
}

const NAMES: Readonly<Record<string, string>> = {
  bibliography: "Bibliography",
  glossary: "Glossary",
  colophon: "Colophon",
  preface: "Preface",
  dedication: "Dedication",
  acknowledgements: "Acknowledgements",
  reference: "Reference",
};

/** A title as plain words; that of a page without one says what it is. */
function wordsOf(element: DocbookElement): string {
  const title = titleOf(element);
  const words = title === undefined ? "" : lineOf(title);
  if (words === "") return NAMES[element.name] ?? "";
  return words;
}

/** What of a page's element is written, and what is a page of its own or said about it. */
export function ownContent(page: DocbookPage): DocbookElement["children"] {
  const others = new Set(page.children.map(({ element }) => element));
  return page.element.children.filter((node) => !isElement(node) || !(others.has(node) || isInfo(node.name)));
}

/** The text of a page without those below it, of which nothing is made. */
export function textOfPage({ element, children }: DocbookPage): string {
  const below = new Set(children.map((page) => page.element));
  const textIn = (node: DocbookNode): string => {
    if (!isElement(node)) return textOf(node);
    return below.has(node) ? "" : node.children.map(textIn).join("");
  };
  return textIn(element);
}
