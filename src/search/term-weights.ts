/** What each term of a question tells, by how rare it is. */
export type TermWeights = ReadonlyMap<string, number>;

/** Scoring matches is what makes a query slow, and the frequent words that have most of them tell least. */
const MATCHES_MAX = 10_000;
const TERMS_MIN = 2;

/** What each term tells: a rare one much, one that no passage has as much as the rarest. */
export function weighTerms(
  terms: string[],
  { passages, of }: { passages: number; of: ReadonlyMap<string, number> },
): TermWeights {
  return new Map(
    terms.map((term) => {
      const frequency = of.get(term) ?? 0;
      return [term, Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))];
    }),
  );
}

/** The terms to look for: the rarest ones, until those that follow would bring too many matches. */
export function tellingTerms(terms: string[], { of }: { of: ReadonlyMap<string, number> }): string[] {
  const found = terms.filter((term) => of.has(term)).sort((a, b) => (of.get(a) ?? 0) - (of.get(b) ?? 0));
  let matches = 0;
  return found.filter((term, index) => {
    matches += of.get(term) ?? 0;
    return index < TERMS_MIN || matches <= MATCHES_MAX;
  });
}
