import type { MenuEntry } from "../page/menu.ts";
import type { Block, PageBlocks } from "./blocks.ts";
import type { ShownEntry } from "./entries.ts";
import { finished, type Menu } from "./finish.ts";
import { holds, keyOf, mergeInto, newRoom, pathsIn, type Room } from "./merge.ts";

export { blocksOf, type PageBlocks } from "./blocks.ts";
export type { Target } from "./entries.ts";
export { createLinkPlaces, type LinkPlaces } from "./link-places.ts";

/*
 * The menu of a site from its pages as they were built. A menu is a list of links beside the words of a page which holds
 * the page itself: that tells it from links at the foot of a page, to the pages before and after, and to places within
 * it. What is closed on one page is open on another: pages together show all.
 */

/** Hears what pages show, one after the other, and says which menu they have. */
export interface MenuCollector {
  /** Adds a page. Returns whether it showed something that no page before it did. */
  add(path: string, shown: PageBlocks): boolean;
  /** Adds a page that is nothing but a menu. */
  addWhole(shown: PageBlocks): void;
  /** The menu of the pages; undefined where they show none. */
  menu(isPage: (path: string) => boolean): MenuEntry[] | undefined;
}

/** A menu of several pages: those of one part of a site have one of their own. */
interface Group extends Menu {
  /** What stands at its top. */
  tops: Set<string>;
}

const GROUPS_MAX = 200;
const BARS_MAX = 50;
/** So many of the pages that were looked at have to be in their own menus. */
const SHARE_MIN = 0.5;
/** So much of what stands at the top of two menus is the same, where they are one. */
const SAME_SHARE = 0.6;

export function createMenuCollector(): MenuCollector {
  const groups: Group[] = [];
  const inBars: Group[] = [];
  const bars: Bars = new Map();
  const room = newRoom();
  let pages = 0;
  return {
    add(path, { blocks: shown, language = "" }) {
      pages += 1;
      const left = room.entries;
      const blocks = withCopies(shown);
      const bar = barOf(blocks);
      if (bar !== undefined) noteBar(bars, bar, language);
      const chosen = menuAmong(blocks, path);
      if (chosen === undefined) return false;
      const group = groupOf(chosen.isBar ? inBars : groups, chosen, language);
      if (group === undefined) return false;
      addTo(group, chosen, { path, bar, room });
      return room.entries !== left;
    },
    addWhole({ blocks, language = "" }) {
      pages += 1;
      for (const block of blocks) {
        const group = groupOf(groups, block, language);
        if (group !== undefined) addTo(group, block, { path: "", bar: undefined, room });
      }
    },
    menu(isPage) {
      const inMenus = [...groups, ...inBars].reduce((sum, { count }) => sum + count, 0);
      if (pages === 0 || inMenus < pages * SHARE_MIN) return undefined;
      const hasBeside = groups.length > 0;
      const barFor = (language: string) => (hasBeside ? commonBar(bars, language) : []);
      const menu = finished(hasBeside ? groups : inBars, barFor, isPage);
      return menu.length === 0 ? undefined : menu;
    },
  };
}

/** The bar at the top with most links. */
function barOf(blocks: readonly Block[]): ShownEntry[] | undefined {
  const [largest] = blocks
    .filter(({ isBar, entries }) => isBar && entries.length > 1)
    .sort((a, b) => b.entries.length - a.entries.length);
  return largest?.entries;
}

/** The bars of pages, with how many of them have one, and their language. */
type Bars = Map<string, { entries: ShownEntry[]; language: string; count: number }>;

function noteBar(bars: Bars, entries: ShownEntry[], language: string): void {
  const key = [language, ...entries.map(keyOf)].join();
  const known = bars.get(key);
  if (known !== undefined) known.count += 1;
  else if (bars.size < BARS_MAX) bars.set(key, { entries, language, count: 1 });
}

/** The bar that most pages of a language have. */
function commonBar(bars: Bars, language: string): ShownEntry[] {
  const own = [...bars.values()].filter((bar) => bar.language === language);
  return own.sort((a, b) => b.count - a.count)[0]?.entries ?? [];
}

/**
 * The list on a page that is its menu: of those that hold the page itself, or else mark the way to it, the one with most pages,
 * beside its words first.
 */
function menuAmong(blocks: readonly Block[], path: string): Block | undefined {
  const own = blocks.flatMap((block) => {
    const entries = withoutPlaces(block.entries, [path]);
    const pages = pathsIn(entries);
    const isHolder = holds(entries, path);
    const isMenu = pages.size > 1 && !areEditions(pages, path);
    // A deep page is not in a menu that shows the first levels alone.
    const isWay = !block.isBar && markedIn(entries) !== undefined;
    return isMenu && (isHolder || isWay)
      ? [{ block: { ...block, entries }, isHolder, size: pages.size }]
      : [];
  });
  const [best] = own.sort(
    (a, b) =>
      Number(b.isHolder) - Number(a.isHolder) ||
      Number(a.block.isBar) - Number(b.block.isBar) ||
      b.size - a.size,
  );
  return best?.block;
}

/** Entries without those that lead to places within a page that stands above them, or within the page that is shown. */
function withoutPlaces(entries: readonly ShownEntry[], above: readonly string[]): ShownEntry[] {
  return entries.flatMap((entry): ShownEntry[] => {
    const { target } = entry;
    const path = target !== undefined && "path" in target ? target.path : undefined;
    const isPlace = target !== undefined && "path" in target && target.anchor !== "";
    const children = withoutPlaces(entry.children, path === undefined ? above : [...above, path]);
    if (isPlace && path !== undefined && above.includes(path)) return children;
    return [{ ...entry, children }];
  });
}

/** Whether pages are one in other languages or versions: the last part of their paths is that of this page. */
function areEditions(pages: ReadonlySet<string>, path: string): boolean {
  const parts = path.split("/");
  const others = [...pages].filter((each) => each !== path);
  const editions = others.filter((each) => {
    const theirs = each.split("/");
    if (path === "") return false;
    const isLonger = Math.abs(theirs.length - parts.length) === 1;
    const [short, long] = theirs.length < parts.length ? [theirs, parts] : [parts, theirs];
    if (isLonger) return short.every((part, index) => part === long[index + 1]);
    return (
      theirs.length === parts.length &&
      parts.filter((part, index) => part !== theirs[index]).length === 1 &&
      theirs.at(-1) === parts.at(-1)
    );
  });
  return editions.length * 2 > others.length;
}

/** Blocks with those as bars that only repeat one: small screens have what is in the bar elsewhere. */
function withCopies(blocks: readonly Block[]): Block[] {
  const bars = blocks.flatMap(({ isBar, entries }) => (isBar ? [pathsIn(entries)] : []));
  return blocks.map((block) => {
    const own = pathsIn(block.entries);
    const isCopy = bars.some((bar) => bar.size > 0 && bar.size >= own.size && own.isSubsetOf(bar));
    return { ...block, isBar: block.isBar || isCopy };
  });
}

/** What stands at the top of a menu: pages, and titles with the first page below them. */
function topsOf(entries: readonly ShownEntry[]): Set<string> {
  return new Set(
    entries.flatMap((entry) => {
      if (entry.target !== undefined) return [keyOf(entry)];
      const [first] = pathsIn(entry.children);
      return first === undefined ? [] : [JSON.stringify([entry.label, first])];
    }),
  );
}

function groupOf(groups: Group[], { entries }: Block, language: string): Group | undefined {
  const tops = topsOf(entries);
  const found = groups.find((group) => {
    if (group.language !== language) return false;
    const same = tops.intersection(group.tops).size;
    return same >= SAME_SHARE * Math.min(tops.size, group.tops.size) && same > 0;
  });
  if (found !== undefined || groups.length >= GROUPS_MAX) return found;
  const made: Group = { tops, entries: new Map(), count: 0, language, titles: new Map(), above: new Map() };
  groups.push(made);
  return made;
}

interface Adding {
  path: string;
  bar: readonly ShownEntry[] | undefined;
  room: Room;
}

function addTo(group: Group, { entries, title }: Block, { path, bar = [], room }: Adding): void {
  group.count += 1;
  for (const top of topsOf(entries)) group.tops.add(top);
  if (title !== undefined) count(group.titles, title);
  const above = markedIn(bar);
  if (above !== undefined) count(group.above, keyOf(above));
  mergeInto(group.entries, entries, path, room);
}

/** The innermost entry that a page marks as the way to it. */
function markedIn(entries: readonly ShownEntry[]): ShownEntry | undefined {
  for (const entry of entries) {
    const found = markedIn(entry.children) ?? (entry.isMarked ? entry : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
