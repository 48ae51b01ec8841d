import { type Body, createBody } from "../blocks/blocks.ts";
import type { DocumentReader } from "../document.ts";
import { readDrawingPart } from "../drawing/drawing.ts";
import { GRID_BOUNDS, writeGrid } from "../grid/grid.ts";
import {
  type DocumentPackage,
  dataOf,
  openOffice,
  readRelationships,
  targetOfType,
  toDocument,
} from "../package/package.ts";
import { type ReadSheet, readSheet } from "./sheet.ts";
import { readWorkbook, type SheetPlace, type Workbook } from "./workbook.ts";

/** Reads a workbook of Excel 2007 or later: what its sheets show, and no formula. */
export const readWorkbookSheets: DocumentReader = async (content, bounds) => {
  const opened = await openOffice(content, bounds, {
    what: "a workbook",
    folder: "xl",
    usualPart: "xl/workbook.xml",
  });
  if ("unreadable" in opened) return opened;
  const faults: string[] = [];
  const workbook = await readWorkbook(opened, faults);
  const shown = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const hidden = workbook.sheets.length - shown.length;
  if (hidden > 0) faults.push(`has ${counted(hidden, "hidden sheet")}, left out`);
  if (shown.length > GRID_BOUNDS.sheetsMax)
    faults.push(`has ${shown.length} sheets, of which the first ${GRID_BOUNDS.sheetsMax} are read`);
  const body = createBody(bounds.charactersMax);
  const state = {
    cellsLeft: GRID_BOUNDS.cellsMax,
    charactersMax: bounds.charactersMax,
    source: opened.source,
    body,
    faults,
    workbook,
  };
  for (const sheet of shown.slice(0, GRID_BOUNDS.sheetsMax)) {
    if (body.isFull() || state.cellsLeft <= 0) {
      faults.push(`has more than is read: from its sheet “${sheet.name}” on it is left out`);
      break;
    }
    await writeSheet(sheet, state);
  }
  return toDocument(
    { data: dataOf(opened.data), markdown: body.finish(), faults: [...opened.source.faults(), ...faults] },
    "has no text: its sheets are empty",
  );
};

interface Writing {
  cellsLeft: number;
  charactersMax: number;
  source: DocumentPackage;
  body: Body;
  faults: string[];
  workbook: Workbook;
}

async function writeSheet({ name, part }: SheetPlace, state: Writing): Promise<void> {
  const { source, body, faults, workbook } = state;
  const content = await source.read(part);
  if (content === undefined) return;
  const relationships = await readRelationships(source, part);
  const sheet = readSheet(content, workbook, {
    relationships,
    cellsMax: state.cellsLeft,
    charactersMax: state.charactersMax,
  });
  state.cellsLeft -= sheet.cellCount;
  const drawing = targetOfType(relationships, "drawing");
  const drawn = drawing === undefined ? [] : await readDrawingPart(source, drawing);
  faults.push(...faultsOf(name, sheet));
  if (sheet.rows.length === 0 && drawn.length === 0) return;
  body.push({ kind: "heading", level: 2, spans: [{ text: name }] });
  writeGrid(sheet.rows, body);
  for (const block of drawn) body.push(block);
}

function faultsOf(
  name: string,
  { rows, rowsInAll = 0, isCut, hiddenRows, hiddenColumns, fault }: ReadSheet,
): string[] {
  const where = `in its sheet “${name}”`;
  const read = rows.length.toLocaleString("en");
  const inAll = rowsInAll > rows.length ? rowsInAll.toLocaleString("en") : `more than ${read}`;
  return [
    ...(isCut ? [`has ${inAll} rows ${where}, of which the first ${read} are read`] : []),
    ...(hiddenRows > 0 ? [`has ${counted(hiddenRows, "hidden row")} ${where}, left out`] : []),
    ...(hiddenColumns > 0 ? [`has hidden columns ${where}, left out`] : []),
    ...(fault === undefined ? [] : [`is damaged ${where}: ${fault}; what comes after is not read`]),
  ];
}

const counted = (count: number, thing: string) =>
  `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
