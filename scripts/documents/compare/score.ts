import type { Reference, ReferenceCell } from "./reference.ts";

/** How much of what another program reads of a document ours has. All are shares; of nothing, 1. */
export interface Score {
  /** Words of the other's, each as often as it stands there, that ours has. */
  recall: number;
  /** The same without what ours leaves out on purpose. */
  meant: number;
  /** The same in fours of letters that follow each other, however the words are parted. */
  letters: number;
  /** Words of ours that the other has. */
  precision: number;
  /** Of the words that both have, those that follow each other as they do there. */
  order: number;
  /**
   * Neighbours in a row of a table that are so in ours; undefined where the other has no tables. What the other worked out
   * itself is nobody's neighbour.
   */
  tables: number | undefined;
  /** Words that the other has. */
  words: number;
}

const ORDER_WORDS_MAX = 3_000;

export function scoreOf(markdown: string, reference: Reference): Score {
  const mine = words(markdown);
  const [all, meant] = [words(reference.all), words(reference.meant)];
  const [a, b] = [mine.slice(0, ORDER_WORDS_MAX), meant.slice(0, ORDER_WORDS_MAX)];
  const both = common(a, b);
  const neighbours = reference.rows.flatMap(formsOfNeighbours);
  return {
    recall: shareOf(common(mine, all), all.length),
    meant: shareOf(common(mine, meant), meant.length),
    letters: shareOf(common(fours(mine), fours(meant)), fours(meant).length),
    precision: shareOf(common(mine, all), mine.length),
    order: shareOf(inOrder(a, b), both),
    tables:
      neighbours.length === 0 ? undefined : shareOf(keptNeighbours(markdown, neighbours), neighbours.length),
    words: all.length,
  };
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

/** The words of a text without its marks; scripts without spaces are compared sign by sign. */
function words(text: string): string[] {
  const plain = text
    .replace(/<a id="[^"]*"><\/a>/g, "")
    .replace(/\]\((?:https?|mailto|#)[^)\s]*\)/g, "] ")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\u00AD/g, "")
    .replace(/(\p{L})[-\u2010]\s*\n\s*(\p{Ll})/gu, "$1$2");
  return (
    plain.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu,
    ) ?? []
  );
}

function fours(all: readonly string[]): string[] {
  const letters = all.join("");
  if (letters.length < 4) return letters === "" ? [] : [letters];
  return Array.from({ length: letters.length - 3 }, (_, at) => letters.slice(at, at + 4));
}

function common(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let count = 0;
  for (const word of b) {
    const rest = left.get(word) ?? 0;
    if (rest > 0) {
      left.set(word, rest - 1);
      count += 1;
    }
  }
  return count;
}

/** The length of the longest common subsequence. */
function inOrder(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    const next = new Uint32Array(b.length + 1);
    for (let at = 1; at <= b.length; at += 1)
      next[at] = word === b[at - 1] ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    row = next;
  }
  return row[b.length] ?? 0;
}

function keptNeighbours(markdown: string, neighbours: readonly (readonly string[])[]): number {
  const left = new Map<string, number>();
  for (const two of markdown.split("\n").flatMap(neighboursOfLine)) left.set(two, (left.get(two) ?? 0) + 1);
  let count = 0;
  for (const forms of neighbours) {
    const found = forms.find((form) => (left.get(form) ?? 0) > 0);
    if (found === undefined) continue;
    left.set(found, (left.get(found) ?? 0) - 1);
    count += 1;
  }
  return count;
}

/** The neighbours in a line of Markdown: a row of a table, or one that stands alone, with commas between its cells. */
function neighboursOfLine(line: string): string[] {
  // Marks of emphasis; stars that are meant have a backslash before them.
  const plain = line.replace(/(?<!\\)\*+/g, "");
  if (!line.startsWith("|")) return neighboursBetweenCommas(plain.split(", "));
  if (/^\|[\s:|-]*$/.test(line)) return [];
  const cells = plain
    .slice(1)
    .split(/(?<!\\)\|/)
    .map(cellWords)
    .filter((cell) => cell !== "");
  return cells.slice(1).map((cell, index) => `${cells[index]}|${cell}`);
}

/** How many commas within a cell are tried, so that a long line stays cheap. */
const COMMAS_MAX = 3;

/** Each two neighbours that a line may be: a comma parts cells, or stands in one. */
function neighboursBetweenCommas(parts: readonly string[]): string[] {
  const cellsFrom = (from: number) =>
    Array.from({ length: Math.min(COMMAS_MAX + 1, parts.length - from) }, (_, more) => ({
      words: cellWords(parts.slice(from, from + more + 1).join(" ")),
      end: from + more + 1,
    })).filter(({ words }) => words !== "");
  return parts.flatMap((_, from) =>
    cellsFrom(from).flatMap(({ words, end }) => cellsFrom(end).map((next) => `${words}|${next.words}`)),
  );
}

/** Each two cells beside each other in a row, as one word for each form in which both may be written. */
function formsOfNeighbours(row: readonly ReferenceCell[]): string[][] {
  const cells = row
    .map(({ words, otherForm = words, isOwnResult }) => ({
      forms: [...new Set([cellWords(words), cellWords(otherForm)])],
      isOwnResult,
    }))
    .filter(({ forms }) => forms[0] !== "");
  return cells.slice(1).flatMap((cell, index) => {
    const before = cells[index];
    if (before === undefined || before.isOwnResult || cell.isOwnResult) return [];
    return [before.forms.flatMap((a) => cell.forms.map((b) => `${a}|${b}`))];
  });
}

/** The words of a cell, without numbers of lists and notes: ours shows them, where the other leaves them to programs. */
function cellWords(cell: string): string {
  const all = words(cell.replace(/<br>|\[\^\w+\]/g, " "));
  const long = all.filter(({ length }) => length > 1);
  return (long.length > 0 ? long : all).join("");
}
