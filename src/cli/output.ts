import { printableLine } from "@docent/kernel/lib/printable";
import type { Context } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { bold, dim, type Text } from "./terminal/text.ts";

/** Prints rows as JSON with `--json`, as a table for people otherwise. */
export function printRows<R extends object>(
  context: Context,
  rows: R[],
  columns: Record<string, (row: R) => string>,
  empty: string,
): undefined {
  if (context.options["json"] === true) printJson(context, rows);
  else if (rows.length === 0) context.terminal.err(`${empty}\n`);
  else printTable(context.terminal, rows, columns);
}

export function printJson(context: Context, value: unknown): undefined {
  context.terminal.json(value);
}

/** Tells people something beside the result; a program that asked for JSON is told it as JSON. */
export function printNote({ options, terminal }: Context, message: string): void {
  if (options["json"] === true) terminal.errJson({ message });
  else terminal.err(`${message}\n`);
}

/**
 * Prints a table; where the terminal is too narrow, each row as a list. Long text in the last column wraps.
 */
export function printTable<R>(
  terminal: Terminal,
  rows: R[],
  columns: Record<string, (row: R) => string>,
): void {
  const heads = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((show) => printableLine(show(row))));
  const widths = heads.map((head, column) =>
    Math.max(...[head, ...cells.map((row) => row[column] ?? "")].map((cell) => Bun.stringWidth(cell))),
  );
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const width = before + Math.min(widths.at(-1) ?? 0, LAST_COLUMNS_MIN);
  terminal.out(width <= terminal.columns ? asTable(heads, cells, widths) : asLists(heads, cells));
}

const GAP = "  ";
/** The last column needs at least this much room beside the others. */
const LAST_COLUMNS_MIN = 26;

function asTable(heads: string[], cells: string[][], widths: number[]): Text {
  const line = (row: string[]) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd();
  return [bold(line(heads)), ...cells.map((row) => `\n${line(row)}`), "\n"];
}

function asLists(heads: string[], cells: string[][]): Text {
  const width = Math.max(...heads.map((head) => head.length));
  return cells.map((row, index) => [
    index === 0 ? "" : "\n",
    ...heads.map((head, column) => [dim(pad(head, width)), `${GAP}${row[column] ?? ""}\n`]),
  ]);
}

const pad = (text: string, width: number) => text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** A text on one line, of which no more is shown than fits. */
export function cutLine(text: string, charactersMax: number): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > charactersMax ? `${line.slice(0, charactersMax - 1).toWellFormed()}…` : line;
}

/** A number of things: "1 page", "97 pages". */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A moment as people read it, in UTC. */
export function showTime(at: number | undefined): string {
  return at === undefined ? "-" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

/** A line that is overwritten while something takes longer than a second. Only terminals show it. */
export function createProgress(terminal: Terminal, clock: () => number) {
  const startedAt = clock();
  let shownAt = 0;
  return {
    show(text: string): void {
      const now = clock();
      if (now - startedAt < 1000 || now - shownAt < 100) return;
      shownAt = now;
      terminal.progress(text);
    },
    clear(): void {
      terminal.progress();
    },
  };
}
