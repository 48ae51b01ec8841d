import { isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { folderOf, nameOf } from "../docs-tree.ts";
import { type ContentPage, wordOf } from "./content.ts";
import type { HugoSettings } from "./settings.ts";

/** A folder that is a list of pages: one with an `_index.md`, or one at the top. */
interface Section {
  folder: string;
  page: ContentPage | undefined;
  pages: ContentPage[];
  sections: Section[];
}

/** What order is made from. */
interface Sortable {
  weight: number;
  date: number;
  label: string;
  path: string;
  entry: MenuEntry;
}

/** The menu of one language, as the usual themes make it: by weight, then the newest, then by name. */
export function menuOf(
  pages: readonly ContentPage[],
  paths: ReadonlyMap<ContentPage, string>,
  languageCode: string,
  settings: HugoSettings,
): MenuEntry[] {
  return entriesOf(sectionsOf(pages), { paths, collator: collatorOf(languageCode), settings });
}

/** A site may call its languages what it likes. */
function collatorOf(languageCode: string): Intl.Collator {
  try {
    return new Intl.Collator(languageCode);
  } catch {
    return new Intl.Collator("en");
  }
}

interface MenuSource {
  paths: ReadonlyMap<ContentPage, string>;
  collator: Intl.Collator;
  settings: HugoSettings;
}

function sectionsOf(pages: readonly ContentPage[]): Section {
  const home: Section = {
    folder: "",
    page: pages.find(({ kind }) => kind === "home"),
    pages: [],
    sections: [],
  };
  const byFolder = new Map([["", home]]);
  const add = (folder: string, page: ContentPage | undefined) => {
    if (!byFolder.has(folder)) byFolder.set(folder, { folder, page, pages: [], sections: [] });
  };
  for (const page of pages) if (page.kind === "section") add(page.folder, page);
  for (const page of pages) {
    const top = page.folder.split("/", 1)[0] ?? "";
    const isBundleAtTop = page.name === "index" && page.folder === top;
    if (top !== "" && page.kind === "page" && !isBundleAtTop) add(top, undefined);
  }
  const above = (folder: string): Section => {
    for (let at = folder; at !== ""; at = folderOf(at)) {
      const found = byFolder.get(at);
      if (found !== undefined) return found;
    }
    return home;
  };
  for (const section of byFolder.values())
    if (section !== home) above(folderOf(section.folder)).sections.push(section);
  for (const page of pages)
    if (page.kind === "page")
      above(page.name === "index" ? folderOf(page.folder) : page.folder).pages.push(page);
  return home;
}

function entriesOf(section: Section, source: MenuSource): MenuEntry[] {
  const { paths, collator, settings } = source;
  const pages = section.pages.filter(isInMenu).map((page) => sortableOf(page, paths, []));
  const sections = section.sections
    .filter(({ page }) => page === undefined || isInMenu(page))
    .map((inner): Sortable => {
      const children = entriesOf(inner, source);
      if (inner.page !== undefined)
        return { ...sortableOf(inner.page, paths, children), date: inner.page.date ?? newestIn(inner) };
      const label = titleOfFolder(nameOf(inner.folder), settings.hasPluralTitles);
      return {
        weight: 0,
        date: newestIn(inner),
        label,
        path: `/${inner.folder}`,
        entry: { label, children },
      };
    });
  return [...pages, ...sections]
    .sort((a, b) => byOrder(a, b, collator))
    .flatMap(({ entry }) => (entry.label === "" && entry.children.length === 0 ? [] : entry));
}

function sortableOf(
  page: ContentPage,
  paths: ReadonlyMap<ContentPage, string>,
  children: MenuEntry[],
): Sortable {
  const path = paths.get(page);
  const href = wordOf(page.data["manuallink"]);
  const leads = href === undefined ? (path === undefined ? {} : { path }) : { href };
  const entry: MenuEntry = { label: page.menuLabel, children };
  return {
    weight: page.weight,
    date: page.date ?? Number.NEGATIVE_INFINITY,
    // White space before a title counts for its place, and is not shown.
    label: wordOf(page.data["linktitle"]) ?? wordOf(page.data["title"]) ?? page.menuLabel,
    path: `/${page.logicalPath}`,
    entry: Object.assign(entry, leads),
  };
}

/** The names by which the usual themes keep a page out of the menu. */
const HIDING = ["toc_hide", "bookhidden", "geekdochidden", "hidden"];

function isInMenu({ data, isListed }: ContentPage): boolean {
  const { sidebar } = data;
  const isExcluded = isRecord(sidebar) && sidebar["exclude"] === true;
  return isListed && !isExcluded && !HIDING.some((name) => data[name] === true);
}

/** A section without a date has that of the newest page in it. */
function newestIn({ pages, sections }: Section): number {
  const dates = pages.map(({ date }) => date ?? Number.NEGATIVE_INFINITY);
  return Math.max(
    Number.NEGATIVE_INFINITY,
    ...dates,
    ...sections.map((each) => each.page?.date ?? newestIn(each)),
  );
}

function byOrder(a: Sortable, b: Sortable, collator: Intl.Collator): number {
  if (a.weight !== b.weight) return a.weight === 0 ? 1 : b.weight === 0 ? -1 : a.weight - b.weight;
  if (a.date !== b.date) return a.date > b.date ? -1 : 1;
  return collator.compare(a.label, b.label) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** The title of a folder at the top without a page of its own. */
function titleOfFolder(name: string, isPlural: boolean): string {
  const title = name.replace(/[-_]/g, " ").replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
  return isPlural ? pluralOf(title) : title;
}

/** The plural of an English word, as far as its end tells. */
function pluralOf(word: string): string {
  if (/s$/i.test(word)) return word;
  if (/(?:x|z|ch|sh)$/i.test(word)) return `${word}es`;
  return /[^aeiou]y$/i.test(word) ? word.replace(/y$/i, "ies") : `${word}s`;
}
