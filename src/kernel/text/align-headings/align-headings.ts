/** More comparisons than this are not made: such a page is followed heading by heading. */
const COMPARED_MAX = 1_000_000;
/** In a longer stretch that nothing on either side agrees with, there is no telling what belongs together. */
const GAP_MAX = 20;
/** The share of words that two headings need in common to be one that was changed a little, unless one is a part of the other. */
const WORDS_SHARE_MIN = 0.5;

/**
 * Finds, for each of a page's headings, the place of the same heading among those of another reading of it. Both keep their
 * order; of headings that are called alike, each has one of its own.
 */
export function alignHeadings(own: readonly string[], others: readonly string[]): (number | undefined)[] {
  const a = own.map(headingKey);
  const b = others.map(headingKey);
  const same = a.length * b.length > COMPARED_MAX ? followed(a, b) : longestCommon(a, b);
  return withNearlyAlike(same, own, others);
}

/** A heading without what a theme or a format adds to it: marks, case, spaces. */
export function headingKey(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return words === "" ? text.trim() : words;
}

/** The longest list that both have in this order, as places in the second. */
function longestCommon(a: readonly string[], b: readonly string[]): (number | undefined)[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: (number | undefined)[] = a.map(() => undefined);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) found[i++] = j++;
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}

/** Takes for each the next one that is called the same. */
function followed(a: readonly string[], b: readonly string[]): (number | undefined)[] {
  const places = Map.groupBy(b.keys(), (place) => b[place] ?? "");
  let from = 0;
  return a.map((key) => {
    const waiting = places.get(key) ?? [];
    while ((waiting[0] ?? from) < from) waiting.shift();
    const place = waiting.shift();
    if (place !== undefined) from = place + 1;
    return place;
  });
}

/** Fills what is left between headings that agree with those that are nearly called the same. */
function withNearlyAlike(
  found: readonly (number | undefined)[],
  own: readonly string[],
  others: readonly string[],
): (number | undefined)[] {
  const filled = [...found];
  let before = -1;
  for (let start = 0; start < found.length; ) {
    const place = found[start];
    if (place !== undefined) {
      before = place;
      start += 1;
      continue;
    }
    let end = start;
    while (end < found.length && found[end] === undefined) end++;
    const after = found[end] ?? others.length;
    fillGap(filled, { own, others, start, end, from: before + 1, to: after });
    start = end;
  }
  return filled;
}

interface Gap {
  own: readonly string[];
  others: readonly string[];
  start: number;
  end: number;
  from: number;
  to: number;
}

function fillGap(filled: (number | undefined)[], { own, others, start, end, from, to }: Gap): void {
  if (end - start > GAP_MAX || to - from > GAP_MAX) return;
  let next = from;
  for (let at = start; at < end; at++)
    for (let place = next; place < to; place++)
      if (isNearlyAlike(own[at] ?? "", others[place] ?? "")) {
        filled[at] = place;
        next = place + 1;
        break;
      }
}

/** Whether two headings are one with a mark or a few words more, as a badge beside it. */
function isNearlyAlike(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const common = left.intersection(right).size;
  const [fewer, more] = [Math.min(left.size, right.size), Math.max(left.size, right.size)];
  return common > 0 && (common === fewer || common >= WORDS_SHARE_MIN * more);
}

const wordsOf = (text: string) =>
  new Set(
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
  );
