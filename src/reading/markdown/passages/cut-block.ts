import { fenceOpening, listMarker } from "@docent/kernel/text/markdown-lines";
import { safeCut } from "@docent/kernel/text/snippet";
import { writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { type Block, listItems, scanBlocks } from "../md/md.ts";
import { tokenWeight } from "./tokens.ts";

/** Lists and quotes nested deeper are cut as plain lines. */
const MAX_NESTING = 4;

/** Cuts a block that is too large into Markdown of the same kind, each piece of at most `maxTokens`. */
export function cutBlock(block: Block, maxTokens: number, nesting = 0): string[] {
  if (block.kind === "table") return cutTable(withoutPadding(block.text), maxTokens);
  if (tokenWeight(block.text) <= maxTokens) return [block.text];
  if (block.kind === "code") return cutCode(block.text, maxTokens);
  if (nesting < MAX_NESTING && block.kind === "list") return cutList(block.text, maxTokens, nesting);
  if (nesting < MAX_NESTING && block.kind === "quote") return cutQuote(block.text, maxTokens, nesting);
  return block.kind === "paragraph" ? cutProse(block.text, maxTokens) : cutLines(block.text, maxTokens);
}

/** Cuts code; each piece is fenced again, in the same language. */
function cutCode(text: string, maxTokens: number): string[] {
  const lines = text.split("\n");
  const fence = fenceOpening(lines[0] ?? "");
  if (fence === undefined) return cutLines(text, maxTokens);
  const marks = fence.character.repeat(Math.min(fence.length, 10));
  const opening = marks + (tokenWeight(fence.info) < 40 ? fence.info : "");
  const closed = lines.length > 1 && lines.at(-1)?.trim().startsWith(marks) === true;
  const code = lines.slice(1, closed ? -1 : undefined).join("\n");
  const room = maxTokens - tokenWeight(`${opening}\n\n${marks}`);
  return cutLines(code, room).map((piece) => `${opening}\n${piece}\n${marks}`);
}

/** Formatters align the columns of a table, which costs a model only tokens. */
function withoutPadding(table: string): string {
  const narrow = (run: string, at: number) => (table[at + run.length] === "|" ? " " : run);
  return table.replace(/ {2,}/g, narrow).replace(/-{4,}/g, "---");
}

/**
 * Cuts a table; each piece repeats the header. Where a header or a row takes too much of the room, each piece has some of
 * the columns, the first one always: its cell says which row it is.
 */
function cutTable(text: string, maxTokens: number): string[] {
  if (tokenWeight(text) <= maxTokens) return [text];
  const lines = text.split("\n");
  const header = lines.slice(0, 2).join("\n");
  const headerWeight = tokenWeight(`${header}\n`);
  if (headerWeight > maxTokens / 3) return cutColumns(lines, maxTokens);
  const room = maxTokens - headerWeight;
  const pieces: string[] = [];
  let rows: string[] = [];
  const flush = () => {
    pieces.push(...pack(rows, room, "\n").map((piece) => `${header}\n${piece}`));
    rows = [];
  };
  for (const row of lines.slice(2)) {
    if (tokenWeight(row) <= room) {
      rows.push(row);
      continue;
    }
    flush();
    pieces.push(...cutRow(lines[0] ?? "", row, maxTokens));
  }
  flush();
  return pieces;
}

/** The marks between two columns of a header and of the line below. */
const COLUMN_WEIGHT = 4;

/** Cuts a table whose header is wide into several of fewer columns. */
function cutColumns(lines: string[], maxTokens: number): string[] {
  const [head = [], , ...rows] = lines.map(tableCells);
  const first = head[0] ?? "";
  const groups = groupColumns(
    head.slice(1).map((name) => tokenWeight(name) + COLUMN_WEIGHT),
    maxTokens / 4 - tokenWeight(first),
  );
  if (groups.length < 2) return cutLines(lines.join("\n"), maxTokens);
  return groups.flatMap(([start, end]) => {
    const part = [head, ...rows].map((cells) => [cells[0] ?? "", ...cells.slice(start + 1, end + 1)]);
    const filled = part.filter((cells, row) => row === 0 || cells.slice(1).some((cell) => cell !== ""));
    const table = writeMarkdownTable(filled);
    const header = table.split("\n", 2).join("\n");
    // A single column may be too wide by its name alone: it is not cut again.
    return tokenWeight(`${header}\n`) > maxTokens / 3
      ? cutLines(table, maxTokens)
      : cutTable(table, maxTokens);
  });
}

/** Cuts a row that is too long into tables of a row; a cell that is too long into pieces below its name. */
function cutRow(header: string, row: string, maxTokens: number): string[] {
  const names = tableCells(header);
  const [key = "", ...cells] = tableCells(row);
  const table = (start: number, end: number, words: string[]) =>
    writeMarkdownTable([
      [names[0] ?? "", ...names.slice(start + 1, end + 1)],
      [keyWeight > maxTokens / 8 ? "" : key, ...words],
    ]);
  const keyWeight = tokenWeight(key);
  const pieces =
    keyWeight > maxTokens / 8 ? cutProse(key, maxTokens / 2).map((part) => oneCell(names[0], part)) : [];
  const weights = cells.map(
    (cell, column) => tokenWeight(cell) + tokenWeight(names[column + 1] ?? "") + COLUMN_WEIGHT,
  );
  for (const [start, end] of groupColumns(weights, maxTokens / 2)) {
    const words = cells.slice(start, end);
    if (words.every((cell) => cell === "")) continue;
    const whole = table(start, end, words);
    const parts =
      tokenWeight(whole) <= maxTokens
        ? [words]
        : cutProse(words.join(" "), maxTokens / 2).map((part) => [part]);
    pieces.push(...parts.map((part) => table(start, end, part)));
  }
  return pieces.flatMap((piece) => (tokenWeight(piece) <= maxTokens ? [piece] : cutLines(piece, maxTokens)));
}

const oneCell = (name: string | undefined, words: string) => writeMarkdownTable([[name ?? ""], [words]]);

/** The neighbouring columns that fit a room together, from and to; one that does not fit is alone. */
function groupColumns(weights: readonly number[], room: number): Array<[start: number, end: number]> {
  const groups: Array<[number, number]> = [];
  let start = 0;
  let weight = 0;
  weights.forEach((more, column) => {
    if (column > start && weight + more > room) {
      groups.push([start, column]);
      start = column;
      weight = 0;
    }
    weight += more;
  });
  if (start < weights.length) groups.push([start, weights.length]);
  return groups;
}

/** The cells of a row; a bar behind a backslash is part of a cell. */
function tableCells(row: string): string[] {
  const inside = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function cutList(text: string, maxTokens: number, nesting: number): string[] {
  const pieces = listItems(text).flatMap((item) =>
    tokenWeight(item) <= maxTokens ? [item] : cutItem(item, maxTokens, nesting),
  );
  return pack(pieces, maxTokens, "\n");
}

/** Cuts a large item into blocks; the marker stays with the first. */
function cutItem(item: string, maxTokens: number, nesting: number): string[] {
  const indent = listMarker(item.split("\n", 1)[0] ?? "")?.contentIndent ?? 0;
  const marker = item.slice(0, indent);
  const inside = item.slice(indent).replaceAll(new RegExp(`\n {1,${Math.max(1, indent)}}`, "g"), "\n");
  const [first = "", ...rest] = cutMarkdown(inside, maxTokens - tokenWeight(marker), nesting);
  const indented = marker + first.replaceAll("\n", `\n${" ".repeat(indent)}`);
  // Where the indent makes it too large, cutting it by lines would open a fence in one piece and close it in another. Blocks
  // that follow may stand at the margin, as those of the other pieces do.
  const isCode = fenceOpening(first.split("\n", 1)[0] ?? "") !== undefined;
  const head = tokenWeight(indented) <= maxTokens || isCode ? indented : marker + first;
  return [head, ...rest].flatMap((piece) =>
    tokenWeight(piece) <= maxTokens ? [piece] : cutLines(piece, maxTokens),
  );
}

function cutQuote(text: string, maxTokens: number, nesting: number): string[] {
  const inside = text.replace(/^ {0,3}> ?/gm, "");
  // Leaves room for the marks, which come back on every line.
  return cutMarkdown(inside, maxTokens * 0.7, nesting)
    .map((piece) => piece.replace(/^/gm, "> "))
    .flatMap((piece) => (tokenWeight(piece) <= maxTokens ? [piece] : cutLines(piece, maxTokens)));
}

function cutMarkdown(markdown: string, maxTokens: number, nesting: number): string[] {
  const pieces = scanBlocks(markdown).flatMap((block) =>
    cutBlock(block.kind === "heading" ? { ...block, kind: "paragraph" } : block, maxTokens, nesting + 1),
  );
  return pack(pieces, maxTokens, "\n\n");
}

/** Sentence ends in Latin, Chinese and Japanese scripts; each part keeps its mark. */
const SENTENCE_END = /(?<=[.!?]["')\]]{0,3}\s)(?=\S)|(?<=[。！？｡][」』）”]{0,3})(?![」』）”。！？｡])/u;
const LINE_END = /(?<=\n)/;
const WORD_END = /(?<=\s)(?=\S)/;

const BORDERS = [SENTENCE_END, LINE_END, WORD_END];

/** Cuts prose into pieces of at most `maxTokens`: between sentences, or else lines, words, characters. */
function cutProse(text: string, maxTokens: number): string[] {
  return cutAt(text, maxTokens, 0).map((piece) => piece.trim());
}

/** Cuts text between lines into pieces of at most `maxTokens`; a line that is too long is cut inside. */
function cutLines(text: string, maxTokens: number): string[] {
  return cutAt(text, maxTokens, 1).map((piece) => (piece.endsWith("\n") ? piece.slice(0, -1) : piece));
}

/** Joins neighbouring parts into as few pieces of at most `maxTokens` as possible. */
function pack(parts: string[], maxTokens: number, joiner: string): string[] {
  const pieces: string[] = [];
  const joinerWeight = tokenWeight(joiner);
  let current: string[] = [];
  let weight = 0;
  for (const part of parts) {
    const more = tokenWeight(part) + (current.length > 0 ? joinerWeight : 0);
    if (current.length > 0 && weight + more > maxTokens) {
      pieces.push(current.join(joiner));
      current = [];
      weight = 0;
    }
    current.push(part);
    weight += more;
  }
  if (current.length > 0) pieces.push(current.join(joiner));
  return pieces;
}

function cutAt(text: string, maxTokens: number, border: number): string[] {
  if (tokenWeight(text) <= maxTokens) return [text];
  const pattern = BORDERS[border];
  const parts =
    pattern === undefined
      ? cutCharacters(text, maxTokens)
      : text.split(pattern).flatMap((part) => cutAt(part, maxTokens, border + 1));
  return pack(parts, maxTokens, "");
}

/** No character weighs more than a token, so `maxTokens` characters always fit. */
function cutCharacters(text: string, maxTokens: number): string[] {
  const length = Math.max(2, Math.floor(maxTokens));
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = safeCut(text, Math.min(text.length, start + length));
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
