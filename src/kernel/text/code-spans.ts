import { closesFence, type FenceOpening, fenceOpening } from "./markdown-lines.ts";

/**
 * Finds the end of a code span. Built once per text, so that a page of stray backticks costs no more than
 * another.
 */
export interface CodeSpans {
  /** The end of the code span that opens at a position; undefined where none does. */
  endOf(start: number): number | undefined;
}

/** Pairs runs of backticks as Markdown does: of equal length, in one paragraph. */
export function findCodeSpans(text: string): CodeSpans {
  const runs = new Map<number, number[]>();
  for (const match of text.matchAll(/`+/g)) {
    const starts = runs.get(match[0].length);
    if (starts) starts.push(match.index);
    else runs.set(match[0].length, [match.index]);
  }
  const blanks = [...text.matchAll(/\n[ \t]*(?=\n)/g)].map((match) => match.index);
  return {
    endOf(start) {
      let length = 0;
      while (text.charAt(start + length) === "`") length += 1;
      const closing = firstAfter(runs.get(length) ?? [], start + length);
      const paragraphEnd = firstAfter(blanks, start) ?? text.length;
      return closing === undefined || closing > paragraphEnd ? undefined : closing + length;
    },
  };
}

/** Changes a text, and leaves the code in its lines as it is, with the dollars that make maths of it. */
export function outsideCode(text: string, change: (prose: string) => string): string {
  const spans = findCodeSpans(text);
  const pieces: string[] = [];
  let at = 0;
  for (const { index } of text.matchAll(/`+/g)) {
    const end = index < at ? undefined : spans.endOf(index);
    if (end === undefined) continue;
    const isMaths = index > at && text[index - 1] === "$" && text[end] === "$";
    pieces.push(change(text.slice(at, index - (isMaths ? 1 : 0))));
    pieces.push(text.slice(index - (isMaths ? 1 : 0), end + (isMaths ? 1 : 0)));
    at = end + (isMaths ? 1 : 0);
  }
  return [...pieces, change(text.slice(at))].join("");
}

/** Changes what is not in a fenced block, which may be in a list. */
export function outsideFences(text: string, change: (words: string) => string): string {
  const out: string[] = [];
  let words: string[] = [];
  let fence: FenceOpening | undefined;
  const flush = () => {
    if (words.length > 0) out.push(change(words.join("\n")));
    words = [];
  };
  for (const line of text.split("\n")) {
    const isInside = fence !== undefined;
    if (fence === undefined) fence = fenceOpening(withoutMarker(line));
    else if (closesFence(line, fence)) fence = undefined;
    if (isInside || fence !== undefined) {
      flush();
      out.push(line);
    } else words.push(line);
  }
  flush();
  return out.join("\n");
}

/** A fence may begin right after a list's or a quote's mark. */
const withoutMarker = (line: string) =>
  line.replace(/^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+|>\s?)/, (mark) => " ".repeat(mark.length));

/** A text with a mark in the place of each piece of code, so that a change may look across it. `show` puts the code back. */
export function hideCode(text: string): { hidden: string; show(changed: string): string } {
  const plain = text.replace(/[\uE000\uE001]/g, "");
  const spans = findCodeSpans(plain);
  const code: string[] = [];
  const pieces: string[] = [];
  let at = 0;
  for (const { index } of plain.matchAll(/`+/g)) {
    const end = index < at ? undefined : spans.endOf(index);
    if (end === undefined) continue;
    pieces.push(plain.slice(at, index), `\uE000${code.push(plain.slice(index, end)) - 1}\uE001`);
    at = end;
  }
  return {
    hidden: [...pieces, plain.slice(at)].join(""),
    show: (changed) =>
      changed.replace(/\uE000(\d{1,9})\uE001/g, (_, index: string) => code[Number(index)] ?? ""),
  };
}

function firstAfter(sorted: number[], position: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** What stands between two marks, and the marks. */
interface Enclosed {
  whole: string;
  /** The mark that opens it, with its groups. */
  opened: RegExpExecArray;
  inside: string;
}

/**
 * Replaces what stands from each opening mark to the next that closes it, whose pattern the opening tells. One that is never
 * closed stays as it is. A regular expression for both would look to the end of the text from each that is not closed; here,
 * what is not there is looked for once.
 */
export function replaceEnclosed(
  text: string,
  opening: RegExp,
  closingOf: (opened: RegExpExecArray) => string,
  write: (enclosed: Enclosed) => string,
): string {
  const starts = new RegExp(opening, [...new Set(`${opening.flags}g`)].join(""));
  const closings = new Map<string, RegExp>();
  const missing = new Set<string>();
  const parts: string[] = [];
  let at = 0;
  for (let opened = starts.exec(text); opened !== null; opened = starts.exec(text)) {
    const pattern = closingOf(opened);
    if (missing.has(pattern)) continue;
    const closing = closings.get(pattern) ?? new RegExp(pattern, starts.flags);
    closings.set(pattern, closing);
    const begin = opened.index + opened[0].length;
    closing.lastIndex = begin;
    const closed = closing.exec(text);
    if (closed === null) {
      missing.add(pattern);
      continue;
    }
    const end = closed.index + closed[0].length;
    const whole = text.slice(opened.index, end);
    parts.push(
      text.slice(at, opened.index),
      write({ whole, opened, inside: text.slice(begin, closed.index) }),
    );
    at = end;
    starts.lastIndex = Math.max(end, opened.index + 1);
  }
  return at === 0 && parts.length === 0 ? text : parts.join("") + text.slice(at);
}

/** A text without its comments of HTML; one that is not closed is none. */
export const withoutComments = (text: string): string =>
  text.includes("<!--")
    ? replaceEnclosed(
        text,
        /<!--/,
        () => "-->",
        () => "",
      )
    : text;
