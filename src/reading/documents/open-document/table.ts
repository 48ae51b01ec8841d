import type { Cell, Row, Table } from "../blocks/blocks.ts";
import { attributeOf, childrenOf, type XmlElement } from "../xml/xml.ts";
import type { ReadBlocks, TextContext } from "./context.ts";

const ROWS_REPEATED_MAX = 1_000;
const CELLS_REPEATED_MAX = 100;

/** Reads a table of a text or a slide. */
export function readTable(table: XmlElement, context: TextContext, readBlocks: ReadBlocks): Table {
  /** For each column how many rows the cell above still goes on. */
  const down: number[] = [];
  const rows = rowsOf(table).flatMap((row): Row[] => {
    const cells = childrenOf(row).flatMap((cell) => readCells(cell, { context, readBlocks }));
    for (const [at, { spans }] of cells.entries())
      down[at] = spans > 1 ? spans : Math.max(0, (down[at] ?? 0) - 1);
    const read = cells.map(
      ({ cell, isCovered }, at): Cell => ({ ...cell, isContinued: isCovered && (down[at] ?? 0) > 0 }),
    );
    const count = repeated(row, "table:number-rows-repeated", ROWS_REPEATED_MAX);
    return Array.from({ length: count }, () => ({ cells: read }));
  });
  return { rows };
}

function rowsOf(table: XmlElement): XmlElement[] {
  return childrenOf(table).flatMap((child) => {
    if (child.name === "table:table-row") return [child];
    return /^table:table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });
}

function readCells(
  cell: XmlElement,
  { context, readBlocks }: { context: TextContext; readBlocks: ReadBlocks },
): { cell: Cell; isCovered: boolean; spans: number }[] {
  const isCovered = cell.name === "table:covered-table-cell";
  if (cell.name !== "table:table-cell" && !isCovered) return [];
  const blocks = isCovered ? [] : readBlocks(childrenOf(cell), context);
  const spans = Number(attributeOf(cell, "table:number-rows-spanned") ?? 1) || 1;
  const count = repeated(cell, "table:number-columns-repeated", CELLS_REPEATED_MAX);
  return Array.from({ length: count }, () => ({ cell: { blocks }, isCovered, spans }));
}

/** How often an element stands for itself. */
export function repeated(element: XmlElement, name: string, max: number): number {
  const count = Number(attributeOf(element, name) ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, max) : 1;
}
