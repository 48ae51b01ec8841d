import { readRows } from "./rows.ts";

/** What may stand between cells, the likeliest first. */
const DELIMITERS = [",", ";", "\t", "|", ":", "^", "~"];
/** These separate cells only where all rows agree: they stand in times, addresses and prose. */
const RARE = new Set([":", "^", "~"]);
const SAMPLE_CHARACTERS = 60_000;
const SAMPLE_ROWS = 200;
const SAMPLE = {
  rowsMax: SAMPLE_ROWS,
  columnsMax: 2_000,
  cellCharactersMax: 10_000,
  charactersMax: SAMPLE_CHARACTERS,
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

/** The beginning of a file, in whole lines. */
function sampleOf(text: string): string {
  if (text.length <= SAMPLE_CHARACTERS) return text;
  const end = text.lastIndexOf("\n", SAMPLE_CHARACTERS);
  return text.slice(0, end > 0 ? end : SAMPLE_CHARACTERS);
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
  const share = alike / rows.length;
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
