import type { MenuEntry } from "../page/menu.ts";
import type { ShownEntry, Target } from "./entries.ts";
import { keyOf, type MergedEntries, type MergedEntry } from "./merge.ts";

/** What pages together showed as one menu. */
export interface Menu {
  entries: MergedEntries;
  /** How many pages have it. */
  count: number;
  /** The language of those pages; "" where they say none. */
  language: string;
  /** How often which title stood above it. */
  titles: Map<string, number>;
  /** How often which entry of the bar at the top was marked above it. */
  above: Map<string, number>;
}

/** What is below a title on so many of the pages that have it stands there. */
const STEADY_SHARE = 0.4;
const OPENED_MIN = 4;

/** The menus of a site as one, in the order of the bar at the top: each below what leads to it there. */
export function finished(
  menus: readonly Menu[],
  barOf: (language: string) => readonly ShownEntry[],
  isPage: (path: string) => boolean,
): MenuEntry[] {
  const large = menus.toSorted((a, b) => b.count - a.count);
  const byLanguage = Map.groupBy(large, ({ language }) => language);
  const made = [...byLanguage].map(([language, own]) => ({
    language,
    children: inOrder(own, barOf(language), isPage),
  }));
  const filled = made.filter(({ children }) => children.length > 0);
  const [only] = filled;
  if (only === undefined) return [];
  return filled.length === 1
    ? only.children
    : filled.map(({ language, children }): MenuEntry => ({ label: nameOf(language), language, children }));
}

/** What a language is called in itself. */
function nameOf(language: string): string {
  try {
    return capital(new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language);
  } catch {
    // No name that a language can have.
    return language;
  }
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const mostOf = (counts: ReadonlyMap<string, number>) => [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];

interface Section {
  above: string | undefined;
  title: string | undefined;
  entries: MenuEntry[];
}

function inOrder(
  menus: readonly Menu[],
  bar: readonly ShownEntry[],
  isPage: (path: string) => boolean,
): MenuEntry[] {
  const own = menus.flatMap((menu): Section[] => {
    const entries = entriesOf(menu.entries, isPage);
    return entries.length === 0 ? [] : [{ above: mostOf(menu.above), title: mostOf(menu.titles), entries }];
  });
  const named = new Set(own.flatMap(({ entries }) => pathsOf(entries)));
  const ofBar = belowBar(bar, own, (target) => {
    const page = pageOf(target, isPage);
    // A page that its own menu names is no page above it.
    return page === undefined || page === "" || named.has(page) ? undefined : page;
  });
  const inBar = keysIn(bar);
  const rest = own.filter(({ above }) => above === undefined || !inBar.has(above));
  const sections = [...ofBar, ...rest.flatMap((each) => sectionOf(each, own))];
  const [only] = own;
  // One menu that the bar only leads into is all there is.
  const isAll = own.length === 1 && pathsOf(ofBar).every((path) => named.has(path));
  return isAll && only !== undefined ? only.entries : sections;
}

/** What the bar leads to, with the menus that it leads into. */
function belowBar(
  bar: readonly ShownEntry[],
  sections: readonly Section[],
  pathFor: (target: Target | undefined) => string | undefined,
): MenuEntry[] {
  return bar.flatMap((entry): MenuEntry[] => {
    const own = sections.filter(({ above }) => above === keyOf(entry)).flatMap(({ entries }) => entries);
    const children = [...own, ...belowBar(entry.children, sections, pathFor)];
    const path = pathFor(entry.target);
    if (children.length === 0 && path === undefined) return [];
    return [{ label: entry.label, ...(path !== undefined && { path }), children }];
  });
}

const keysIn = (entries: readonly ShownEntry[]): Set<string> =>
  new Set(entries.flatMap((entry) => [keyOf(entry), ...keysIn(entry.children)]));

/** A menu beside others: called by its title, or after its folder where they share that. */
function sectionOf({ title, entries }: Section, all: readonly Section[]): MenuEntry[] {
  if (all.length === 1) return entries;
  const isOwn = title !== undefined && all.filter((each) => each.title === title).length === 1;
  const label = isOwn ? title : nameOfFolder(pathsOf(entries));
  return label === "" ? entries : [{ label, children: entries }];
}

/** What the folder that pages lie in is called. */
function nameOfFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const parts = [...first];
  const common = parts.filter((part, index) => others.every((other) => other[index] === part));
  return capital((common.at(-1) ?? "").replace(/[-_]+/g, " "));
}

function entriesOf(merged: MergedEntries, isPage: (path: string) => boolean): MenuEntry[] {
  const steady = new Map([...merged].filter(([, entry]) => isSteady(entry)));
  const top = listOf(steady, isPage);
  const [only] = top;
  const isTitle = top.length === 1 && only?.path === undefined && only?.href === undefined;
  return isTitle && only !== undefined ? only.children : top;
}

function listOf(merged: MergedEntries, isPage: (path: string) => boolean): MenuEntry[] {
  return [...merged.values()].flatMap((entry): MenuEntry[] => {
    const children = listOf(entry.children, isPage);
    const { label, target } = entry;
    const href = target !== undefined && "href" in target ? target.href : undefined;
    const path = pageOf(target, isPage);
    if (path === undefined && href === undefined && children.length === 0) return [];
    // What leads to the first of its own entries has no page.
    const isOwn = path !== undefined && children[0]?.path !== path;
    return [{ label, ...(isOwn && { path }), ...(href !== undefined && { href }), children }];
  });
}

/**
 * Whether what is below a title is part of a menu. What never holds the page that shows it, and is another thing on each page,
 * as the way to the next one, is none.
 */
function isSteady({ target, opened, held, children }: MergedEntry): boolean {
  if (target !== undefined || opened < OPENED_MIN || held > 0) return true;
  const shown = leavesOf(children).map((leaf) => leaf.shown / opened);
  return shown.filter((share) => share >= STEADY_SHARE).length * 2 >= shown.length;
}

const leavesOf = (entries: MergedEntries): MergedEntry[] =>
  [...entries.values()].flatMap((entry) => (entry.children.size === 0 ? [entry] : leavesOf(entry.children)));

const pageOf = (target: Target | undefined, isPage: (path: string) => boolean) =>
  target !== undefined && "path" in target && isPage(target.path) ? target.path : undefined;

const pathsOf = (entries: readonly MenuEntry[]): string[] =>
  entries.flatMap(({ path, children }) => [...(path === undefined ? [] : [path]), ...pathsOf(children)]);
