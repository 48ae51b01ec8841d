import {
  attribute,
  classesOf,
  type HtmlElement,
  parentOf,
  parseHtml,
  walkNodes,
} from "../markdown/html/html.ts";
import { entriesIn, type ShownEntries, type Target } from "./entries.ts";

/** A list of links that a page shows beside its words. */
export interface Block extends ShownEntries {
  /** Whether it is in the bar at the top. */
  isBar: boolean;
}

/** What one page shows of menus. */
export interface PageBlocks {
  blocks: Block[];
  /** Where the menu is, where the page only frames it. */
  frame: string | undefined;
  language: string | undefined;
}

interface Found {
  blocks: { element: HtmlElement; isBar: boolean }[];
  frame: string | undefined;
  holders: Set<HtmlElement>;
}

const LISTS = new Set(["ul", "ol", "menu"]);
const LANDMARK_ROLES = new Set(["navigation", "tree", "complementary"]);
/** What holds no menu of the site, whatever is in it. */
const OUTSIDE = new Set("footer template script style dialog pre table".split(" "));
const OUTSIDE_ROLES = new Set(["contentinfo", "search", "dialog"]);
const WAY_HERE = /breadcrumb/i;

/** The lists of links of a page. `frames` asks for all of a page that is shown inside of others. */
export function blocksOf(
  html: string,
  page: { path: string; resolve(href: string): Target | undefined },
  { isFrame = false } = {},
): PageBlocks {
  const root = parseHtml(html);
  if (root === undefined) return { blocks: [], frame: undefined, language: undefined };
  const found = findBlocks(root);
  const apart = new Set(found.blocks.map(({ element }) => element));
  const holds = (element: HtmlElement) => found.holders.has(element);
  const read = (element: HtmlElement, isApart: (each: HtmlElement) => boolean) =>
    entriesIn(element, { ...page, holds, isApart });
  const blocks = isFrame
    ? [{ ...read(root, () => false), isBar: false }]
    : found.blocks.map(({ element, isBar }) => ({
        ...read(element, (each) => each !== element && apart.has(each)),
        isBar,
      }));
  return { blocks, frame: found.frame, language: attribute(root, "lang")?.trim() || undefined };
}

/** Finds what may be a menu: landmarks, and lists that are in none and outside of the page's words. */
function findBlocks(root: HtmlElement): Found {
  const found: Found = { blocks: [], frame: undefined, holders: new Set() };
  // How many of each are open around what is visited.
  const open = { landmarks: 0, words: 0, lists: 0, bars: 0 };
  const closing = new Map<HtmlElement, () => void>();
  const enterInto = (element: HtmlElement, what: keyof typeof open, isSo: boolean) => {
    if (!isSo) return;
    open[what] += 1;
    const before = closing.get(element);
    closing.set(element, () => {
      open[what] -= 1;
      before?.();
    });
  };
  walkNodes([root], {
    enter(element) {
      if (isOutside(element)) return false;
      const { tagName } = element;
      if (tagName === "a" || LISTS.has(tagName)) markHolders(element, found.holders);
      if (tagName === "iframe" && open.landmarks > 0) found.frame ??= attribute(element, "src");
      const isLandmark = isNavigation(element);
      const isList = LISTS.has(tagName);
      // One inside of an item is a part of the list.
      const isBlock =
        open.lists === 0 && (isLandmark || (isList && open.landmarks === 0 && open.words === 0));
      if (isBlock) found.blocks.push({ element, isBar: open.bars > 0 });
      enterInto(element, "landmarks", isLandmark);
      enterInto(element, "lists", isList);
      enterInto(
        element,
        "words",
        /^(?:main|article)$/.test(tagName) || attribute(element, "role") === "main",
      );
      const isBar = tagName === "header" || attribute(element, "role") === "banner";
      enterInto(element, "bars", isBar && open.landmarks === 0 && open.words === 0);
      return true;
    },
    leave(element) {
      closing.get(element)?.();
    },
  });
  return found;
}

const isNavigation = (element: HtmlElement) =>
  element.tagName === "nav" ||
  element.tagName === "aside" ||
  LANDMARK_ROLES.has(attribute(element, "role") ?? "");

const isOutside = (element: HtmlElement) =>
  OUTSIDE.has(element.tagName) ||
  OUTSIDE_ROLES.has(attribute(element, "role") ?? "") ||
  WAY_HERE.test(attribute(element, "aria-label") ?? "") ||
  classesOf(element).some((name) => WAY_HERE.test(name));

function markHolders(element: HtmlElement, holders: Set<HtmlElement>): void {
  holders.add(element);
  for (let outer = parentOf(element); outer && !holders.has(outer); outer = parentOf(outer))
    holders.add(outer);
}
