import { writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { tableAt } from "../rst/rst.ts";

/** A table that is drawn with dashes, as one with bars. */
interface DrawnTable {
  lines: string[];
  /** The line behind it. */
  end: number;
}

const RULE = /^ {0,3}-{2,}(?: +-{2,})+ *$/;
const ROWS_MAX = 2_000;

/** The table whose head, or whose frame, is a line of a page. */
export function drawnTableAt(lines: readonly string[], at: number): DrawnTable | undefined {
  const line = lines[at] ?? "";
  if (/^\+[-=:]{2,}(?:[-=+:])*\+\s*$/.test(line)) return gridTable(lines, at);
  const rule = lines[at + 1] ?? "";
  if (line.trim() === "" || RULE.test(line) || !RULE.test(rule)) return undefined;
  const columns = [...rule.matchAll(/-+/g)].map(({ index }) => index);
  let end = at + 2;
  while (
    end < lines.length &&
    end - at < ROWS_MAX &&
    lines[end]?.trim() !== "" &&
    !RULE.test(lines[end] ?? "")
  )
    end++;
  const rows = [line, ...lines.slice(at + 2, end)].map((row) => cellsOf(row, columns));
  return { lines: writeMarkdownTable(rows).split("\n"), end: RULE.test(lines[end] ?? "") ? end + 1 : end };
}

/** Words right of a column's dashes may begin left of them: they go on from the blank before. */
function cellsOf(row: string, columns: readonly number[]): string[] {
  const starts = columns.map((column, index) => {
    if (index === 0) return 0;
    let start = column;
    while (start > 0 && row.charAt(start - 1) !== " " && row.charAt(start - 1) !== "") start--;
    return start;
  });
  return starts.map((start, index) => escaped(row.slice(start, starts[index + 1])));
}

function gridTable(lines: readonly string[], at: number): DrawnTable | undefined {
  const plain = lines.slice(at, at + ROWS_MAX);
  const end = plain.findIndex((line) => !/^[+|]/.test(line));
  const drawn = (end < 0 ? plain : plain.slice(0, end)).map((line) =>
    line.startsWith("+") ? line.replace(/:/g, line.includes("=") ? "=" : "-") : line,
  );
  const table = tableAt(drawn, 0);
  if (table === undefined || table.rows.length === 0) return undefined;
  const rows = table.rows.map((cells) => cells.map(escaped));
  return { lines: writeMarkdownTable(rows).split("\n"), end: at + drawn.length };
}

/** Blocks in a cell are its words. */
const withoutBlocks = (cell: string) =>
  cell
    .replace(/^[ \t]*:{3,}.*$/gm, "")
    .replace(/^([ \t]*#{1,6} (?:|.+?(?<![ \t])))[ \t]*\{[^{}\n]*\}[ \t]*$/gm, "$1");

const escaped = (cell: string) => withoutBlocks(cell).replace(/\s+/g, " ").trim().replace(/\\?\|/g, "\\|");
