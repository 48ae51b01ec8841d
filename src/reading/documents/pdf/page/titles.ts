import type { Row, Segment } from "./fragment.ts";
import { isValue, type Span, spansOf } from "./gutters.ts";

const HEAD_ROWS_MAX = 5;
const HEAD_CHARACTERS_MAX = 40;
/** The most titles of rows that may follow each other. */
const TITLES_MAX = 2;
const TITLE_CHARACTERS_MAX = 60;

/** The rows above a table of values that name its columns: beside each other, or to the right of the first column. */
export function headAbove(above: readonly Row[], body: readonly Row[]): Row[] {
  const [first] = spansOf(body.flatMap(({ segments }) => (segments.length > 1 ? segments : [])));
  let [below, head] = [holdValues(body) ? body[0] : undefined, 0];
  for (let count = 1; count <= Math.min(HEAD_ROWS_MAX, above.length); count += 1) {
    const row = above[above.length - count];
    if (row === undefined || below === undefined || first === undefined) break;
    if (below.y - row.y > 2 * Math.max(row.size, below.size)) break;
    const [segment, ...more] = row.segments;
    if (segment === undefined || row.segments.some((each) => each.characters > HEAD_CHARACTERS_MAX)) break;
    const isOverColumns = more.length > 0 || segment.x0 > first.x1;
    if (isOverColumns) head = count;
    else if (segment.x1 > first.x1 + row.size) break;
    below = row;
  }
  return head === 0 ? [] : above.slice(-head);
}

/** Whether half of what stands behind the first cells of rows are values. */
export function holdValues(rows: readonly Row[]): boolean {
  const cells = rows.flatMap(({ segments }) => segments.slice(1));
  return cells.filter((cell) => isValue([cell])).length >= cells.length / 2;
}

/** How many titles of rows stand here between rows of values in the same columns: they begin where the rows do. */
export function titlesWithin(
  rows: readonly Row[],
  { from, at, spans }: { from: number; at: number; spans: readonly Span[] },
): number {
  const above = rows[at - 1];
  const [left] = spans;
  if (above === undefined || left === undefined || at - from < 2 || above.segments.length < 2) return 0;
  for (let next = at; next <= at + TITLES_MAX; next += 1) {
    const [row, before] = [rows[next], rows[next - 1]];
    if (row === undefined || before === undefined) return 0;
    const size = Math.max(row.size, before.size);
    if (row.y - before.y > 2.5 * size || Math.abs(row.size - above.size) > 0.08 * size) return 0;
    if (row.segments.length > 1) return haveValuesAlike(above, row) ? next - at : 0;
    const [title] = row.segments;
    if (title === undefined || title.characters > TITLE_CHARACTERS_MAX || endsAsProse(title)) return 0;
    if (Math.abs(title.x0 - left.x0) > 3 * size) return 0;
  }
  return 0;
}

const endsAsProse = ({ fragments }: Segment) => /[.,;]$/.test(fragments.at(-1)?.text ?? "");

/** Whether two rows have values below each other, in most of their columns. */
function haveValuesAlike(above: Row, row: Row): boolean {
  if (!holdValues([above]) || !holdValues([row])) return false;
  const values = row.segments.filter((each) => isValue([each]));
  const alike = values.filter(({ x0, x1 }) =>
    above.segments.some((each) => isValue([each]) && each.x0 < x1 && each.x1 > x0),
  );
  return values.length > 0 && alike.length > values.length / 2;
}

/** A single cell in other letters than those above: the title of what follows. */
export function isTitle(row: Row, above: Row): boolean {
  const isBold = ({ segments }: Row) =>
    segments.every(({ fragments }) => fragments.every(({ bold }) => bold));
  return Math.abs(row.size - above.size) > 0.08 * row.size || (isBold(row) && !isBold(above));
}
