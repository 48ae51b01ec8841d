import { type Block, LEADERS, type Line } from "./page/page.ts";

/** How lines stand to each other: what is usual in their column says whether they belong together. */
export interface Measure {
  /** Whether more room is between two lines than between those of a paragraph. */
  isApart(above: Line, line: Line): boolean;
  /** Whether a line is as full as it can be: the word that follows had no room in it. */
  isFull(above: Line, line: Line): boolean;
  /** Whether a line begins anew below the lines of a paragraph. */
  beginsParagraph(lines: readonly Line[], line: Line): boolean;
}

export function createMeasure(blocks: readonly Block[]): Measure {
  const leading = leadings(blocks);
  const usual = median(leading) ?? 1.2;
  const columns = columnLeadings(blocks);
  const edges = narrowEdges(blocks);
  const hasNoRoom = (above: Line, line: Line) => isWordTooLong(above, line, edges.get(above) ?? above.right);
  const loose = looseLines(blocks, hasNoRoom);
  const isFull = (above: Line, line: Line) =>
    hasNoRoom(above, line) &&
    !LEADERS.test(above.text) &&
    !(loose.has(above) && !/^\p{Ll}/u.test(line.text) && !/[,\-\u00AD]$/.test(above.text));
  const isApart = (above: Line, line: Line) => {
    const size = Math.max(above.size, line.size);
    const expected = columns.get(columnKey(line)) ?? usual;
    return (line.y - above.y) / size > Math.max(expected * 1.28, 1.05);
  };
  return {
    isApart,
    isFull,
    beginsParagraph(lines, line) {
      const above = lines.at(-1);
      if (above === undefined) return true;
      if (line.y < above.y - above.size * 0.3 || isApart(above, line)) return true;
      if (Math.abs(above.size - line.size) > 0.12 * Math.max(above.size, line.size)) return true;
      if (above.bold !== line.bold && !isFull(above, line)) return true;
      return (
        beginsByIndent(lines, above, line) &&
        !(lines.length === 1 && isFull(above, line) && goesOn(above, line))
      );
    },
  };
}

const columnKey = ({ page, column }: Block) => `${page}/${column}`;

function columnLeadings(blocks: readonly Block[]): Map<string, number> {
  const byColumn = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = columnKey(block);
    const known = byColumn.get(key);
    if (known === undefined) byColumn.set(key, [block]);
    else known.push(block);
  }
  const found = new Map<string, number>();
  for (const [key, members] of byColumn) {
    const each = leadings(members);
    // The smaller ones: where most lines are paragraphs of their own, the gaps between those are the median.
    const low = each.sort((a, b) => a - b)[Math.floor(each.length * 0.3)];
    if (each.length >= 4 && low !== undefined) found.set(key, low);
  }
  return found;
}

function leadings(blocks: readonly Block[]): number[] {
  const found: number[] = [];
  for (const [index, block] of blocks.entries()) {
    const above = blocks[index - 1];
    if (above?.kind !== "line" || block.kind !== "line" || columnKey(above) !== columnKey(block)) continue;
    if (Math.abs(above.size - block.size) > 0.3) continue;
    const leading = (block.y - above.y) / block.size;
    if (leading > 0.8 && leading < 3) found.push(leading);
  }
  return found;
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Where lines end that are full, of those that are set narrower than their column: in a box, or beside a picture. */
function narrowEdges(blocks: readonly Block[]): Map<Line, number> {
  const edges = new Map<Line, number>();
  let stretch: Line[] = [];
  const close = () => {
    const edge = Math.max(...stretch.map(({ x1 }) => x1));
    const pairs = stretch.slice(1).map((line, index) => [stretch[index], line] as const);
    const full = pairs.filter(([above, line]) => above !== undefined && isWordTooLong(above, line, edge));
    if (stretch.length >= 3 && full.length >= 0.6 * pairs.length)
      for (const line of stretch) edges.set(line, edge);
    stretch = [];
  };
  for (const block of blocks) {
    const last = stretch.at(-1);
    if (last !== undefined && !isBelow(last, block)) close();
    if (block.kind === "line") stretch.push(block);
  }
  close();
  return edges;
}

/** Whether a line follows another without a gap. */
const isBelow = (above: Line, block: Block): block is Line =>
  block.kind === "line" &&
  columnKey(above) === columnKey(block) &&
  Math.abs(above.size - block.size) < 0.3 &&
  block.y > above.y &&
  block.y - above.y < 1.45 * block.size;

const NEAR = 4;

/** Lines among such as end anywhere, as in a list of names: the longest of those are not full, they are only long. */
function looseLines(blocks: readonly Block[], hasNoRoom: (above: Line, line: Line) => boolean): Set<Line> {
  const full = blocks.map((block, index) => {
    const next = blocks[index + 1];
    if (block.kind !== "line" || next?.kind !== "line" || columnKey(block) !== columnKey(next))
      return undefined;
    const isNext =
      next.y > block.y && next.y - block.y < 1.7 * next.size && Math.abs(next.size - block.size) < 0.3;
    return isNext ? hasNoRoom(block, next) : undefined;
  });
  const loose = new Set<Line>();
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "line") continue;
    const near = full.slice(Math.max(0, index - NEAR), index + NEAR + 1).filter((each) => each !== undefined);
    if (near.length >= 3 && near.filter((each) => each).length < 0.4 * near.length) loose.add(block);
  }
  return loose;
}

/** Whether the first word of the next line would have had no room. */
function isWordTooLong(above: Line, line: Line, edge: number): boolean {
  const [first = ""] = line.text.split(/\s/, 1);
  const isSpaceless = /[\u2E80-\u30FF\u3400-\u9FFF\uFF00-\uFFEF]/.test(first);
  const letter = (line.x1 - line.x0) / Math.max(1, line.text.length);
  const needed = isSpaceless ? 2 * line.size : (first.length + 1) * Math.min(letter, line.size);
  return above.x1 + needed > edge - 0.3 * above.size;
}

function beginsByIndent(lines: readonly Line[], above: Line, line: Line): boolean {
  const indent = (line.x0 - above.x0) / line.size;
  if (Math.abs(indent) < 0.7 || isCentred(above, line)) return false;
  // What hangs: the first line stands out, all others are set in.
  if (lines.length === 1) return indent > 0 ? indent < 4 && !hangs(above) : false;
  return true;
}

/** Whether a sentence goes on from a line to the next. */
const goesOn = (above: Line, line: Line) =>
  !/[.!?:;。！？]["”’)]?$/.test(above.text) && /^[\p{Ll}\p{N}]/u.test(line.text);

/** An item, or an entry of a list of references: its further lines are set in. */
const hangs = ({ text }: Line) => /^(?:[^\p{L}\p{N}\s("'“‘]|\(?\[?[\p{L}\p{N}]{1,4}[.)\]])/u.test(text);

function isCentred(above: Line, line: Line): boolean {
  const middle = Math.abs((above.x0 + above.x1) / 2 - (line.x0 + line.x1) / 2);
  return middle < 0.5 * line.size && Math.abs(above.x1 - line.x1) > 0.5 * line.size;
}
