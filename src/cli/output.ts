import type { Context, Terminal } from "./command.ts";

/** Rows as JSON where `--json` asks for it, as a table otherwise. */
export function printRows<R extends object>(
  context: Context,
  rows: R[],
  columns: Record<string, (row: R) => string>,
  empty: string,
): undefined {
  if (context.options["json"] === true) printJson(context, rows);
  else if (rows.length === 0) context.terminal.err(`${empty}\n`);
  else context.terminal.out(table(rows, columns));
}

export function printJson(context: Context, value: unknown): undefined {
  context.terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}

function table<R>(rows: R[], columns: Record<string, (row: R) => string>): string {
  const heads = Object.keys(columns);
  const cells = [heads, ...rows.map((row) => Object.values(columns).map((show) => show(row)))];
  const widths = heads.map((_, column) =>
    Math.max(...cells.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

const pad = (text: string, width: number) => text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** A moment as people read it, in UTC. */
export function showTime(at: number | undefined): string {
  return at === undefined ? "-" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

/** One line that is written over while something takes longer than a second, on a terminal alone. */
export function createProgress(terminal: Terminal, clock: () => number) {
  const startedAt = clock();
  let shownAt = 0;
  let shown = false;
  return {
    show(text: string): void {
      const now = clock();
      if (!terminal.isInteractive || now - startedAt < 1000 || now - shownAt < 100) return;
      shownAt = now;
      shown = true;
      terminal.err(`\r\u001b[2K${text.slice(0, Math.max(20, terminal.columns - 1))}`);
    },
    clear(): void {
      if (shown) terminal.err("\r\u001b[2K");
      shown = false;
    },
  };
}

/** Text that leads somewhere, for terminals that know links. */
export function link(terminal: Terminal, text: string, url: string): string {
  return terminal.isInteractive ? `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\` : `${text} (${url})`;
}

export const bold = (terminal: Terminal, text: string) =>
  terminal.isInteractive ? `\u001b[1m${text}\u001b[22m` : text;
export const dim = (terminal: Terminal, text: string) =>
  terminal.isInteractive ? `\u001b[2m${text}\u001b[22m` : text;
