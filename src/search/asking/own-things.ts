import { wordsOf } from "../analyze.ts";
import type { KeywordView } from "../keyword-index/keyword-index.ts";
import { circumstancesIn, withoutCircumstances } from "./circumstances.ts";

/** What passages have. */
type Known = Pick<KeywordView, "frequencies" | "phraseFrequency">;

/** So many names are looked for within longer ones; a log has hundreds, and none of them is asked about. */
const LOOKED_FOR_MAX = 12;

/** Texts without what they tell of the reader's own, as far as no passage has it either. */
export async function withoutOwnThings(texts: readonly string[], docs: Known): Promise<string[]> {
  const tokens = new Set(texts.flatMap((text) => circumstancesIn(text)).map(({ token }) => token));
  if (tokens.size === 0) return [...texts];
  const known = await knownOf([...tokens], docs);
  return texts.map((text) => withoutCircumstances(text, (token) => known.has(token)));
}

/** Those that passages have, be it within a longer name: an address in one with a port, the beginning of an id. */
async function knownOf(tokens: readonly string[], docs: Known): Promise<ReadonlySet<string>> {
  const words = new Map(tokens.map((token) => [token, wordsOf(token)]));
  const terms = [...words.values()].flat().flatMap((word) => word.terms);
  const of = await docs.frequencies([...new Set(terms)]);
  const isThere = (term: string | undefined) => term !== undefined && (of.get(term) ?? 0) > 0;
  const known = new Set<string>();
  let looked = 0;
  for (const [token, parts] of words) {
    let isKnown = true;
    for (const {
      terms: [whole, ...inside],
    } of parts) {
      if (isThere(whole)) continue;
      const mayBeInside = inside.length > 1 && inside.every(isThere) && looked++ < LOOKED_FOR_MAX;
      isKnown &&= mayBeInside && (await docs.phraseFrequency(inside)) > 0;
    }
    if (isKnown) known.add(token);
  }
  return known;
}
