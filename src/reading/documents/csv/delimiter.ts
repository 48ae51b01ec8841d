import { readRows } from "./rows.ts";

/** What may stand between cells, the likeliest first. */
const DELIMITERS = [",", ";", "\t", "|", ":", "^", "~"];
/** Delimiters that stand in times, addresses and prose, too: they separate cells only where all rows agree. */
const RARE = new Set([":", "^", "~"]);
const SAMPLE_CHARACTERS = 60_000;
const WIDE_SAMPLE_CHARACTERS = 1_000_000;
const SAMPLE_ROWS = 200;
const SAMPLE = {
  rowsMax: SAMPLE_ROWS,
  columnsMax: 2_000,
  cellCharactersMax: 10_000,
  charactersMax: WIDE_SAMPLE_CHARACTERS,
};
/** Rows of a table may be ragged, but so many have as many cells as most. */
const LEAST_ALIKE = 0.4;
const NUMBER = /^[-+−(]?\s?[$€£¥]?\s?\d[\d.,'\s]*\s?[%€$£)]?$/;

/** What separates the cells of a file; undefined where it is no table. */
export function guessDelimiter(text: string): string | undefined {
  const sample = sampleOf(text);
  let best: { delimiter: string; score: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(sample, delimiter);
    if (score > (best?.score ?? 0)) best = { delimiter, score };
  }
  return best?.delimiter;
}

/** The beginning of a file, in whole lines: a few at least, however wide the table is. */
function sampleOf(text: string): string {
  if (text.length <= SAMPLE_CHARACTERS) return text;
  const end = text.lastIndexOf("\n", SAMPLE_CHARACTERS);
  if (end > SAMPLE_CHARACTERS / 2) return text.slice(0, end);
  let at = SAMPLE_CHARACTERS;
  for (let lines = 0; lines < 3 && at >= 0; lines++) at = text.indexOf("\n", at + 1);
  return text.slice(0, at < 0 ? WIDE_SAMPLE_CHARACTERS : Math.min(at, WIDE_SAMPLE_CHARACTERS));
}

/** How well a delimiter explains a sample: rows with as many cells, and no other delimiter left in the cells. */
function scoreOf(sample: string, delimiter: string): number {
  const { rows } = readRows(sample, delimiter, SAMPLE);
  if (rows.length < 2) return 0;
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  const [width, alike] = [...counts].reduce((a, b) =>
    b[1] > a[1] || (b[1] === a[1] && b[0] > a[0]) ? b : a,
  );
  // In a table that is ragged throughout, every row has the delimiter at least.
  const isDivided = rows.every((row) => row.length > 1);
  const share = Math.max(alike / rows.length, isDivided && !RARE.has(delimiter) ? LEAST_ALIKE : 0);
  const least = RARE.has(delimiter) ? 1 : LEAST_ALIKE;
  if (width < 2 || share < least) return 0;
  let clean = 0;
  let cells = 0;
  for (const row of rows) {
    cells += row.length;
    for (const cell of row) if (isClean(cell, delimiter)) clean += 1;
  }
  const rarity = RARE.has(delimiter) ? 0.5 : 1;
  return share * (clean / cells) ** 2 * rarity * (1 + Math.min(width, 20) / 200);
}

function isClean(cell: string, delimiter: string): boolean {
  if (NUMBER.test(cell.trim())) return true;
  return !DELIMITERS.some((other) => other !== delimiter && !RARE.has(other) && cell.includes(other));
}
