/** A name this short is meant by another of one change at most; a longer one by two. */
const SHORT_CHARACTERS = 5;

/** The names that somebody may have meant who typed another one: those nearest to it, if any is near. */
export function nearNames(typed: string, names: Iterable<string>): string[] {
  const most = typed.length <= SHORT_CHARACTERS ? 1 : 2;
  const byChanges = Map.groupBy(new Set(names), (name) => changesBetween(typed, name));
  const nearest = Math.min(...byChanges.keys());
  return nearest <= most ? (byChanges.get(nearest) ?? []) : [];
}

/** How many letters have to be added, taken away, replaced or swapped with the next to make one word of another. */
function changesBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const own = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      own.push(
        Math.min(
          (last[at] ?? 0) + 1,
          (own[at - 1] ?? 0) + 1,
          (last[at - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, own];
  }
  return last[other.length] ?? 0;
}
