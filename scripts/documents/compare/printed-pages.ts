import type { Reference, ReferenceCell } from "./reference.ts";

const EDGE_LINES = 3;
const REPEATS_MIN = 3;
const NUMBER_ALONE = /^(?:page|seite)?\s*[-–—]?\s*(?:\d{1,5}|[ivxlc]{1,7})\s*[-–—]?$/i;

/** Reads text with a form feed behind each page, as pdftotext writes it. */
export function readPages(written: string, leftOut: ReadonlySet<number>): Reference {
  const pages = written.split("\f").map((page, index) => (leftOut.has(index + 1) ? [] : page.split("\n")));
  const running = runningLines(pages);
  const seen = new Set<string>();
  const meant = pages.map((lines) => {
    const edges = edgesOf(lines);
    return lines.filter((line, index) => {
      if (!edges.has(index)) return true;
      const words = withoutNumbers(line);
      if (words === "#" || NUMBER_ALONE.test(line.trim())) return pages.length < REPEATS_MIN;
      if (!running.has(words) || !seen.has(words)) {
        seen.add(words);
        return true;
      }
      return false;
    });
  });
  return {
    all: written,
    meant: meant.map((lines) => lines.join("\n")).join("\n"),
    rows: rowsOf(pages.flat()),
  };
}

const withoutNumbers = (line: string) => line.trim().toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ");

/** The places of the first and last lines of a page. */
function edgesOf(lines: readonly string[]): Set<number> {
  const filled = lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]));
  return new Set([...filled.slice(0, EDGE_LINES), ...filled.slice(-EDGE_LINES)]);
}

/** Lines that stand at the edges of several pages, numbers aside. */
function runningLines(pages: readonly (readonly string[])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const own = new Set([...edgesOf(lines)].map((index) => withoutNumbers(lines[index] ?? "")));
    for (const words of own) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= REPEATS_MIN).map(([words]) => words));
}

const CELLS_MIN = 3;
const CELL_WORDS_MAX = 6;
const ROWS_MIN = 3;

/** Lines of several short cells that follow each other: with `-layout`, such are rows of a table. */
function rowsOf(lines: readonly string[]): ReferenceCell[][] {
  const rows: ReferenceCell[][] = [];
  let block: ReferenceCell[][] = [];
  for (const line of [...lines, "x"]) {
    const cells = line
      .trim()
      .split(/\s{2,}/)
      .filter((cell) => cell !== "");
    if (cells.length === 0) continue;
    if (cells.length >= CELLS_MIN && cells.every((cell) => cell.split(" ").length <= CELL_WORDS_MAX)) {
      block.push(cells.map((words) => ({ words })));
      continue;
    }
    if (block.length >= ROWS_MIN) rows.push(...block);
    block = [];
  }
  return rows;
}
