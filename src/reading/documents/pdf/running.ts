import { usualOf } from "./headings.ts";
import type { Block } from "./page/page.ts";

/** What stands on one height at the top or bottom of a page. */
interface Edge {
  page: number;
  y: number;
  end: "top" | "bottom";
  /** How far from the end of the page: 0 is the outermost. */
  depth: number;
  blocks: Block[];
  text: string;
}

const DEPTH = 3;
const REPEATS_MIN = 3;
const SLOT_PAGES_MIN = 6;

/** Finds the lines that only repeat on page after page: running titles, footers, and numbers that count the pages. */
export function runningBlocks(pages: readonly (readonly Block[])[]): Set<Block> {
  const usual = usualOf(pages.flat()).size;
  /** A title in large letters is worth to be read once, on however many pages it stands. */
  const isTitle = ({ end, blocks }: Edge) =>
    end === "top" && blocks.some((block) => block.kind === "line" && block.size > 1.15 * usual);
  const edges = pages.flatMap((blocks) => edgesOf(blocks));
  const running = new Set<Block>();
  for (const edge of pageNumbers(edges, pages.length)) for (const block of edge.blocks) running.add(block);
  for (const edge of slots(edges, pages.length).filter((each) => !isTitle(each)))
    for (const block of edge.blocks) running.add(block);
  for (const group of groups(edges)) {
    if (group.length < REPEATS_MIN || !isConstant(group)) continue;
    // A title that some pages share is worth to be read once; what stands on most pages is not.
    const kept = group.length < 0.5 * pages.length || group.some(isTitle) ? 1 : 0;
    for (const edge of group.slice(kept)) for (const block of edge.blocks) running.add(block);
  }
  // A page that holds nothing else says just that.
  for (const blocks of pages)
    if (blocks.every((block) => running.has(block))) for (const block of blocks) running.delete(block);
  return running;
}

function edgesOf(blocks: readonly Block[]): Edge[] {
  const heights = new Map<number, Block[]>();
  const latest: number[] = [];
  for (const block of blocks) {
    const near = latest.find((y) => Math.abs(y - block.y) < 3) ?? block.y;
    const known = heights.get(near);
    if (known !== undefined) known.push(block);
    else {
      heights.set(near, [block]);
      latest.push(near);
      if (latest.length > 200) latest.shift();
    }
  }
  const sorted = [...heights].sort(([a], [b]) => a - b);
  const count = Math.min(DEPTH, Math.floor(sorted.length / 2) || 1);
  const edge = (end: Edge["end"], [y, members]: [number, Block[]], depth: number): Edge => ({
    page: members[0]?.page ?? 0,
    y,
    end,
    depth,
    blocks: members,
    text: members.map(({ text }) => text.trim()).join(" "),
  });
  return [
    ...sorted.slice(0, count).map((entry, index) => edge("top", entry, index)),
    ...(sorted.length > 1
      ? sorted
          .slice(-count)
          .reverse()
          .map((entry, index) => edge("bottom", entry, index))
      : []),
  ].filter(({ blocks }) => blocks.every(({ kind }) => kind === "line"));
}

const withoutNumbers = (text: string) => text.toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ").trim();

/** The outermost lines at a height where most pages have one, and most of those repeat: titles of chapters change. */
function slots(edges: readonly Edge[], pages: number): Edge[] {
  const byHeight = new Map<string, Edge[]>();
  for (const edge of edges) {
    if (edge.depth > 0 || edge.text.length > 200) continue;
    const key = `${edge.end} ${Math.round(edge.y / 2)}`;
    byHeight.set(key, [...(byHeight.get(key) ?? []), edge]);
  }
  return [...byHeight.values()].flatMap((slot) => {
    if (slot.length < Math.max(SLOT_PAGES_MIN, 0.35 * pages)) return [];
    const counts = new Map<string, number>();
    for (const { text } of slot)
      counts.set(withoutNumbers(text), (counts.get(withoutNumbers(text)) ?? 0) + 1);
    const repeated = slot.filter(
      ({ text }) => (counts.get(withoutNumbers(text)) ?? 0) > 1 && /\p{L}/u.test(text),
    );
    return repeated.length > 0.6 * slot.length && isConstantOften(slot) ? slot : [];
  });
}

/** Whether the lines of a slot count the pages, or have no numbers: others could be rows of data. */
function isConstantOften(slot: readonly Edge[]): boolean {
  const numbered = slot.filter(({ text }) => /\d/.test(text));
  if (numbered.length < 0.5 * slot.length) return true;
  const offsets = numbered.flatMap(({ text, page }) => [
    ...new Set((text.match(/\d+/g) ?? []).map((number) => Number(number) - page)),
  ]);
  return mostCommon(offsets) > 0.6 * numbered.length;
}

/** Edges at the same height with the same words, numbers aside. */
function groups(edges: readonly Edge[]): Edge[][] {
  const byWords = new Map<string, Edge[]>();
  for (const edge of edges) {
    const words = withoutNumbers(edge.text);
    if (!/\p{L}/u.test(words) || words.length > 300) continue;
    const key = `${edge.end} ${words}`;
    byWords.set(key, [...(byWords.get(key) ?? []), edge]);
  }
  return [...byWords.values()].filter((group) => {
    const heights = group.map(({ y }) => y).sort((a, b) => a - b);
    const middle = heights[Math.floor(heights.length / 2)] ?? 0;
    return heights.filter((y) => Math.abs(y - middle) < 8).length > 0.6 * heights.length;
  });
}

/** Whether the numbers in a group are the same everywhere, or count the pages: others are data. */
function isConstant(group: readonly Edge[]): boolean {
  const numbers = group.map(({ text }) => (text.match(/\d+/g) ?? []).map(Number));
  const count = numbers[0]?.length ?? 0;
  for (let at = 0; at < count; at += 1) {
    const same = mostCommon(numbers.map((each) => each[at] ?? 0));
    const counting = mostCommon(numbers.map((each, index) => (each[at] ?? 0) - (group[index]?.page ?? 0)));
    if (Math.max(same, counting) < 0.7 * group.length) return false;
  }
  return true;
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

const PAGE_NUMBER =
  /^(?:page|seite|p\.|pág(?:ina)?\.?|pagina|страница|стр\.|頁)?\s*(?:[-–—|[(]\s*)?(\d{1,5}|[ivxlc]{1,7})\s*(?:[-–—|\])]\s*)?(?:(?:of|\/|von|de|sur|из)\s*\d{1,5})?$/i;

/** Edges that are nothing but a number, which counts up with the pages. */
function pageNumbers(edges: readonly Edge[], pages: number): Edge[] {
  const numbered = edges.flatMap((edge) => {
    const number = edge.depth <= 1 ? numberIn(edge.text) : undefined;
    return number === undefined
      ? []
      : [{ edge, offset: number - edge.page, key: `${edge.end} ${number - edge.page}` }];
  });
  const counts = new Map<string, number>();
  for (const { key } of numbered) counts.set(key, (counts.get(key) ?? 0) + 1);
  return numbered
    .filter(({ key, offset, edge }) => {
      const count = counts.get(key) ?? 0;
      return (
        count >= Math.max(2, Math.min(3, pages)) &&
        (pages >= 3 || (offset === 0 && edge.depth === 0 && edge.end === "bottom"))
      );
    })
    .map(({ edge }) => edge);
}

function numberIn(text: string): number | undefined {
  const found = PAGE_NUMBER.exec(text.trim())?.[1];
  if (found === undefined) return undefined;
  return /^\d/.test(found) ? Number(found) : romanNumber(found.toLowerCase());
}

const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanNumber(text: string): number {
  const values = [...text].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
