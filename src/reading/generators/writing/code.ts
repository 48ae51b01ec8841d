import { closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";

/** Code between fences, as it is written. */
export interface WrittenCode {
  indent: string;
  /** What follows the opening fence. */
  info: string;
  lines: string[];
  /** The number of lines that it takes up, with its fences. */
  length: number;
}

/** The code whose opening fence is a line of a page; undefined where it is none. */
export function codeAt(lines: readonly string[], at: number): WrittenCode | undefined {
  const opening = lines[at] ?? "";
  const fence = fenceOpening(opening);
  if (fence === undefined) return undefined;
  const end = closingLine(lines, at, fence);
  const [indent = ""] = /^[ \t]*/.exec(opening) ?? [];
  const shift = new RegExp(`^[ \\t]{0,${indent.length}}`);
  return {
    indent,
    info: fence.info,
    lines: lines.slice(at + 1, end).map((line) => line.replace(shift, "")),
    length: Math.min(end, lines.length - 1) - at + 1,
  };
}

function closingLine(lines: readonly string[], at: number, fence: FenceOpening): number {
  let end = at + 1;
  while (end < lines.length && !closesFence(lines[end] ?? "", fence)) end++;
  return end;
}

/** Code between fences that are longer than any in it. */
export function writeCode(language: string, lines: readonly string[], indent = ""): string[] {
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = "`".repeat(longest + 1);
  const written = [`${fence}${language}`, ...lines, fence];
  return indent === "" ? written : written.map((line) => (line === "" ? "" : indent + line));
}

/** Code in which lines are marked as new and as gone, as a diff; by the numbers of the lines, from 1. */
export function asDiff(
  lines: readonly string[],
  added: ReadonlySet<number>,
  removed: ReadonlySet<number>,
): string[] {
  return lines.map((line, index) => {
    const mark = added.has(index + 1) ? "+" : removed.has(index + 1) ? "-" : " ";
    return line === "" && mark === " " ? "" : `${mark} ${line}`;
  });
}

const RANGE_MAX = 100_000;

/** The numbers in a list of lines such as `1,3-5`. */
export function linesIn(list: string): Set<number> {
  const found = new Set<number>();
  for (const [, first = "", last = first] of list.matchAll(/(\d+)(?:\s*-\s*(\d+))?/g))
    for (let line = Number(first); line <= Number(last) && found.size < RANGE_MAX; line++) found.add(line);
  return found;
}
