import { isInPivot, isOwnResult, otherFormOf, type PivotRanges, pivotRangesOf } from "./own-results.ts";
import type { Reference, ReferenceCell } from "./reference.ts";

/*
 * Reads the flat OpenDocument that LibreOffice writes of any document. It is read here and not by our reader of
 * OpenDocument, which is among those that are measured.
 */

const TOKEN = /<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w:.-]+)=(?:"([^"]*)"|'([^']*)')/g;

/** What our readers leave out on purpose: changes that were undone, comments, lists of contents, numbers of pages. */
const LEFT_OUT = new Set([
  "text:tracked-changes",
  "table:tracked-changes",
  "office:annotation",
  "officeooo:annotation",
  "text:note-citation",
  "text:table-of-content",
  "text:illustration-index",
  "text:table-index",
  "text:alphabetical-index",
  "text:page-number",
  "text:page-count",
  "text:placeholder",
  "text:text-input",
  "presentation:header",
  "presentation:footer",
  "presentation:date-time",
  "table:content-validations",
]);
/** Copies that the format makes for programs that do not know a shape, and what is no text at all. */
const NO_TEXT = new Set([
  "office:binary-data",
  "office:event-listeners",
  "office:forms",
  "office:settings",
  "svg:title",
  "svg:desc",
  "math:annotation",
  "draw:object",
]);
const BREAKS = new Set(["text:p", "text:h", "table:table-cell", "text:line-break"]);
const SPACES = new Set(["text:s", "text:tab"]);
const REPEATS_MAX = 50;

interface Element {
  name: string;
  isLeftOut: boolean;
  isText: boolean;
}

interface State {
  hiddenStyles: Set<string>;
  style: string;
  open: Element[];
  all: string[];
  meant: string[];
  rows: ReferenceCell[][];
  /** The rows that are open: of a table, and of tables in its cells. */
  openRows: OpenRow[];
  openTables: OpenTable[];
  pivots: PivotRanges;
  /** Changes that take words out, and those of them that are open where these still stand. */
  deletions: Set<string>;
  deleting: Set<string>;
  change: string;
  cell: OpenCell | undefined;
}

interface OpenTable {
  rows: ReferenceCell[][];
  name: string;
  /** The rows that have begun, each as often as it is repeated. */
  rowCount: number;
}

interface OpenRow {
  cells: ReferenceCell[];
  isLeftOut: boolean;
  columnCount: number;
  /** Its place in its table, from 1. */
  number: number;
}

interface OpenCell {
  words: string;
  repeats: number;
  column: number;
  attributes: ReadonlyMap<string, string>;
}

export function readFlatDocument(xml: string): Reference {
  const state: State = {
    hiddenStyles: new Set(),
    style: "",
    open: [],
    all: [],
    meant: [],
    rows: [],
    openRows: [],
    openTables: [],
    pivots: pivotRangesOf(xml),
    deletions: new Set(),
    deleting: new Set(),
    change: "",
    cell: undefined,
  };
  for (const [, slash, name, attributes = "", end, text] of xml.matchAll(TOKEN)) {
    if (text !== undefined) takeText(state, text);
    else if (name !== undefined && slash === "/") closeElement(state);
    else if (name !== undefined) {
      openElement(state, name, attributesOf(attributes));
      if (end === "/") closeElement(state);
    }
  }
  return { all: state.all.join(""), meant: state.meant.join(""), rows: state.rows };
}

function attributesOf(written: string): Map<string, string> {
  return new Map([...written.matchAll(ATTRIBUTE)].map(([, name = "", a, b]) => [name, a ?? b ?? ""]));
}

function openElement(state: State, name: string, attributes: ReadonlyMap<string, string>): void {
  const outer = state.open.at(-1);
  noteStyle(state, name, attributes);
  noteChange(state, name, attributes);
  const isBody = name === "office:body" && state.open.length === 1;
  const isText = isBody || (outer?.isText === true && !NO_TEXT.has(name));
  const isPrompt = attributes.get("loext:showing-place-holder") === "true";
  const isLeftOut =
    outer?.isLeftOut === true || LEFT_OUT.has(name) || isPrompt || isHidden(state, attributes);
  state.open.push({ name, isLeftOut, isText });
  openTablePart(state, name, attributes, isLeftOut);
  if (SPACES.has(name)) takeText(state, " ");
}

function openTablePart(
  state: State,
  name: string,
  attributes: ReadonlyMap<string, string>,
  isLeftOut: boolean,
): void {
  const table = state.openTables.at(-1);
  const row = state.openRows.at(-1);
  const count = (of: string) => Number(attributes.get(`table:number-${of}-repeated`) ?? 1);
  if (name === "table:table")
    state.openTables.push({ rows: [], name: decoded(attributes.get("table:name") ?? ""), rowCount: 0 });
  if (name === "table:table-row" && table !== undefined) {
    state.openRows.push({ cells: [], isLeftOut, columnCount: 0, number: table.rowCount + 1 });
    table.rowCount += count("rows");
  }
  if (!/^table:(?:covered-)?table-cell$/.test(name) || row === undefined) return;
  const column = row.columnCount + 1;
  const repeats = count("columns");
  row.columnCount += repeats;
  if (name === "table:table-cell")
    state.cell = { words: "", repeats: Math.min(REPEATS_MAX, repeats), column, attributes };
}

/** Remembers which styles hide what they are of. */
function noteStyle(state: State, name: string, attributes: ReadonlyMap<string, string>): void {
  if (name === "style:style") state.style = attributes.get("style:name") ?? "";
  const hides =
    attributes.get("text:display") === "none" ||
    attributes.get("presentation:visibility") === "hidden" ||
    (name === "style:table-properties" && attributes.get("table:display") === "false");
  if (hides && name.startsWith("style:")) state.hiddenStyles.add(state.style);
}

/** Remembers which changes take words out. Where LibreOffice shows them, their words stand among the others. */
function noteChange(state: State, name: string, attributes: ReadonlyMap<string, string>): void {
  const of = attributes.get("text:change-id") ?? "";
  if (name === "text:changed-region")
    state.change = attributes.get("text:id") ?? attributes.get("xml:id") ?? "";
  if (name === "text:deletion") state.deletions.add(state.change);
  if (name === "text:change-start" && state.deletions.has(of)) state.deleting.add(of);
  if (name === "text:change-end") state.deleting.delete(of);
}

function isHidden({ hiddenStyles }: State, attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.get("presentation:placeholder") === "true") return true;
  if (/^(?:header|footer|date-time|page-number)$/.test(attributes.get("presentation:class") ?? ""))
    return true;
  if (/^(?:collapse|filter)$/.test(attributes.get("table:visibility") ?? "")) return true;
  return ["text:style-name", "table:style-name", "draw:style-name"].some((name) =>
    hiddenStyles.has(attributes.get(name) ?? " "),
  );
}

function closeElement(state: State): void {
  const { name = "" } = state.open.at(-1) ?? {};
  if (BREAKS.has(name)) takeText(state, "\n");
  state.open.pop();
  const row = state.openRows.at(-1);
  if (name === "table:table-cell" && state.cell !== undefined) {
    if (row !== undefined) takeCell(state, row, state.cell);
    // What follows in an outer cell, behind a table within it, is no cell of one table alone.
    state.cell = undefined;
  }
  if (name === "table:table-row") {
    state.openRows.pop();
    if (row !== undefined && !row.isLeftOut && row.cells.length > 1)
      state.openTables.at(-1)?.rows.push(row.cells);
  }
  if (name !== "table:table") return;
  const { rows = [] } = state.openTables.pop() ?? {};
  // One row is no table: such are set beside each other, and read one after the other.
  if (rows.length > 1) state.rows.push(...rows);
}

function takeCell(
  state: State,
  row: OpenRow,
  { words: written, repeats, column, attributes }: OpenCell,
): void {
  const words = written.trim();
  if (words === "") return;
  const pivots = state.pivots.get(state.openTables.at(-1)?.name ?? "") ?? [];
  for (let time = 0; time < repeats; time += 1)
    row.cells.push({
      words,
      otherForm: otherFormOf(attributes, words),
      isOwnResult:
        isOwnResult(attributes.get("table:formula") ?? "", words) ||
        isInPivot(pivots, column + time, row.number),
    });
}

function takeText(state: State, written: string): void {
  const element = state.open.at(-1);
  if (element === undefined || !element.isText) return;
  // White space between elements stands for nothing, and what breaks lines is not of the document's letters.
  const text = written === "\n" || written === " " ? written : decoded(written.replace(/\s+/g, " "));
  state.all.push(text);
  if (element.isLeftOut || state.deleting.size > 0) return;
  state.meant.push(text);
  // Notes of a cell's words stand below its table in ours.
  const isNote = state.open.some(({ name }) => name === "text:note");
  if (state.cell !== undefined && !isNote) state.cell.words += text;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decoded = (text: string) =>
  text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
