/** The part of an ordered list that begins with something. */
export function sliceBelow(ordered: readonly string[], prefix: string): readonly string[] {
  const start = firstFrom(ordered, prefix);
  let end = start;
  while (ordered[end]?.startsWith(prefix)) end++;
  return ordered.slice(start, end);
}

function firstFrom(ordered: readonly string[], wanted: string): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
