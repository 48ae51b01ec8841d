import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { withoutPlaces } from "../anchors.ts";

/** What pages that lie together have around their own words: menus, notes, the name of the whole. No tag or class tells it. */
export interface SharedParts {
  /** Blocks of Markdown that several pages have, and lines of lists, as `keyOf` writes them. */
  blocks: ReadonlySet<string>;
  /** Headings that most pages have. */
  headings: ReadonlySet<string>;
  /** Parts of what stands in `<title>` in most pages. */
  titles: ReadonlySet<string>;
}

/** A page as it was read, for a comparison with others. */
interface ComparedPage {
  markdown: string;
  /** What stands in `<title>`. */
  headTitle: string;
}

const PAGES_MIN = 4;
/** What so many have at their ends is no page's own, though others have it cut off by their tags. */
const SEVERAL_SHARE = 0.3;
const MOST_SHARE = 0.7;
/** Blocks are looked at from both ends of a page. */
const BLOCKS_MAX = 20;
const TITLE_MARK = "(?:\\s+[|—–·•:»-]\\s+|:\\s+)";
const BETWEEN_TITLES = new RegExp(TITLE_MARK, "u");
const TITLE_MARK_FIRST = new RegExp(`^${TITLE_MARK}`, "u");
const TITLE_MARK_LAST = new RegExp(`${TITLE_MARK}$`, "u");

/** What pages have in common; undefined where they are too few to tell. */
export function findShared(pages: readonly ComparedPage[]): SharedParts | undefined {
  if (pages.length < PAGES_MIN) return undefined;
  const several = Math.max(PAGES_MIN, Math.ceil(pages.length * SEVERAL_SHARE));
  const most = Math.max(PAGES_MIN, Math.ceil(pages.length * MOST_SHARE));
  const blocks = pages.map(({ markdown }) => {
    const all = blocksOf(markdown);
    return all.length <= 2 * BLOCKS_MAX ? all : [...all.slice(0, BLOCKS_MAX), ...all.slice(-BLOCKS_MAX)];
  });
  const keys = blocks.map((all) => all.flatMap((block) => [keyOf(block), ...linesOfList(block).map(keyOf)]));
  const titles = pages.map(({ headTitle }) => headTitle.split(BETWEEN_TITLES));
  return {
    blocks: commonTo(keys, several),
    headings: commonTo(keys, most),
    titles: commonTo(titles, most),
  };
}

function commonTo(lists: readonly (readonly string[])[], most: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const list of lists)
    for (const each of new Set(list)) if (each !== "") counts.set(each, (counts.get(each) ?? 0) + 1);
  return new Set([...counts].flatMap(([each, count]) => (count >= most ? [each] : [])));
}

/** Blocks as empty lines part them, each piece of code whole. A paragraph in an item is a block as well: it does no harm here. */
function blocksOf(markdown: string): string[] {
  const blocks: string[][] = [[]];
  let fence: FenceOpening | undefined;
  for (const line of markdown.split("\n")) {
    if (fence === undefined && line === "") {
      blocks.push([]);
      continue;
    }
    fence = fenceBehind(line, fence);
    blocks.at(-1)?.push(line);
  }
  return blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
}

const linesOfList = (block: string) => (/^- /.test(block) ? block.split("\n") : []);

/** A block without what differs from page to page: where links lead, if they do, and places. */
const keyOf = (block: string) =>
  block
    .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g, "")
    .replace(/[[\]\\]/g, "")
    .replace(/\s\{#[^}\s]*\}/g, "")
    .replace(/\s+/g, " ")
    .trim();

const LINKS = /\[(?:[^[\]\\]|\\.|\[[^[\]]*\])*\]\([^()\s]*\)/g;

/** Whether a block is nothing but links, with marks between them. */
const isAllLinks = (block: string) =>
  /^[^\s\-#>|].*\]\(/.test(block) && !/[\p{L}\p{N}]/u.test(block.replace(LINKS, ""));

/** A page's own words: without the blocks at its ends that others have too. A page that has no others keeps them. */
export function withoutShared(
  markdown: string,
  shared: Omit<SharedParts, "titles">,
): { markdown: string; lostTitle: boolean } {
  const all = blocksOf(markdown).map((written) => ({ written, words: withoutPlaces(written).trim() }));
  const wordsAt = (at: number) => all[at]?.words ?? "";
  const hasOneTitle = all.filter(({ words }) => words.startsWith("# ")).length === 1;
  const isAround = (words: string) =>
    words.startsWith("#")
      ? words.startsWith("# ") && hasOneTitle && shared.headings.has(keyOf(words))
      : words === "" || isShared(words, shared.blocks);
  let from = 0;
  while (from < all.length && isAround(wordsAt(from))) from++;
  const lostTitle = all.slice(0, from).some(({ words }) => words.startsWith("# "));
  // The mark of the place that the first of its own blocks is.
  while (from > 0 && wordsAt(from - 1) === "") from--;
  let end = all.length;
  while (end > from && isAround(wordsAt(end - 1))) end--;
  // A heading with nothing below it any more.
  if (end < all.length && /^#{2,6} /.test(wordsAt(end - 1)) && shared.blocks.has(keyOf(wordsAt(end - 1))))
    end--;
  const own = withoutWays(all.slice(from, end).map(({ written }) => written));
  return own.every((block) => withoutPlaces(block).trim() === "")
    ? { markdown, lostTitle: false }
    : { markdown: own.join("\n\n"), lostTitle };
}

/** A menu is the same on every page but for the lines about the page that is shown. */
function isShared(block: string, blocks: ReadonlySet<string>): boolean {
  if (blocks.has(keyOf(block))) return true;
  const lines = linesOfList(block);
  return (
    lines.length > 2 && lines.filter((line) => blocks.has(keyOf(line))).length >= lines.length * MOST_SHARE
  );
}

/** Blocks without the links before the first words: the way to other pages, which may be at the end again. */
function withoutWays(blocks: readonly string[]): readonly string[] {
  const first = blocks.findIndex((block) => !isAllLinks(block));
  const ways = blocks.slice(0, Math.max(0, first));
  const last = blocks.at(-1) ?? "";
  const rest = blocks.slice(ways.length, ways.includes(last) ? -1 : undefined);
  const charactersOf = (list: readonly string[]) => list.reduce((sum, { length }) => sum + length, 0);
  return charactersOf(ways) < charactersOf(rest) ? rest : blocks;
}

/** A title without the parts at its ends that other pages' have too; undefined where nothing else is in it. */
export function ownTitle(headTitle: string, { titles }: Pick<SharedParts, "titles">): string | undefined {
  let own = headTitle.trim();
  while (own !== "" && !titles.has(own)) {
    const parts = own.split(BETWEEN_TITLES);
    const [first = ""] = parts;
    const last = parts.at(-1) ?? "";
    if (first !== own && titles.has(first)) own = own.slice(first.length).replace(TITLE_MARK_FIRST, "");
    else if (last !== own && titles.has(last)) own = own.slice(0, -last.length).replace(TITLE_MARK_LAST, "");
    else return own;
  }
  return undefined;
}
