import { wordsOf } from "../analyze.ts";
import { circumstancesIn, withoutCircumstances } from "./circumstances.ts";

/** In how many passages terms are. */
type Frequencies = (terms: string[]) => Promise<ReadonlyMap<string, number>>;

/** An id, a date or a time: its pieces may stand anywhere. */
const OF_PIECES = /^(?:[\p{L}\d]+={0,2}|\d{1,4}[-:]\d{2}[-\d:.TZ+ ]*)$/u;

/** Texts without what they tell of the reader's own, as far as no passage has it either. */
export async function withoutOwnThings(
  texts: readonly string[],
  frequencies: Frequencies,
): Promise<string[]> {
  const found = texts.flatMap((text) => circumstancesIn(text));
  const tokens = new Map(found.map(({ token }) => [token, wordsOf(token)]));
  if (tokens.size === 0) return [...texts];
  const terms = [...tokens.values()].flat().flatMap((word) => word.terms);
  const of = await frequencies([...new Set(terms)]);
  const isThere = (term: string | undefined) => term !== undefined && (of.get(term) ?? 0) > 0;
  // What stands within a longer name is known by its parts.
  const isKnown = (token: string) =>
    (tokens.get(token) ?? []).every(({ terms: [whole, ...parts] }) => {
      const isOfWords = parts.length > 0 && !OF_PIECES.test(token);
      return isThere(whole) || (isOfWords && parts.every(isThere));
    });
  return texts.map((text) => withoutCircumstances(text, isKnown));
}
