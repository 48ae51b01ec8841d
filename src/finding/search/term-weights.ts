import type { Words } from "./joined-words.ts";

/** The weight of each term of a question, by its rarity. */
export type TermWeights = ReadonlyMap<string, number>;

/** How much each term of a question of several sentences counts beside the others: 1 on average. */
export type TermShares = ReadonlyMap<string, number>;

/** The same shares, 1 on average. */
export function averagingOne(shares: TermShares): TermShares {
  const mean = shares.values().reduce((sum, share) => sum + share, 0) / Math.max(1, shares.size);
  return new Map([...shares].map(([term, share]) => [term, share / mean]));
}

/** Weighs terms: a rare one weighs much, one that no passage has as much as the rarest. */
export function weighTerms(
  terms: readonly string[],
  { passages, of }: { passages: number; of: ReadonlyMap<string, number> },
  shares?: TermShares,
): TermWeights {
  return new Map(
    terms.map((term) => [term, weightOf(of.get(term) ?? 0, passages) * (shares?.get(term) ?? 1)]),
  );
}

/** The spellings of a name that the docs use; one of them where they use none. */
export function knownSpellings(
  terms: string[],
  spellings: readonly (readonly string[])[],
  { of }: { of: ReadonlyMap<string, number> },
): string[] {
  const unknown = spellings.flatMap((own) => {
    const absent = own.filter((term) => !of.has(term));
    return absent.length === own.length ? absent.slice(1) : absent;
  });
  return unknown.length === 0 ? terms : terms.filter((term) => !unknown.includes(term));
}

/** From 0 to 1: how rare a term is, compared with one that a single passage has. */
export function rarityOf(
  term: string,
  { passages, of }: { passages: number; of: ReadonlyMap<string, number> },
): number {
  const [own = 0, once = 1] = [of.get(term) ?? 0, 1].map((each) => weightOf(each, passages));
  return Math.min(1, Math.max(0, own / once));
}

const weightOf = (frequency: number, passages: number) =>
  Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5));

/** The share of the terms' weight that is present, from 0 to 1. */
export function shareOf(terms: readonly string[], present: Pick<Words, "has">, weights: TermWeights): number {
  let found = 0;
  let all = 0;
  for (const term of terms) {
    const weight = weights.get(term) ?? 0;
    all += weight;
    if (present.has(term)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}
