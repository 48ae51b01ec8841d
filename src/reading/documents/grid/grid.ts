import { writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { type Block, type Body, writeSpans } from "../blocks/blocks.ts";

/** A cell of a sheet, as it is shown. */
export interface GridCell {
  text: string;
  href?: string | undefined;
  /** Whether it is a number, a date, or a truth: no title of a column. */
  isValue: boolean;
}

export interface GridRow {
  /** Its place in the sheet, so that what lies between two rows is known. */
  index: number;
  /** How many of the rows between it and the one before it are hidden. */
  hiddenAbove: number;
  /** By column; a sheet has few of the columns that it could have. */
  cells: ReadonlyMap<number, GridCell>;
}

/** How much of a workbook is read. */
export const GRID_BOUNDS = {
  rowsOfSheetMax: 20_000,
  cellsMax: 500_000,
  sheetsMax: 1_000,
  columnsMax: 2_000,
  /** Of one cell: what Excel allows. */
  charactersOfCellMax: 32_767,
};

/** Of a list that is one column; what is longer is text. */
const ITEM_CHARACTERS_MAX = 200;

/**
 * Writes the rows of a sheet: those between empty rows are a table each, without its empty columns. Rows that are not there
 * because they are hidden make no gap, nor does the one empty row that sets each row of a table apart.
 */
export function writeGrid(rows: readonly GridRow[], body: Body): void {
  for (const group of groupsOf(rows)) for (const block of writeGroup(group)) body.push(block);
}

function groupsOf(rows: readonly GridRow[]): GridRow[][] {
  const close: GridRow[][] = [];
  for (const row of rows) {
    const group = close.at(-1);
    const above = group?.at(-1);
    if (group === undefined || above === undefined || emptyBetween(above, row) > 0) close.push([row]);
    else group.push(row);
  }
  const groups: GridRow[][] = [];
  for (const group of close) {
    const before = groups.at(-1);
    if (before !== undefined && belongsBelow(group, before)) before.push(...group);
    else groups.push(group);
  }
  return groups;
}

const emptyBetween = (above: GridRow, { index, hiddenAbove }: GridRow) =>
  index - hiddenAbove - above.index - 1;

/** Whether one empty row parts rows of one table: rows that stand alone, or its head from what is below. */
function belongsBelow(below: readonly GridRow[], above: readonly GridRow[]): boolean {
  const [first] = below;
  const [last, beforeLast] = [above.at(-1), above.at(-2)];
  if (first === undefined || last === undefined || emptyBetween(last, first) !== 1) return false;
  if (first.cells.size < 2 || last.cells.size < 2) return false;
  if (below.length === 1) {
    const standsAlone = beforeLast === undefined || emptyBetween(beforeLast, last) === 1;
    return standsAlone && (isWithin(first, last) || isWithin(last, first));
  }
  if (beforeLast !== undefined || !below.every((row) => isWithin(row, last))) return false;
  return looksLikeHead(last, last.cells.size) && !looksLikeHead(first, last.cells.size);
}

/** Whether a row has cells only where the other has some. */
const isWithin = ({ cells }: GridRow, other: GridRow) => [...cells.keys()].every((at) => other.cells.has(at));

function writeGroup(rows: readonly GridRow[]): Block[] {
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))].toSorted((a, b) => a - b);
  if (columns.length === 0) return [];
  if (columns.length === 1) return writeColumn(rows);
  const [first, ...rest] = rows;
  // What stands alone above a table is its title.
  if (first !== undefined && first.cells.size === 1) return [...writeColumn([first]), ...writeGroup(rest)];
  if (first !== undefined && rest.length === 0) return [paragraphOf(first)];
  const lines = rows.map(({ cells }) => columns.map((column) => writeCell(cells.get(column))));
  const head = first !== undefined && looksLikeHead(first, columns.length) ? [] : [columns.map(() => "")];
  return [{ kind: "markdown", text: writeMarkdownTable([...head, ...lines]) }];
}

function paragraphOf({ cells }: GridRow): Block {
  const spans = [...cells.values()].flatMap(({ text, href }, index) => [
    ...(index === 0 ? [] : [{ text: ", " }]),
    { text, href },
  ]);
  return { kind: "paragraph", spans };
}

function writeColumn(rows: readonly GridRow[]): Block[] {
  const cells = rows.flatMap(({ cells }) => [...cells.values()]);
  const isList = cells.length > 2 && cells.every(({ text }) => text.length <= ITEM_CHARACTERS_MAX);
  return cells.map(({ text, href }) => {
    const spans = text
      .split("\n")
      .flatMap((line, index) => [
        ...(index === 0 ? [] : [{ lineBreak: true } as const]),
        { text: line, href },
      ]);
    return isList ? { kind: "item", level: 0, spans } : { kind: "paragraph", spans };
  });
}

/** Whether a row says what stands below it: words alone, in most of its columns. */
function looksLikeHead({ cells }: GridRow, width: number): boolean {
  const all = [...cells.values()];
  return all.length * 2 > width && all.every(({ isValue }) => !isValue);
}

const PLAIN = /^[\p{L}\p{N} .,:;%/()+'"?@=-]*$/u;

function writeCell(cell: GridCell | undefined): string {
  if (cell === undefined) return "";
  const text = cell.text.replace(/\s+/g, " ").trim();
  if (cell.href === undefined && PLAIN.test(text)) return text;
  return writeSpans([{ text, href: cell.href }], { cell: true });
}
