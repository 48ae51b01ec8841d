import type { KeywordQuery } from "../read-query.ts";
import type { Frequencies } from "../search-store.ts";
import { shareOf, type TermWeights } from "../term-weights.ts";
import type { OrdinaryWords } from "./ordinary-words.ts";

/** What says that a passage answers a question. What it is worth depends on the site. */
export interface Evidence {
  /** The share of the question that the passage has, from 0 to 1: a word counts by how rare it is in English. */
  covered: number;
  /**
   * How near the passage is in meaning, at most as near as the nearest ones on average: a single one may be near by
   * chance. Undefined where there are no vectors.
   */
  near: number | undefined;
  /**
   * How much more frequent the question's words are in the docs than in English, as a logarithm: words that every text
   * has are found anywhere, and say nothing.
   */
  familiar: number;
}

/** What the evidence of all passages of one question is taken from. */
export interface AskedQuestion {
  query: Pick<KeywordQuery, "terms" | "identifiers" | "shares">;
  frequencies: Frequencies;
  /** The similarities of the proposed passages, in any order. */
  similarities: readonly number[];
}

/** Takes the evidence of one passage, by the question's terms that it has and its similarity. */
export type TakeEvidence = (present: ReadonlySet<string>, similarity: number | undefined) => Evidence;

/** How many of the nearest passages are averaged, of large sites and of small ones. */
const NEAREST = 20;
const NEAREST_SHARE = 1 / 15;
/** How much rarer than any word a name is outside of the docs that have it. */
const NAME_RARITY = 8;

export function evidenceOf(asked: AskedQuestion, ordinary: OrdinaryWords): TakeEvidence {
  const { terms, shares } = asked.query;
  const weights: TermWeights = new Map(
    terms.map((term) => [term, -ordinary.logShareOf(term) * (shares?.get(term) ?? 1)]),
  );
  const familiar = familiarityOf(asked, ordinary);
  const nearest = nearestOf(asked);
  return (present, similarity) => ({
    covered: shareOf(terms, present, weights),
    near: similarity === undefined ? undefined : Math.min(similarity, nearest),
    familiar,
  });
}

/** What the docs' own words say of a passage, whatever language they are in. */
export interface OwnWordsEvidence {
  /** The share of the question that the passage has, from 0 to 1: a word counts by how rare it is in the docs. */
  covered: number;
  /** How unlikely it is that any passage has so many of the question's words by chance, for the question's length. */
  surprise: number;
  passages: number;
}

/** Takes the evidence of one passage by the question's terms that it has. */
export function ownWordsEvidenceOf(
  { query: { terms, shares }, frequencies: { passages, of } }: Omit<AskedQuestion, "similarities">,
  weights: TermWeights,
): (present: ReadonlySet<string>) => OwnWordsEvidence {
  const logShareOf = (term: string) =>
    Math.log(((of.get(term) ?? 0) + 0.5) / (passages + 1)) * (shares?.get(term) ?? 1);
  return (present) => {
    const byChance = terms.reduce((sum, term) => sum + (present.has(term) ? logShareOf(term) : 0), 0);
    const surprise = (-byChance - Math.log(passages)) / Math.sqrt(Math.max(1, terms.length));
    return { covered: shareOf(terms, present, weights), surprise, passages };
  };
}

function familiarityOf({ query, frequencies }: AskedQuestion, ordinary: OrdinaryWords): number {
  const { terms, identifiers, shares } = query;
  const names = new Set(identifiers);
  const { passages, of } = frequencies;
  const sum = terms.reduce((sum, term) => {
    const found = of.get(term) ?? 0;
    const rarity = found > 0 && names.has(term) ? NAME_RARITY : 0;
    const share = shares?.get(term) ?? 1;
    return (
      sum +
      share * Math.log((found + 0.5) / (passages + 1)) -
      share * ordinary.logShareOf(term) +
      share * rarity
    );
  }, 0);
  const all = terms.reduce((sum, term) => sum + (shares?.get(term) ?? 1), 0);
  return all === 0 ? 0 : sum / all;
}

function nearestOf({ similarities, frequencies }: AskedQuestion): number {
  const many = Math.max(1, Math.min(NEAREST, Math.floor(frequencies.passages * NEAREST_SHARE)));
  const nearest = Float64Array.from(similarities).sort().reverse().subarray(0, many);
  return nearest.reduce((sum, similarity) => sum + similarity, 0) / nearest.length;
}
