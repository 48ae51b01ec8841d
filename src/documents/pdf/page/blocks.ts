import { type Column, columnsOf } from "./columns.ts";
import { mirrored, rowsOf } from "./fragment.ts";
import { type Block, lineOf } from "./line.ts";
import { stretchesOf } from "./tables.ts";
import type { PageText } from "./text.ts";

/** The lines and tables of a page, in the order in which they are read. */
export function blocksOf(text: PageText, page: number): Block[] {
  const blocks: Block[] = [];
  let number = 0;
  for (const { fragments, rtl } of text.frames)
    for (const column of columnsOf(rowsOf(rtl ? mirrored(fragments) : fragments))) {
      blocks.push(...blocksOfColumn(column, { page, column: number, isMirrored: rtl }));
      number += 1;
    }
  return blocks;
}

function blocksOfColumn(
  { rows, x0 }: Column,
  place: { page: number; column: number; isMirrored: boolean },
): Block[] {
  const { page, column, isMirrored } = place;
  return stretchesOf(rows, isMirrored).flatMap((stretch): Block[] => {
    if ("table" in stretch) return [{ ...stretch.table, page, column }];
    const right = usualEnd(stretch.rows.map(({ segments }) => segments.at(-1)?.x1 ?? 0));
    return stretch.rows.map((row) => lineOf(row, { ...place, left: x0, right }));
  });
}

/** Where lines end that are full: one that is too long, as a picture's label, is no measure. */
function usualEnd(ends: readonly number[]): number {
  const sorted = [...ends].sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length * 0.08)] ?? 0;
}
