import type { Cell, Row, Table } from "../blocks/blocks.ts";
import { attributeOf, childOf, childrenOf, type XmlElement } from "../xml/xml.ts";
import type { ReadBlocks, WordContext } from "./context.ts";

const EMPTY_CELLS_MAX = 60;

/** Reads a table. Rows and cells that were deleted are left out. */
export function readTable(table: XmlElement, context: WordContext, readBlocks: ReadBlocks): Table {
  const rows = within(table, "w:tr").filter((row) => childOf(row, "w:trPr", "w:del") === undefined);
  return { rows: rows.map((row) => readRow(row, context, readBlocks)) };
}

function readRow(row: XmlElement, context: WordContext, readBlocks: ReadBlocks): Row {
  const before = Number(attributeOf(childOf(row, "w:trPr", "w:gridBefore"), "w:val") ?? 0) || 0;
  const cells: Cell[] = before > 0 ? [{ blocks: [], columns: Math.min(before, EMPTY_CELLS_MAX) }] : [];
  for (const cell of within(row, "w:tc")) {
    const properties = childOf(cell, "w:tcPr");
    if (childOf(properties, "w:cellDel") !== undefined) continue;
    cells.push({
      blocks: readBlocks(childrenOf(cell), context),
      columns: Number(attributeOf(childOf(properties, "w:gridSpan"), "w:val") ?? 1) || 1,
      isContinued: isMerged(childOf(properties, "w:vMerge")),
    });
  }
  return { cells };
}

/** A cell that says no more than that it is merged goes on from the one above. */
const isMerged = (merge: XmlElement | undefined) =>
  merge !== undefined && (attributeOf(merge, "w:val") ?? "continue") === "continue";

/** The rows of a table, or the cells of a row: also those that a control or a change surrounds. */
function within(element: XmlElement, name: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => {
    if (child.name === name) return [child];
    if (child.name === "w:sdt") return within(childOf(child, "w:sdtContent") ?? child, name);
    return child.name === "w:customXml" || child.name === "w:ins" ? within(child, name) : [];
  });
}
