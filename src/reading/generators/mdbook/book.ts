import { asRecord, asText } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { askOfPrograms, readConfig } from "../config/config.ts";
import type { LeftOut, Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { type LinkListEntry, readLinkList } from "../writing/writing.ts";

/** A page of a book. */
export interface Chapter {
  location: string;
  path: string;
  /** In the menu. */
  label: string;
}

/** A book as its configuration and its list of chapters say it is. */
export interface Book {
  title: string;
  /** The folder of its pages. */
  sourceFolder: string;
  chapters: Chapter[];
  menu: MenuEntry[];
  leftOut: LeftOut[];
  redirects: { from: string; to: string }[];
  /** Whether `--` in headings is made a dash. */
  isSmart: boolean;
  hasDefinitionLists: boolean;
  unknowns: Unknown[];
}

/** Preprocessors whose marks are known, or that change no pages. */
const KNOWN = [
  "links",
  "index",
  "admonish",
  "toc",
  "mermaid",
  "katex",
  "trpl-note",
  "trpl-listing",
  "trpl-figure",
];

/** The book of a folder, undefined where there is none. */
export async function readBook(tree: DocsTree, root: string): Promise<Book | undefined> {
  const file = await readConfig(tree, joinLocation(root, "book.toml"));
  const config = asRecord(file?.value);
  const book = asRecord(config["book"]);
  const html = asRecord(asRecord(config["output"])["html"]);
  const sourceFolder =
    file === undefined ? root : (resolveLocation(root, asText(book["src"]) ?? "src") ?? "..");
  const place = joinLocation(sourceFolder, "SUMMARY.md");
  const summary = await tree.text(place);
  if (summary === undefined || (file === undefined && !maybeOurs(tree, root, summary))) return undefined;
  const unknowns: Unknown[] = file === undefined ? [WHICH_PROGRAM] : [];
  if (file?.fault !== undefined) unknowns.push({ question: file.fault, guess: "the defaults" });
  const programs = Object.keys(asRecord(config["preprocessor"])).filter((name) => !KNOWN.includes(name));
  unknowns.push(...askOfPrograms(programs));
  const [first, ...rest] = readLinkList(summary);
  // The first title is that of the list itself.
  const list = first?.kind === "title" ? rest : [first, ...rest].filter((entry) => entry !== undefined);
  const reading: Reading = { tree, sourceFolder, chapters: new Map(), leftOut: [] };
  const menu = inParts(list, reading);
  const chapters = [...reading.chapters.values()];
  const leftOut = [...reading.leftOut, ...unlisted(tree, sourceFolder, reading.chapters)];
  if (file === undefined && !listsMost(chapters, leftOut)) return undefined;
  return {
    title: asText(book["title"]) ?? "",
    sourceFolder,
    chapters,
    menu,
    leftOut,
    redirects: redirectsOf(html, chapters),
    hasDefinitionLists: html["definition-lists"] !== false,
    isSmart: html["smart-punctuation"] !== false && html["curly-quotes"] !== false,
    unknowns,
  };
}

/** Where only the folder of pages is named, and not the one above it, which has the configuration. */
const WHICH_PROGRAM: Unknown = {
  question:
    "Which program makes this book, and with which settings? The folder above, which may say it, is not part of this source.",
  guess: "mdBook, with the defaults",
};

const OTHERS_FILES = ["book.json", "book.js", ".gitbook.yaml", ".gitbook.yml", "package.json"];

/** Whether nothing beside a list of chapters, or above it, nor its title says that it is another book's. */
const maybeOurs = (tree: DocsTree, root: string, summary: string) =>
  !(root !== "" && tree.has(joinLocation(folderOf(root), "book.toml"))) &&
  !/^\s*# Table of contents[ \t]*$/m.test(summary.slice(0, 500)) &&
  !OTHERS_FILES.some((name) => tree.has(joinLocation(root, name)));

/** Whether a list names most of the pages beside it: a page that is called Summary does not. */
const listsMost = (chapters: readonly Chapter[], leftOut: readonly LeftOut[]) =>
  chapters.length > 0 && chapters.length >= leftOut.filter(({ location }) => location.endsWith(".md")).length;

interface Reading {
  tree: DocsTree;
  sourceFolder: string;
  chapters: Map<string, Chapter>;
  leftOut: LeftOut[];
}

/** A title begins a part, which is a group of what follows it. */
function inParts(list: readonly LinkListEntry[], reading: Reading): MenuEntry[] {
  const menu: MenuEntry[] = [];
  let part: MenuEntry[] = menu;
  for (const entry of list) {
    if (entry.kind === "title") {
      part = [];
      menu.push({ label: entry.label, children: part });
    } else part.push(entryOf(entry, reading));
  }
  return menu;
}

function entryOf({ label, href, children }: LinkListEntry, reading: Reading): MenuEntry {
  const chapter = href === undefined || href === "" ? undefined : chapterOf(label, href, reading);
  return {
    label,
    ...(chapter === undefined ? {} : { path: chapter.path }),
    children: children.map((child) => entryOf(child, reading)),
  };
}

function chapterOf(label: string, href: string, reading: Reading): Chapter | undefined {
  const { tree, sourceFolder, chapters, leftOut } = reading;
  const location = resolveLocation(sourceFolder, `./${href}`);
  if (location === undefined) return undefined;
  const known = chapters.get(location);
  if (known !== undefined) return known;
  if (!tree.has(location)) {
    leftOut.push({ location, detail: "is listed in SUMMARY.md, and is not in this source" });
    return undefined;
  }
  const below = sourceFolder === "" ? location : location.slice(sourceFolder.length + 1);
  const stem = stemOf(nameOf(below));
  const isIndex = stem.toLowerCase() === "readme" || stem === "index";
  const path = isIndex ? folderOf(below) : joinLocation(folderOf(below), `${stem}.html`);
  const chapter = { location, path, label };
  chapters.set(location, chapter);
  return chapter;
}

/** Only what is listed is published. */
function unlisted(tree: DocsTree, folder: string, chapters: ReadonlyMap<string, Chapter>): LeftOut[] {
  return tree.below(folder).flatMap((location) => {
    if (!location.endsWith(".md") || chapters.has(location)) return [];
    const isMenu = location === joinLocation(folder, "SUMMARY.md");
    return [{ location, detail: isMenu ? "is the menu" : "is not listed in SUMMARY.md" }];
  });
}

function redirectsOf(
  html: Readonly<Record<string, unknown>>,
  chapters: readonly Chapter[],
): { from: string; to: string }[] {
  const [first] = chapters;
  const hasHome = chapters.some(({ path }) => path === "");
  // The first chapter is what a book opens with.
  const home = first === undefined || hasHome ? [] : [{ from: "", to: `/${first.path}` }];
  const said = Object.entries(asRecord(html["redirect"])).flatMap(([from, target]) => {
    const to = asText(target);
    const path = from.replace(/^\//, "").replace(/(^|\/)index\.html$/, "");
    const place =
      to === undefined || /^(?:[a-z]+:|\/)/.test(to) ? undefined : resolveLocation(folderOf(path), to);
    return to === undefined ? [] : [{ from: path, to: place === undefined ? to : `/${place}` }];
  });
  return [...home, ...said];
}
