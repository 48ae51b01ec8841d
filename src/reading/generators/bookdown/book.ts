import {
  createPandocNames,
  labelsOn,
  type PandocHeading,
  pandocFacts,
  pandocLines,
  type Reference,
  splitPandoc,
  wordsOf,
} from "../../markdown/pandoc/pandoc.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { type DocsTree, nameOf, stemOf } from "../docs-tree.ts";
import { withQuartoIncludes } from "../quarto/quarto.ts";
import type { BookdownSettings } from "./settings.ts";

/** A page of a book: a chapter or a section with what is below its heading. */
export interface BookPage {
  location: string;
  path: string;
  title: string | undefined;
  /** In the menu. */
  label: string | undefined;
  level: number;
  /** Its lines in the whole book. */
  start: number;
  end: number;
  /** The ids of its headings, in order. */
  ids: string[];
  /** The part that begins right before it. */
  part: string | undefined;
}

/** A book whose files are put together, as bookdown does before anything is made of them. */
export interface Book {
  lines: string[];
  pages: BookPage[];
  places: ReadonlyMap<string, Reference & { path: string }>;
  faults: ReadonlyMap<string, string[]>;
}

const PART = /^\((?:PART|APPENDIX)(?:\\?\*)?\)[ \t]*(.*)$/;

export async function readBook(tree: DocsTree, settings: BookdownSettings): Promise<Book> {
  const { lines, starts, faults } = await mergedFiles(tree, settings);
  const { headings } = pandocFacts(lines, createPandocNames());
  const isPart = ({ source }: PandocHeading) => PART.test(source);
  const pages = pagesOf({ settings, starts, headings, isPart, length: lines.length });
  const pageAt = createPageAt(pages);
  const places = new Map<string, Reference & { path: string }>();
  for (const heading of headings) {
    const page = isPart(heading) ? undefined : pageAt(heading.start);
    if (page === undefined || places.has(heading.id)) continue;
    places.set(heading.id, { href: `/${page.path}#${heading.id}`, words: wordsOf(heading), path: page.path });
  }
  for (const [index, line] of lines.entries())
    for (const label of labelsOn(line)) {
      const page = places.has(label) ? undefined : pageAt(index);
      if (page !== undefined) places.set(label, { href: `/${page.path}#${label}`, path: page.path });
    }
  // What begins a part stands on no page.
  for (const heading of headings.filter(isPart)) lines.fill("", heading.start, heading.end);
  return { lines, pages, places, faults };
}

interface Merged {
  lines: string[];
  /** The line on which each file begins. */
  starts: { location: string; line: number }[];
  faults: Map<string, string[]>;
}

async function mergedFiles(tree: DocsTree, { files, root }: BookdownSettings): Promise<Merged> {
  const merged: Merged = { lines: [], starts: [], faults: new Map() };
  for (const location of files) {
    const { text, faults } = await withQuartoIncludes(tree, {
      location,
      text: (await tree.text(location)) ?? "",
      root,
    });
    const { body, fault } = splitPandoc(text);
    merged.starts.push({ location, line: merged.lines.length });
    merged.faults.set(location, [...(fault === undefined ? [] : [fault]), ...faults]);
    for (const line of pandocLines(body)) merged.lines.push(line);
    merged.lines.push("");
  }
  return merged;
}

interface Splitting {
  settings: BookdownSettings;
  starts: Merged["starts"];
  headings: readonly PandocHeading[];
  isPart(heading: PandocHeading): boolean;
  length: number;
}

function pagesOf({ settings, starts, headings, isPart, length }: Splitting): BookPage[] {
  const { splitLevel, isByFile, front } = settings;
  const title = typeof front["title"] === "string" ? front["title"] : undefined;
  const fileAt = (line: number) => starts.findLast((file) => file.line <= line)?.location ?? "";
  const isIndex = /^index\./i.test(nameOf(starts[0]?.location ?? ""));
  const pages: BookPage[] = [];
  const numberOf = createNumbers();
  let part: string | undefined;
  const begin = (start: number, path: string, heading: PandocHeading | undefined, location: string) => {
    const isHome = pages.length === 0 && (isIndex || splitLevel === 0);
    const words = heading === undefined ? undefined : wordsOf(heading);
    pages.push({
      location,
      path: isHome && isIndex ? "" : path,
      title: isHome ? (title ?? words) : words,
      label: words ?? title,
      level: heading?.level ?? 1,
      start: pages.length === 0 ? 0 : start,
      end: length,
      ids: [],
      part,
    });
    part = undefined;
  };
  if (splitLevel === 0) begin(0, `${settings.fileName}.html`, undefined, starts[0]?.location ?? "");
  if (isByFile)
    for (const { location, line } of starts)
      begin(
        line,
        `${stemOf(nameOf(location))}.html`,
        headings.find(({ start }) => start >= line),
        location,
      );
  for (const heading of headings) {
    const number = isPart(heading) ? undefined : numberOf(heading);
    if (isPart(heading)) {
      part = PART.exec(heading.source)?.[1]
        ?.replace(/(?<!\s)\s*\{[^{}]*\}$/, "")
        .trim();
      if (/^\(APPENDIX/.test(heading.source)) numberOf.toAppendix();
    } else if (!isByFile && heading.level <= splitLevel) {
      const name = [...(settings.hasNumbers && number !== undefined ? [number] : []), heading.id].join("-");
      begin(heading.start, `${name.slice(name.lastIndexOf("/") + 1)}.html`, heading, fileAt(heading.start));
    }
  }
  if (pages.length === 0) begin(0, "index.html", undefined, starts[0]?.location ?? "");
  for (const [index, page] of pages.entries()) page.end = pages[index + 1]?.start ?? length;
  const pageAt = createPageAt(pages);
  for (const heading of headings) if (!isPart(heading)) pageAt(heading.start)?.ids.push(heading.id);
  return distinct(pages);
}

const distinct = (pages: readonly BookPage[]): BookPage[] => {
  const paths = new Set<string>();
  return pages.filter(({ path }) => !paths.has(path) && paths.add(path));
};

/** The numbers of sections, `2.1`, and of those in the appendix, `A.1`. */
function createNumbers() {
  const counts: number[] = [];
  let isAppendix = false;
  const numberOf = ({ level, classes }: PandocHeading): string | undefined => {
    if (classes.includes("unnumbered")) return undefined;
    counts.length = Math.min(counts.length, level);
    while (counts.length < level) counts.push(0);
    counts[level - 1] = (counts[level - 1] ?? 0) + 1;
    const [chapter = 0, ...sections] = counts;
    return [isAppendix ? String.fromCharCode(64 + chapter) : String(chapter), ...sections].join(".");
  };
  return Object.assign(numberOf, {
    toAppendix() {
      isAppendix = true;
      counts.length = 0;
    },
  });
}

function createPageAt(pages: readonly BookPage[]): (line: number) => BookPage | undefined {
  return (line) => {
    let low = 0;
    let high = pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pages[middle]?.start ?? 0) <= line) low = middle + 1;
      else high = middle;
    }
    return pages[low - 1];
  };
}

/** The chapters in their parts, with their sections where these are pages. */
export function menuOf(pages: readonly BookPage[]): MenuEntry[] {
  const menu: MenuEntry[] = [];
  let part: MenuEntry[] = menu;
  let chapter: MenuEntry[] | undefined;
  for (const page of pages) {
    if (page.part !== undefined && page.part !== "") {
      part = [];
      menu.push({ label: page.part, children: part });
    }
    const entry = { label: page.label ?? page.path, path: page.path, children: [] };
    if (page.level > 1 && chapter !== undefined) chapter.push(entry);
    else {
      part.push(entry);
      chapter = entry.children;
    }
  }
  return menu;
}
