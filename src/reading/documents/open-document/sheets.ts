import { type Body, createBody, linkOf } from "../blocks/blocks.ts";
import type { DocumentReader } from "../document.ts";
import { GRID_BOUNDS, type GridCell, type GridRow, writeGrid } from "../grid/grid.ts";
import { dataOf, toDocument } from "../package/package.ts";
import {
  attributeOf,
  childrenOf,
  descendantsOf,
  isElementNode,
  readXmlPieces,
  type XmlElement,
} from "../xml/xml.ts";
import { openDocument } from "./open.ts";
import type { Styles } from "./styles.ts";
import { repeated } from "./table.ts";

/** Reads a workbook of LibreOffice and others: what its sheets show, and no formula. */
export const readOpenSheets: DocumentReader = async (content, bounds) => {
  const opened = await openDocument(content, bounds, {
    what: "an OpenDocument workbook",
    body: "office:spreadsheet",
  });
  if ("unreadable" in opened) return opened;
  const body = createBody(bounds.charactersMax);
  const state = createState(opened.styles, body, bounds.charactersMax);
  const fault = readXmlPieces(opened.content, {
    isPiece: (name, around) =>
      around.includes("office:spreadsheet") && (name === "table:table-row" || name === "table:table-column"),
    enter(name, attributes) {
      if (name === "table:table") openSheet(attributes, state);
    },
    take(element) {
      if (element.name === "table:table-column") takeColumn(element, state);
      else takeRow(element, state);
      return body.isFull() || isSpent(state) ? "stop" : undefined;
    },
  });
  closeSheet(state);
  const { faults, hiddenSheets } = state;
  if (hiddenSheets > 0)
    faults.push(`has ${hiddenSheets === 1 ? "a hidden sheet" : `${hiddenSheets} hidden sheets`}, left out`);
  if (isSpent(state) || body.isFull())
    faults.push(`has more than is read: from its sheet “${state.name}” on it is left out`);
  if (fault !== undefined) faults.push(`is damaged: ${fault}; what comes after is not read`);
  return toDocument(
    { data: dataOf(opened.data), markdown: body.finish(), faults: [...opened.source.faults(), ...faults] },
    "has no text: its sheets are empty",
  );
};

interface SheetState {
  styles: Styles;
  body: Body;
  faults: string[];
  cellsLeft: number;
  charactersLeft: number;
  hiddenSheets: number;
  /** Of the sheet that is open. */
  name: string;
  isHidden: boolean;
  rows: GridRow[];
  index: number;
  column: number;
  hiddenColumns: { from: number; to: number }[];
  hiddenRows: number;
  /** The hidden rows since the last row that is shown. */
  hiddenAbove: number;
  hasHiddenCells: boolean;
}

function createState(styles: Styles, body: Body, charactersMax: number): SheetState {
  return {
    styles,
    body,
    faults: [],
    cellsLeft: GRID_BOUNDS.cellsMax,
    charactersLeft: charactersMax,
    hiddenSheets: 0,
    ...emptySheet("", false),
  };
}

const isSpent = ({ cellsLeft, charactersLeft }: SheetState) => cellsLeft <= 0 || charactersLeft <= 0;

const emptySheet = (name: string, isHidden: boolean) => ({
  name,
  isHidden,
  rows: [],
  index: 0,
  column: 0,
  hiddenColumns: [],
  hiddenRows: 0,
  hiddenAbove: 0,
  hasHiddenCells: false,
});

function openSheet(attributes: ReadonlyMap<string, string>, state: SheetState): void {
  closeSheet(state);
  const isHidden = state.styles.get("table", attributes.get("table:style-name")).isHidden;
  if (isHidden) state.hiddenSheets += 1;
  Object.assign(state, emptySheet(attributes.get("table:name") ?? "", isHidden));
}

function closeSheet(state: SheetState): void {
  const { name, rows, index, body, faults, hiddenRows, hasHiddenCells } = state;
  const where = `in its sheet “${name}”`;
  if (hiddenRows > 0)
    faults.push(`has ${hiddenRows} hidden ${hiddenRows === 1 ? "row" : "rows"} ${where}, left out`);
  if (hasHiddenCells) faults.push(`has hidden columns ${where}, left out`);
  if (rows.length === 0) return;
  if (rows.length >= GRID_BOUNDS.rowsOfSheetMax)
    faults.push(
      `has ${index.toLocaleString("en")} rows ${where}, of which the first ${rows.length.toLocaleString("en")} are read`,
    );
  body.push({ kind: "heading", level: 2, spans: [{ text: name }] });
  writeGrid(rows, body);
  state.rows = [];
}

const isHiddenPart = (element: XmlElement) =>
  /^(?:collapse|filter)$/.test(attributeOf(element, "table:visibility") ?? "");

function takeColumn(element: XmlElement, state: SheetState): void {
  const count = repeated(element, "table:number-columns-repeated", 100_000);
  if (isHiddenPart(element)) state.hiddenColumns.push({ from: state.column, to: state.column + count - 1 });
  state.column += count;
}

function takeRow(element: XmlElement, state: SheetState): void {
  const count = repeated(element, "table:number-rows-repeated", 10_000_000);
  const first = state.index;
  state.index += count;
  if (state.isHidden) return;
  const isHidden = isHiddenPart(element);
  if (isHidden) state.hiddenAbove += count;
  const cells = readCells(element, state);
  if (cells.size === 0) return;
  if (isHidden) {
    state.hiddenRows += count;
    return;
  }
  let characters = 0;
  for (const { text } of cells.values()) characters += text.length;
  for (let at = 0; at < count; at++) {
    if (state.rows.length >= GRID_BOUNDS.rowsOfSheetMax || isSpent(state)) return;
    state.rows.push({ index: first + at, hiddenAbove: state.hiddenAbove, cells });
    state.hiddenAbove = 0;
    state.cellsLeft -= cells.size;
    state.charactersLeft -= characters;
  }
}

function readCells(row: XmlElement, state: SheetState): ReadonlyMap<number, GridCell> {
  const cells = new Map<number, GridCell>();
  let column = 0;
  for (const element of childrenOf(row)) {
    if (!/^table:(?:covered-)?table-cell$/.test(element.name)) continue;
    const count = repeated(element, "table:number-columns-repeated", 100_000);
    const cell = element.name === "table:table-cell" ? readCell(element) : undefined;
    for (
      let at = column;
      cell !== undefined && at < column + count && cells.size < GRID_BOUNDS.columnsMax;
      at++
    ) {
      if (state.hiddenColumns.some(({ from, to }) => at >= from && at <= to)) state.hasHiddenCells = true;
      else cells.set(at, cell);
    }
    column += count;
  }
  return cells;
}

const VALUES = /^(?:float|currency|percentage|date|time|boolean)$/;

function readCell(element: XmlElement): GridCell | undefined {
  const shown = childrenOf(element, "text:p").map(textOf).join("\n").trim();
  const said = [
    "office:value",
    "office:date-value",
    "office:time-value",
    "office:boolean-value",
    "office:string-value",
  ]
    .map((name) => attributeOf(element, name))
    .find((value) => value !== undefined);
  const text = (shown || (said ?? "").trim()).slice(0, GRID_BOUNDS.charactersOfCellMax);
  if (text === "") return undefined;
  const [link] = descendantsOf(element, "text:a");
  const isValue = VALUES.test(
    attributeOf(element, "office:value-type") ?? attributeOf(element, "table:value-type") ?? "",
  );
  return { text, isValue, href: linkOf(attributeOf(link, "xlink:href")) };
}

function textOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (!isElementNode(child)) return child;
      if (child.name === "text:s" || child.name === "text:tab") return " ";
      if (child.name === "text:line-break") return "\n";
      return child.name === "office:annotation" ? "" : textOf(child);
    })
    .join("");
}
