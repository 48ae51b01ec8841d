interface FreeNameOptions {
  /** What two names have in common that count as one. Default: the name. */
  keyOf?: (name: string) => string;
  numbered?: (stem: string, number: number) => string;
  /** The first number. */
  from?: number;
}

/**
 * Gives each name once: a name, or its stem with the first number that is free. However many have the same stem, each is
 * found at once. Names may be added to `taken`, and none is taken away.
 */
export function createFreeNames(
  taken: Set<string> = new Set(),
  {
    keyOf = (name) => name,
    numbered = (stem, number) => `${stem}-${number}`,
    from = 2,
  }: FreeNameOptions = {},
): (name: string, stem?: string) => string {
  /** The first number that may be free. */
  const numbers = new Map<string, number>();
  return (name, stem = name) => {
    let free = name;
    let number = numbers.get(keyOf(stem)) ?? from;
    while (taken.has(keyOf(free))) {
      free = numbered(stem, number);
      number += 1;
      numbers.set(keyOf(stem), number);
    }
    taken.add(keyOf(free));
    return free;
  };
}
