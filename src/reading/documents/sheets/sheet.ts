import { linkOf } from "../blocks/blocks.ts";
import { GRID_BOUNDS, type GridCell, type GridRow } from "../grid/grid.ts";
import type { Relationship } from "../package/package.ts";
import { attributeOf, childOf, childrenOf, readXmlPieces, textIn, type XmlElement } from "../xml/xml.ts";
import { richText, type Workbook } from "./workbook.ts";

/** A sheet as far as it is read. */
export interface ReadSheet {
  rows: GridRow[];
  cellCount: number;
  hiddenRows: number;
  hiddenColumns: number;
  /** The rows that it says it has, where that is more than are read. */
  rowsInAll?: number | undefined;
  isCut: boolean;
  fault?: string | undefined;
}

interface Reading extends ReadSheet {
  workbook: Workbook;
  cellsMax: number;
  charactersMax: number;
  hidden: Range[];
  lastRow: number;
  /** The hidden rows since the last row that is shown. */
  hiddenAbove: number;
  /** How many rows merged cells may still be repeated in. */
  repeatsLeft: number;
}

interface Range {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface SheetSurroundings {
  relationships: ReadonlyMap<string, Relationship>;
  cellsMax: number;
  charactersMax: number;
}

const MERGES_MAX = 20_000;
const REPEATS_MAX = 500_000;
const REPEATED_CHARACTERS_MAX = 60;
const PIECES = new Set(["s:row", "s:col", "s:mergeCell", "s:hyperlink", "s:dimension"]);

/** Reads the rows of a sheet, as they are shown. */
export function readSheet(
  content: Uint8Array,
  workbook: Workbook,
  { relationships, cellsMax, charactersMax }: SheetSurroundings,
): ReadSheet {
  const reading: Reading = {
    rows: [],
    cellCount: 0,
    hiddenRows: 0,
    hiddenColumns: 0,
    isCut: false,
    workbook,
    cellsMax,
    charactersMax,
    hidden: [],
    lastRow: 0,
    hiddenAbove: 0,
    repeatsLeft: REPEATS_MAX,
  };
  let merges = 0;
  const byIndex = () => new Map(reading.rows.map((row) => [row.index, row]));
  let rowsByIndex: ReturnType<typeof byIndex> | undefined;
  const fault = readXmlPieces(content, {
    isPiece: (name) => PIECES.has(name),
    take(element) {
      if (element.name === "s:row") takeRow(element, reading);
      else if (element.name === "s:col") takeColumn(element, reading);
      else if (element.name === "s:dimension")
        reading.rowsInAll = (rangeOf(attributeOf(element, "ref"))?.bottom ?? -1) + 1;
      else if (++merges <= MERGES_MAX) {
        rowsByIndex ??= byIndex();
        if (element.name === "s:mergeCell") repeatMerged(element, rowsByIndex, reading);
        else takeLink(element, rowsByIndex, relationships);
      }
      return reading.isCut ? "stop" : undefined;
    },
  });
  return { ...reading, fault };
}

function takeColumn(element: XmlElement, reading: Reading): void {
  if (!isOn(attributeOf(element, "hidden"))) return;
  const left = Number(attributeOf(element, "min")) - 1;
  const right = Number(attributeOf(element, "max")) - 1;
  if (left >= 0 && right >= left) reading.hidden.push({ left, right, top: 0, bottom: 0 });
}

const isOn = (value: string | undefined) => value === "1" || value === "true";

function takeRow(element: XmlElement, reading: Reading): void {
  const { rows, workbook } = reading;
  const index = Number(attributeOf(element, "r") ?? reading.lastRow + 1) - 1;
  if (!Number.isInteger(index) || index < 0) return;
  reading.lastRow = index + 1;
  const isHidden = isOn(attributeOf(element, "hidden"));
  if (isHidden) reading.hiddenAbove += 1;
  const cells = new Map<number, GridCell>();
  let column = -1;
  for (const each of childrenOf(element, "s:c")) {
    column = rangeOf(attributeOf(each, "r"))?.left ?? column + 1;
    if (cells.size >= GRID_BOUNDS.columnsMax) break;
    const cell = readCell(each, workbook);
    if (cell !== undefined) cells.set(column, cell);
  }
  if (cells.size === 0) return;
  if (isHidden) {
    reading.hiddenRows += 1;
    return;
  }
  for (const at of cells.keys()) {
    if (!reading.hidden.some(({ left, right }) => at >= left && at <= right)) continue;
    cells.delete(at);
    reading.hiddenColumns += 1;
  }
  // One string may stand in many cells.
  for (const { text } of cells.values()) reading.charactersMax -= text.length;
  const isFull = reading.cellCount + cells.size > reading.cellsMax || reading.charactersMax < 0;
  if (rows.length >= GRID_BOUNDS.rowsOfSheetMax || isFull) {
    reading.isCut = true;
    return;
  }
  reading.cellCount += cells.size;
  if (cells.size === 0) return;
  rows.push({ index, hiddenAbove: reading.hiddenAbove, cells });
  reading.hiddenAbove = 0;
}

function readCell(element: XmlElement, { strings, formats }: Workbook): GridCell | undefined {
  const type = attributeOf(element, "t") ?? "n";
  const value = textIn(childOf(element, "s:v"));
  switch (type) {
    case "s":
      return cellOf(value.trim() === "" ? "" : (strings[Number(value)] ?? ""), false);
    case "inlineStr":
      return cellOf(richText(childOf(element, "s:is")), false);
    case "b":
      return value === "" ? undefined : cellOf(value === "1" || value === "true" ? "TRUE" : "FALSE", true);
    case "d":
      return cellOf(value.replace(/T00:00:00(?:\.0+)?Z?$/, "").replace("T", " "), true);
    case "str":
    case "e":
      return cellOf(value, type === "e");
    default: {
      const number = Number(value);
      if (value.trim() === "") return undefined;
      const style = Number(attributeOf(element, "s") ?? 0);
      return cellOf(Number.isFinite(number) ? formats.show(number, style) : value, true);
    }
  }
}

const cellOf = (text: string, isValue: boolean): GridCell | undefined =>
  text.trim() === "" ? undefined : { text: text.trim().slice(0, GRID_BOUNDS.charactersOfCellMax), isValue };

/** What a merged cell says in each of its rows, so that a row says it where it stands alone. */
function repeatMerged(
  element: XmlElement,
  rows: ReadonlyMap<number, GridRow>,
  reading: Pick<Reading, "repeatsLeft" | "lastRow">,
): void {
  const range = rangeOf(attributeOf(element, "ref"));
  if (range === undefined || range.bottom === range.top) return;
  const cell = rows.get(range.top)?.cells.get(range.left);
  if (cell === undefined || cell.text.length > REPEATED_CHARACTERS_MAX) return;
  const last = Math.min(range.bottom, reading.lastRow, range.top + reading.repeatsLeft);
  for (let index = range.top + 1; index <= last; index++) {
    reading.repeatsLeft -= 1;
    const row = rows.get(index);
    if (row !== undefined && !row.cells.has(range.left)) withCell(row, range.left, cell);
  }
}

function withCell(row: GridRow, column: number, cell: GridCell): void {
  row.cells = new Map([...row.cells, [column, cell] as const]);
}

function takeLink(
  element: XmlElement,
  rows: ReadonlyMap<number, GridRow>,
  relationships: ReadonlyMap<string, Relationship>,
): void {
  const range = rangeOf(attributeOf(element, "ref"));
  const { target, isExternal } = relationships.get(attributeOf(element, "r:id") ?? "") ?? {};
  const row = range === undefined ? undefined : rows.get(range.top);
  const cell = range === undefined ? undefined : row?.cells.get(range.left);
  if (row === undefined || range === undefined || cell === undefined || isExternal !== true) return;
  const href = linkOf(target);
  if (href !== undefined) withCell(row, range.left, { ...cell, href });
}

/** `B3:C7` as places that count from 0. */
function rangeOf(reference: string | undefined): Range | undefined {
  const found = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/i.exec(reference ?? "");
  if (found === null) return undefined;
  const [, left = "", top = "", right = left, bottom = top] = found;
  return { left: columnOf(left), right: columnOf(right), top: Number(top) - 1, bottom: Number(bottom) - 1 };
}

const columnOf = (letters: string) =>
  [...letters.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
