const FORM_CHARACTERS_MIN = 5;

/** Words of the passages that begin like a word of the question and are about as long. */
export function formsOf(
  wanted: readonly string[],
  pieces: readonly ReadonlySet<string>[],
): Map<string, string[]> {
  const long = wanted.filter((term) => term.length >= FORM_CHARACTERS_MIN && /^\p{L}+$/u.test(term));
  if (long.length === 0) return new Map();
  const there = [...new Set(pieces.flatMap((terms) => [...terms]))].filter((term) =>
    /^[\p{L}\p{M}]{4,}$/u.test(term),
  );
  return new Map(long.map((term) => [term, there.filter((other) => isFormOf(term, other))]));
}

function isFormOf(term: string, other: string): boolean {
  const shared = Math.max(4, Math.ceil(0.7 * Math.max(term.length, other.length)));
  return other.length >= shared && term.slice(0, shared) === other.slice(0, shared);
}
