/** How much of a file's rows is kept. */
interface RowBounds {
  rowsMax: number;
  columnsMax: number;
  cellCharactersMax: number;
  /** Of all cells. */
  charactersMax: number;
}

/** The rows of a file, up to the bounds, and what there is in all. */
export interface Rows {
  rows: string[][];
  /** Rows with a value, those beyond the bounds too. */
  rowCount: number;
  /** Cells of the widest row. */
  columnCount: number;
  /** Cells that are longer than they may be. */
  cutCells: number;
  /** A cell began with a quote that nothing closes: from there on quotes were read as words. */
  hasOpenQuote: boolean;
}

/** The position in a file that is read; cells of a row beyond the bounds are counted, and not kept. */
interface Scan extends Rows {
  readonly text: string;
  readonly delimiter: string;
  readonly bounds: RowBounds;
  at: number;
  characters: number;
}

/** A quoted cell is not longer: its quote was never closed. */
const QUOTED_CHARACTERS_MAX = 1_000_000;

/** Reads rows of cells: quotes around a cell, doubled ones in it, line breaks in quotes. Takes linear time. */
export function readRows(text: string, delimiter: string, bounds: RowBounds): Rows {
  const scan: Scan = {
    text,
    delimiter,
    bounds,
    at: 0,
    characters: 0,
    rows: [],
    rowCount: 0,
    columnCount: 0,
    cutCells: 0,
    hasOpenQuote: false,
  };
  while (scan.at < text.length) readRow(scan);
  const { rows, rowCount, columnCount, cutCells, hasOpenQuote } = scan;
  return { rows, rowCount, columnCount, cutCells, hasOpenQuote };
}

function readRow(scan: Scan): void {
  const { bounds } = scan;
  const keeps = scan.rows.length < bounds.rowsMax && scan.characters < bounds.charactersMax;
  const cells: string[] = [];
  let columns = 0;
  let filled = false;
  let cutCells = 0;
  for (let more = true; more; ) {
    const cell = readCell(scan);
    columns += 1;
    filled ||= cell.trim() !== "";
    if (keeps && cells.length < bounds.columnsMax) {
      if (cell.length > bounds.cellCharactersMax) cutCells += 1;
      cells.push(cell.slice(0, bounds.cellCharactersMax));
    }
    more = scan.text.startsWith(scan.delimiter, scan.at) && scan.at < scan.text.length;
    if (more) scan.at += scan.delimiter.length;
  }
  if (scan.text[scan.at] === "\r") scan.at += 1;
  if (scan.text[scan.at] === "\n") scan.at += 1;
  if (!filled) return;
  scan.rowCount += 1;
  scan.columnCount = Math.max(scan.columnCount, columns);
  if (!keeps) return;
  scan.rows.push(cells);
  scan.cutCells += cutCells;
  scan.characters += cells.reduce((sum, cell) => sum + cell.length, 0);
}

function readCell(scan: Scan): string {
  const quote = quoteAt(scan);
  if (quote === undefined || scan.hasOpenQuote) return readPlain(scan);
  const closed = readQuoted(scan, quote);
  if (closed !== undefined) return closed + readPlain(scan);
  scan.hasOpenQuote = true;
  return readPlain(scan);
}

/** The position of the quote with which a cell begins, behind spaces; undefined where it begins with something else. */
function quoteAt({ text, at }: Scan): number | undefined {
  let position = at;
  while (text[position] === " ") position += 1;
  return text[position] === '"' ? position : undefined;
}

function readQuoted(scan: Scan, quote: number): string | undefined {
  const parts: string[] = [];
  for (let from = quote + 1; ; ) {
    const end = scan.text.indexOf('"', from);
    if (end < 0 || end - quote > QUOTED_CHARACTERS_MAX) return undefined;
    parts.push(scan.text.slice(from, end));
    if (scan.text[end + 1] !== '"') {
      scan.at = end + 1;
      return parts.join("");
    }
    parts.push('"');
    from = end + 2;
  }
}

/** Reads up to the next delimiter or line break. */
function readPlain(scan: Scan): string {
  const { text, delimiter, at } = scan;
  const first = delimiter.charCodeAt(0);
  let end = at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 10 || code === 13 || (code === first && text.startsWith(delimiter, end))) break;
  }
  scan.at = end;
  return text.slice(at, end);
}
