import { type Block, LEADERS, type Line } from "./page/page.ts";

/** A part of the document as its outline names it. */
export interface OutlineEntry {
  title: string;
  /** 1 for those at the top. */
  depth: number;
}

/** What is usual in a document. */
export interface Usual {
  size: number;
  bold: boolean;
  /** Whether all of it is set in letters of one width, so that they mean nothing. */
  mono: boolean;
}

const LINES_MAX = 5;
const CHARACTERS_MAX = 200;
const LEVELS_MAX = 6;

export function usualOf(blocks: readonly Block[]): Usual {
  const sizes = new Map<number, number>();
  let [all, bold, mono] = [0, 0, 0];
  for (const block of blocks) {
    if (block.kind !== "line") continue;
    const letters = block.text.length;
    all += letters;
    if (block.bold) bold += letters;
    if (block.mono) mono += letters;
    else sizes.set(block.size, (sizes.get(block.size) ?? 0) + letters);
  }
  let [size, most] = [10, 0];
  for (const [each, letters] of sizes) if (letters > most) [size, most] = [each, letters];
  return { size, bold: bold > 0.5 * all, mono: mono > 0.6 * all };
}

/** The lines that are headings, with their levels. The lines of one heading are joined later. */
export function headingLevels(
  blocks: readonly Block[],
  outline: readonly OutlineEntry[],
  usual: Usual,
): Map<Line, number> {
  const titles = new Map<string, number>();
  for (const { title, depth } of outline) if (!titles.has(key(title))) titles.set(key(title), depth);
  const groups = groupsOf(blocks, usual, titles);
  const styles = new Map<string, number>();
  const ranked = [...new Map(groups.map(({ lead }) => [styleOf(lead), lead])).values()].sort(
    (a, b) => b.size - a.size || Number(b.bold) - Number(a.bold),
  );
  for (const [index, lead] of ranked.entries()) styles.set(styleOf(lead), Math.min(LEVELS_MAX, index + 1));
  const known = groups.filter(({ depth }) => depth !== undefined);
  if (known.length >= 3) learnLevels(known, styles, groups);
  const levels = new Map<Line, number>();
  for (const { lines, lead, depth } of groups) {
    const base = known.length >= 3 && depth !== undefined ? depth : (styles.get(styleOf(lead)) ?? LEVELS_MAX);
    for (const line of lines) levels.set(line, Math.max(1, Math.min(LEVELS_MAX, base)));
  }
  return levels;
}

interface Group {
  lines: Line[];
  lead: Line;
  /** As the outline has it. */
  depth: number | undefined;
}

const styleOf = ({ size, bold }: Line) => `${Math.round(size)} ${bold}`;
const key = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Headings that the outline does not name stand at the level of those that look the same, or below all. */
function learnLevels(known: readonly Group[], styles: Map<string, number>, groups: readonly Group[]): void {
  const deepest = Math.max(...known.map(({ depth = 1 }) => depth));
  const seen = new Map<string, number[]>();
  for (const { lead, depth = 1 } of known)
    seen.set(styleOf(lead), [...(seen.get(styleOf(lead)) ?? []), depth]);
  const largest = Math.max(...known.map(({ lead }) => lead.size));
  for (const { lead } of groups) {
    const depths = seen.get(styleOf(lead))?.sort((a, b) => a - b);
    if (depths !== undefined) styles.set(styleOf(lead), depths[Math.floor(depths.length / 2)] ?? 1);
    else styles.set(styleOf(lead), lead.size > largest * 1.05 ? 1 : Math.min(LEVELS_MAX, deepest + 1));
  }
}

function groupsOf(blocks: readonly Block[], usual: Usual, titles: ReadonlyMap<string, number>): Group[] {
  const groups: Group[] = [];
  for (let at = 0; at < blocks.length; ) {
    const lines = linesFrom(blocks, at);
    const [lead] = lines;
    const group = lead === undefined ? undefined : groupOf(lead, lines, { blocks, at, usual, titles });
    if (group !== undefined) groups.push(group);
    at += Math.max(1, group?.lines.length ?? lines.length);
  }
  return groups;
}

/** The lines from here on that look like one: the same letters, close to each other. */
function linesFrom(blocks: readonly Block[], from: number): Line[] {
  const lines: Line[] = [];
  for (let at = from; at < blocks.length; at += 1) {
    const [block, last] = [blocks[at], lines.at(-1)];
    if (block?.kind !== "line") break;
    if (last !== undefined && !isMore(last, block)) break;
    lines.push(block);
    if (lines.length > LINES_MAX) break;
  }
  return lines;
}

const isMore = (last: Line, line: Line) =>
  line.page === last.page &&
  line.column === last.column &&
  Math.abs(line.size - last.size) < 0.3 &&
  line.bold === last.bold &&
  line.mono === last.mono &&
  line.y - last.y < 1.7 * last.size;

function groupOf(
  lead: Line,
  lines: Line[],
  place: { blocks: readonly Block[]; at: number; usual: Usual; titles: ReadonlyMap<string, number> },
): Group | undefined {
  for (let count = Math.min(LINES_MAX, lines.length); count > 0; count -= 1) {
    const some = lines.slice(0, count);
    const depth = place.titles.get(key(some.map(({ text }) => text).join(" ")));
    if (depth !== undefined && (lead.size > place.usual.size * 0.95 || lead.bold))
      return { lines: some, lead, depth };
  }
  return looksLikeHeading(lines, lead, place) ? { lines, lead, depth: undefined } : undefined;
}

const ENDS_AS_PROSE = /[.,;。、，]$|\.{3}|…/;

function looksLikeHeading(
  lines: readonly Line[],
  lead: Line,
  { blocks, at, usual }: { blocks: readonly Block[]; at: number; usual: Usual },
): boolean {
  const text = lines.map((line) => line.text).join(" ");
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (lines.length > LINES_MAX || text.length > CHARACTERS_MAX || letters < 2 || letters < text.length * 0.4)
    return false;
  if (lead.mono && !usual.mono && !lead.bold) return false;
  if (LEADERS.test(text)) return false;
  if (lead.size >= usual.size * 1.15) return text.length < 120 || !ENDS_AS_PROSE.test(text);
  // Most letters of small capitals are smaller than the others.
  if (lead.size < usual.size * (lead.bold ? 0.95 : 0.75)) return false;
  if (lead.bold ? usual.bold : !isCapitals(text) || !standsAboveProse(blocks[at + lines.length], lead))
    return false;
  if (lines.length > 2 || text.length > 120 || ENDS_AS_PROSE.test(text) || lead.parts > 2) return false;
  const next = blocks[at + lines.length];
  return isAlone(blocks[at - 1], lead) && !isSetIn(lead, next) && !goesOn(lines.at(-1) ?? lead, next);
}

/** Whether a sentence that begins in heavy letters goes on in the next line in others: so do captions. */
const goesOn = (line: Line, next: Block | undefined) =>
  next?.kind === "line" &&
  next.page === line.page &&
  next.column === line.column &&
  next.y - line.y < 1.45 * line.size &&
  (/^\p{Ll}/u.test(next.text) || line.text.endsWith("-"));

const isCapitals = (text: string) => !/\p{Ll}/u.test(text) && (text.match(/\p{Lu}/gu)?.length ?? 0) >= 5;

const standsAboveProse = (next: Block | undefined, { page, column }: Line) =>
  next?.kind === "line" &&
  next.page === page &&
  next.column === column &&
  /\p{Ll}/u.test(next.text) &&
  next.text.length > 30;

/** Whether a line stands further in than what follows, and not in the middle: an example does, a heading does not. */
function isSetIn(line: Line, next: Block | undefined): boolean {
  if (next?.kind !== "line" || next.column !== line.column || next.page !== line.page) return false;
  const middle = (line.x0 + line.x1) / 2 - (line.left + line.right) / 2;
  return line.x0 > next.x0 + 1.2 * line.size && Math.abs(middle) > 1.5 * line.size;
}

/** Whether there is room above a line, more than between lines of a paragraph. */
function isAlone(before: Block | undefined, line: Line): boolean {
  if (before === undefined || before.column !== line.column || before.page !== line.page) return true;
  return before.kind === "table" || line.y - before.y > 1.45 * Math.max(line.size, before.size);
}
