/** A run of text as it is set on a page: one font, one line. */
export interface Fragment {
  text: string;
  /** Along the line, in points; in a frame in which lines run to the right and follow each other downwards. */
  x0: number;
  x1: number;
  /** The baseline, counted downwards. */
  y: number;
  size: number;
  bold: boolean;
  /** Whether each letter is as wide as each other: so is code set. */
  mono: boolean;
  /** Whether it is written from right to left. */
  rtl: boolean;
  /** Its place among what the page draws. */
  order: number;
  /** Whether white space is drawn before or after it. */
  spaceBefore: boolean;
  spaceAfter: boolean;
  link?: string;
  /** The part of the page by which the document's structure names it. */
  mark?: string;
  /** What stands in for a line of a table: the rows of its cells, each with what is set in it. */
  table?: Fragment[][][];
}

/** What is set in one direction on a page. */
export interface Frame {
  /** The degrees that its lines are turned by. */
  turn: number;
  fragments: Fragment[];
  /** Whether columns, too, follow each other from right to left. */
  rtl: boolean;
}

/** A part of a row between wide gaps. */
export interface Segment {
  fragments: Fragment[];
  x0: number;
  x1: number;
  characters: number;
}

/** What stands on one baseline. */
export interface Row {
  y: number;
  size: number;
  segments: Segment[];
}

const GAP_IN_EMS = 0.9;

/** Fragments as rows from the top to the bottom, each cut where its gaps are wide. */
export function rowsOf(fragments: readonly Fragment[]): Row[] {
  const sorted = [...fragments].sort((a, b) => a.y - b.y || a.order - b.order);
  const rows: { lead: Fragment; members: Fragment[] }[] = [];
  for (const fragment of sorted) {
    const row = rows.slice(-4).find(({ lead }) => isOnOneLine(lead, fragment));
    if (row === undefined) rows.push({ lead: fragment, members: [fragment] });
    else {
      row.members.push(fragment);
      if (fragment.size > row.lead.size * 1.05) row.lead = fragment;
    }
  }
  return rows
    .map(({ lead, members }) => ({ y: lead.y, size: lead.size, segments: segmentsOf(members) }))
    .sort((a, b) => a.y - b.y);
}

/** Raised and lowered signs belong to the line that they stand at. */
function isOnOneLine(a: Fragment, b: Fragment): boolean {
  const apart = Math.abs(a.y - b.y);
  const [small, large] = a.size < b.size ? [a.size, b.size] : [b.size, a.size];
  return apart <= 0.45 * large && apart <= 0.9 * small;
}

function segmentsOf(members: Fragment[]): Segment[] {
  const segments: Segment[] = [];
  for (const fragment of withoutTwins(members.sort((a, b) => a.x0 - b.x0 || a.order - b.order))) {
    const last = segments.at(-1);
    const before = last?.fragments.at(-1);
    const gap = last === undefined ? 0 : fragment.x0 - last.x1;
    const isCut = before?.table !== undefined || fragment.table !== undefined;
    const gapMax = GAP_IN_EMS * Math.max(before?.size ?? 0, fragment.size);
    if (last === undefined || before === undefined || isCut || gap > gapMax)
      segments.push({
        fragments: [fragment],
        x0: fragment.x0,
        x1: fragment.x1,
        characters: fragment.text.length,
      });
    else {
      last.fragments.push(fragment);
      last.x1 = Math.max(last.x1, fragment.x1);
      last.characters += fragment.text.length;
    }
  }
  return segments;
}

/** Takes out what is drawn twice at one place: so are bold letters and shadows made. */
function withoutTwins(sorted: readonly Fragment[]): Fragment[] {
  const kept: Fragment[] = [];
  for (const fragment of sorted) {
    const twin = kept
      .slice(-4)
      .find(
        ({ text, x0, y, size }) =>
          text === fragment.text &&
          Math.abs(x0 - fragment.x0) < 0.25 * size &&
          Math.abs(y - fragment.y) < 0.25 * size,
      );
    if (twin === undefined) kept.push(fragment);
    else twin.bold = true;
  }
  return kept;
}

/** Whether white space is between two fragments of a line, the first of which is read before the other. */
export function isApart(before: Fragment, after: Fragment): boolean {
  const gap = Math.max(after.x0 - before.x1, before.x0 - after.x1);
  const size = Math.min(before.size, after.size);
  if (gap > 0.13 * size) return true;
  // What is set over other words is no part of them; marks over letters are.
  if (gap < -0.6 * size) return !/^\p{M}|^.$/u.test(after.text) && before.text.length > 1;
  return (before.spaceAfter || after.spaceBefore) && gap > -0.2 * size;
}

/** The middle of the letters' height. */
export const heightOf = ({ y, size }: Fragment) => y - 0.3 * size;

/** The same, seen in a mirror: what is written from right to left has its first column at the right. */
export const mirrored = (fragments: readonly Fragment[]): Fragment[] =>
  fragments.map((fragment) => ({ ...fragment, x0: -fragment.x1, x1: -fragment.x0 }));

/** The end or beginning of a word that is nearest to a place. */
export function wordBoundary(text: string, at: number): number {
  if (at <= 1) return 0;
  if (at >= text.length - 1) return text.length;
  const near = Math.round(at);
  for (let step = 0; step <= 6; step += 1)
    for (const place of [near - step, near + step])
      if (place > 0 && place < text.length && /\s/.test(text.charAt(place))) return place;
  return near;
}

/** A stretch of its letters: where it is, their mean width says. */
export function partOf(fragment: Fragment, from: number, to: number): Fragment {
  const width = (fragment.x1 - fragment.x0) / fragment.text.length;
  const part = fragment.text.slice(from, to);
  return {
    ...fragment,
    text: part.trim(),
    x0: fragment.x0 + width * from,
    x1: fragment.x0 + width * to,
    spaceBefore:
      from === 0 ? fragment.spaceBefore : /^\s/.test(part) || /\s/.test(fragment.text.charAt(from - 1)),
    spaceAfter:
      to === fragment.text.length
        ? fragment.spaceAfter
        : /\s$/.test(part) || /\s/.test(fragment.text.charAt(to)),
  };
}
