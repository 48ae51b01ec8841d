import { writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { splitArguments } from "./roff.ts";

const ROWS_MAX = 5_000;
const COLUMNS_MAX = 60;

/** A table of tbl(1) as Markdown. Its first row is the head. */
export function writeTable(lines: readonly string[], write: (text: string) => string): string {
  let at = 0;
  let separator = "\t";
  const first = lines[0] ?? "";
  if (first.trimEnd().endsWith(";")) {
    separator = /\btab\s?\((.)\)/.exec(first)?.[1] ?? separator;
    at = 1;
  }
  at = afterFormat(lines, at);
  const rows: string[][] = [];
  while (at < lines.length && rows.length < ROWS_MAX) {
    const line = lines[at] ?? "";
    if (line.startsWith(".T&")) at = afterFormat(lines, at + 1);
    else if (/^[.']/.test(line) || /^\s*(?:[_=]\s*)?$/.test(line)) at += 1;
    else at = readRow(lines, at, separator, rows);
  }
  const cells = rows.map((row) => row.slice(0, COLUMNS_MAX).map((cell) => cellOf(cell, write)));
  const filled = cells.filter((row) => row.some((cell) => cell !== ""));
  return filled.length === 0 ? "" : writeMarkdownTable(filled);
}

/** The lines of a format end with a point. */
function afterFormat(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++) if ((lines[at] ?? "").trimEnd().endsWith(".")) return at + 1;
  return lines.length;
}

/** Reads a row; `T{` begins a cell that goes on to `T}`. */
function readRow(lines: readonly string[], from: number, separator: string, rows: string[][]): number {
  let at = from;
  const row: string[] = [];
  let rest = lines[at++] ?? "";
  for (;;) {
    const cells = rest.split(separator);
    const last = cells.at(-1)?.trim() ?? "";
    row.push(...cells.slice(0, -1));
    if (last !== "T{") {
      row.push(last);
      break;
    }
    const inside: string[] = [];
    while (at < lines.length && !(lines[at] ?? "").startsWith("T}")) inside.push(lines[at++] ?? "");
    row.push(inside.map(wordsOfLine).join(" "));
    const after = (lines[at++] ?? "").slice(2);
    if (!after.startsWith(separator)) break;
    rest = after.slice(separator.length);
  }
  rows.push(row);
  return at;
}

/** Requests and macros whose words say how a cell is set. */
const UNSAID = /^(?:[a-z].*|[HILPT]?P|TQ|RS|RE|PD|UR|MT)$/;

/** The words of a line in a cell: what macros set in fonts has escapes for them. */
function wordsOfLine(line: string): string {
  const [, name, rest = ""] = /^[.']\s*(\w+)\s?(.*)$/.exec(line) ?? [];
  if (name === undefined) return /^[.']\s*(?:\\"|$)/.test(line) ? "" : line;
  const args = splitArguments(rest);
  if (name === "B" || name === "I") return `\\f${name}${args.join(" ")}\\fR`;
  if (name === "MR") return `${args[0] ?? ""}(${args[1] ?? ""})${args[2] ?? ""}`;
  if (name === "IP") return args[0] ?? "";
  if (/^[BIR]{2}$/.test(name))
    return [...args.map((arg, index) => `\\f${name[index % 2]}${arg}`), "\\fR"].join("");
  return UNSAID.test(name) ? "" : args.join(" ");
}

const cellOf = (text: string, write: (text: string) => string) =>
  /^(?:\\_|\\=|_|=|\\\^)$/.test(text.trim()) ? "" : write(text).replace(/(?<!\\)\|/g, "\\|");
