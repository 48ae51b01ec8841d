import { fenceOpening, listMarker } from "../../text/markdown-lines.ts";
import { type Block, listItems, scanBlocks } from "../md/md.ts";
import { cutLines, cutProse, pack } from "./cut-text.ts";
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

/** Cuts a table; each piece repeats the header, unless that would take most of the room. */
function cutTable(text: string, maxTokens: number): string[] {
  if (tokenWeight(text) <= maxTokens) return [text];
  const lines = text.split("\n");
  const header = lines.slice(0, 2).join("\n");
  const headerWeight = tokenWeight(`${header}\n`);
  if (headerWeight > maxTokens / 3) return cutLines(text, maxTokens);
  const room = maxTokens - headerWeight;
  const rows = lines.slice(2).flatMap((row) => cutLines(row, room));
  return pack(rows, room, "\n").map((piece) => `${header}\n${piece}`);
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
  return [marker + first.replaceAll("\n", `\n${" ".repeat(indent)}`), ...rest].flatMap((piece) =>
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
