import type { JoinedWords } from "@docent/finding/search/joined-words";

const FORM_CHARACTERS_MIN = 5;
/** How many letters two forms of a word begin with alike, at least. */
const SHARED_MIN = 4;

/** Words of the passages that begin like a word of the question and are about as long. */
export function formsOf(wanted: readonly string[], pieces: readonly JoinedWords[]): Map<string, string[]> {
  const long = wanted.filter((term) => term.length >= FORM_CHARACTERS_MIN && /^\p{L}+$/u.test(term));
  if (long.length === 0) return new Map();
  return new Map(
    long.map((term) => {
      const alike = new Set(pieces.flatMap((words) => [...words.beginningWith(term.slice(0, SHARED_MIN))]));
      return [term, [...alike].filter((other) => /^[\p{L}\p{M}]+$/u.test(other) && isFormOf(term, other))];
    }),
  );
}

function isFormOf(term: string, other: string): boolean {
  const shared = Math.max(SHARED_MIN, Math.ceil(0.7 * Math.max(term.length, other.length)));
  return other.length >= shared && term.slice(0, shared) === other.slice(0, shared);
}
