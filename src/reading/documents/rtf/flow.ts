import { writeCell } from "../write-cell.ts";

/** Words with one target, if they are a link's; or Markdown, such as the mark of a footnote. */
export interface Run {
  words: string;
  href?: string;
  isMarkdown?: boolean;
}

/** How a paragraph is set, as far as it says what the paragraph is. */
export interface ParagraphStyle {
  style: number | undefined;
  /** 0 for a heading of the first level. */
  outlineLevel: number | undefined;
  isInTable: boolean;
  listLevel: number;
  /** From the left, in twentieths of a point. */
  indent: number;
}

export const PLAIN: ParagraphStyle = {
  style: undefined,
  outlineLevel: undefined,
  isInTable: false,
  listLevel: 0,
  indent: 0,
};

export interface Paragraph {
  kind: "paragraph";
  runs: Run[];
  style: ParagraphStyle;
  /** The bullet or number before it. */
  marker: string | undefined;
}

/** A table by rows, cells and their words. */
interface Table {
  kind: "table";
  rows: Run[][][];
}

export type Block = Paragraph | Table;

/** A stream of paragraphs: the text, or what stands beside it, such as a footnote or a box. */
export interface Flow {
  blocks: Block[];
  /** The paragraph that is open. */
  runs: Run[];
  style: ParagraphStyle;
  /** The bullet or number before it. */
  marker: string | undefined;
  /** The paragraphs of the open cell, each ended by a line break; the cells of the open row; the rows of the open table. */
  cell: Run[];
  cells: Run[][];
  rows: Run[][][];
  /** The cells of the open row of a table inside a cell. */
  nested: Run[];
  /** Boxes that stand beside the open paragraph. */
  beside: Block[];
}

export const newFlow = (): Flow => ({
  blocks: [],
  runs: [],
  style: PLAIN,
  marker: undefined,
  cell: [],
  cells: [],
  rows: [],
  nested: [],
  beside: [],
});

/** A run of its own: words that follow are added to it. */
const lineBreak = (): Run => ({ words: "\n" });

export function addRun(flow: Flow, run: Run, style: ParagraphStyle): void {
  flow.style = style;
  const last = flow.runs.at(-1);
  if (last !== undefined && !last.isMarkdown && !run.isMarkdown && last.href === run.href)
    last.words += run.words;
  else flow.runs.push({ ...run });
}

/** Ends a paragraph; in a table it stays in its cell. */
export function endParagraph(flow: Flow, style: ParagraphStyle): void {
  const marker = flow.marker;
  const runs = takeRuns(flow);
  const isInTable = style.isInTable || flow.cells.length > 0 || flow.cell.length > 0;
  if (isInTable) {
    if (runs.length > 0) flow.cell.push(...withMarker(runs, marker), lineBreak());
  } else {
    endTable(flow);
    if (runs.length > 0)
      flow.blocks.push({ kind: "paragraph", runs, style: mergeStyles(flow.style, style), marker });
  }
  flow.style = PLAIN;
  if (flow.rows.length === 0 && !isInTable) flow.blocks.push(...flow.beside.splice(0));
}

/** A heading whose group ended before its paragraph did is one all the same. */
function mergeStyles(words: ParagraphStyle, end: ParagraphStyle): ParagraphStyle {
  return end.style === undefined && end.outlineLevel === undefined
    ? { ...words, isInTable: end.isInTable }
    : end;
}

const withMarker = (runs: Run[], marker: string | undefined): Run[] =>
  marker === undefined ? runs : [{ words: `${marker} ` }, ...runs];

function takeRuns(flow: Flow): Run[] {
  const runs = flow.runs;
  flow.runs = [];
  flow.marker = undefined;
  return runs.some(({ words }) => words.trim() !== "") ? runs : [];
}

export function endCell(flow: Flow): void {
  const marker = flow.marker;
  flow.cells.push([...flow.cell, ...withMarker(takeRuns(flow), marker)]);
  flow.cell = [];
}

export function endRow(flow: Flow): void {
  if (flow.cells.some((runs) => runs.length > 0)) flow.rows.push(flow.cells);
  flow.cells = [];
}

/** A table inside a cell is words of the cell: a line for each row. */
export function endNestedCell(flow: Flow): void {
  const above = flow.cell.map((run) => (run.words === "\n" ? { words: " " } : run));
  const runs = [...above, ...takeRuns(flow)];
  flow.cell = [];
  if (runs.length > 0) flow.nested.push(...(flow.nested.length > 0 ? [{ words: "; " }] : []), ...runs);
}

export function endNestedRow(flow: Flow): void {
  if (flow.nested.length > 0) flow.runs.push(...flow.nested, lineBreak());
  flow.nested = [];
}

/** Ends all that is open, such as at the end of the text. */
export function endFlow(flow: Flow): Block[] {
  if (flow.nested.length > 0) endNestedRow(flow);
  if (flow.cells.length > 0 || flow.cell.length > 0) {
    endCell(flow);
    endRow(flow);
  }
  endParagraph(flow, PLAIN);
  flow.blocks.push(...flow.beside.splice(0));
  return flow.blocks;
}

function endTable(flow: Flow): void {
  if (flow.rows.length > 0) flow.blocks.push({ kind: "table", rows: flow.rows });
  flow.rows = [];
}

export const cellWords = (runs: readonly Run[]) => writeCell(runs.map(({ words }) => words).join(""));
