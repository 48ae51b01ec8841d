import { codeFence, escapeInline, escapeLineStart } from "@docent/kernel/text/write-markdown";

const MAX_TITLE_CHARACTERS = 120;

/**
 * Plain text as Markdown: underlined lines become headings, indented text and drawn columns become code, the
 * rest stays words.
 */
export function textToMarkdown(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\f", "\n").split("\n");
  const blocks: string[] = [];
  let index = 0;
  while (index < lines.length) {
    if (isBlank(lines[index])) {
      index += 1;
      continue;
    }
    const end = blockEnd(lines, index);
    const title = titleAt(lines, index);
    if (title === undefined) {
      writeBlock(lines.slice(index, end), blocks);
      index = end;
    } else {
      blocks.push(title.markdown);
      index = title.end;
    }
  }
  return blocks.join("\n\n");
}

/**
 * The end of a block: an indented one continues over blank lines while the text stays indented; others end at
 * a blank or an underlined line.
 */
function blockEnd(lines: string[], start: number): number {
  let end = start;
  if (isIndented(lines[start])) {
    for (let at = start; at < lines.length && (isBlank(lines[at]) || isIndented(lines[at])); at++) {
      if (!isBlank(lines[at])) end = at + 1;
    }
    return end;
  }
  end = start + 1;
  while (end < lines.length && !isBlank(lines[end]) && titleAt(lines, end) === undefined) end += 1;
  return end;
}

/** The heading made by a line of words with a line of `=` or `-` of about the same length below. */
function titleAt(lines: string[], index: number): { markdown: string; end: number } | undefined {
  const line = (lines[index] ?? "").trimEnd();
  const underline = (lines[index + 1] ?? "").trim();
  const character = underline.charAt(0);
  if (!/^(?:={3,}|-{3,}|~{3,}|\*{3,})$/.test(underline)) return undefined;
  if (line.length > MAX_TITLE_CHARACTERS || !/[\p{L}\p{N}]/u.test(line)) return undefined;
  if (Math.abs(underline.length - line.trim().length) > Math.max(4, line.length / 3)) return undefined;
  const level = character === "=" || character === "*" ? 1 : 2;
  return { markdown: `${"#".repeat(level)} ${headingWords(line.trim())}`, end: index + 2 };
}

function headingWords(line: string): string {
  return escapeInline(line, "").replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
}

function writeBlock(lines: string[], blocks: string[]): void {
  if (lines.every((line) => isRuleLine(line))) return;
  if (isIndented(lines[0]) || isDrawn(lines)) blocks.push(codeFence(dedent(lines).join("\n")));
  else
    blocks.push(
      lines.map((line) => escapeLineStart(escapeInline(line.trim(), ""))).join(breakBetween(lines)),
    );
}

/** Keeps the breaks after short lines, which are deliberate: a list, an address, a verse. */
function breakBetween(lines: string[]): string {
  const isList = lines.slice(1).some((line) => /^\s{0,3}(?:[-*+•o]|\d{1,3}[.)])\s/.test(line));
  return isList || lines.every((line) => line.length < 50) ? "\\\n" : "\n";
}

/** Whether most lines have wide gaps or bars: their columns would be lost in prose. */
function isDrawn(lines: string[]): boolean {
  if (lines.length < 2) return false;
  const drawn = lines.filter((line) => /\S(?: {3,}|\t)\S/.test(line) || /^\s*[|+].*[|+]\s*$/.test(line));
  return drawn.length * 2 > lines.length;
}

function isRuleLine(line: string): boolean {
  return /^[\s=\-_*~#+.]+$/.test(line);
}

function isIndented(line: string | undefined): boolean {
  return line !== undefined && /^(?: {4}|\t| {0,3}\t)/.test(line);
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function dedent(lines: string[]): string[] {
  const expanded = lines.map((line) => line.replaceAll("\t", "    ").trimEnd());
  const indents = expanded.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const least = indents.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return expanded.map((line) => line.slice(least));
}
