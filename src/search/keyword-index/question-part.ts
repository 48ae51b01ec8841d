import { FIELD_WEIGHTS } from "./fields.ts";
import { type Found, findAny, findPhrase } from "./ranking/ranking.ts";
import type { Segment, TermLists } from "./segment/segment.ts";
import type { VisibleDocuments } from "./visible-documents.ts";

/** What is asked of the index. */
export interface WordQuery {
  /** Distinct. */
  terms: readonly string[];
  /** The terms of quoted text, in order. */
  phrases: readonly (readonly string[])[];
  /** The start of a word that is still being typed. */
  prefix: string | undefined;
}

/** A segment while a question is answered. */
export interface Part {
  segment: Segment;
  weightOf: Float64Array;
  visible: VisibleDocuments;
  allowed: Uint8Array;
  lists: TermLists;
  /** What phrases and prefixes were found to have, by their text. */
  found: Map<string, Promise<Found>>;
}

/** The documents of a segment that have a phrase. */
export function phraseIn(part: Part, phrase: readonly string[]): Promise<Found> {
  return once(part.found, `phrase ${phrase.join(" ")}`, async () => {
    const lists = await part.lists.of([...new Set(phrase)]);
    const terms = phrase.flatMap((term) => lists.get(term) ?? []);
    if (terms.length < phrase.length || terms.length === 0) return NOTHING;
    const withPositions = await Promise.all(
      terms.map(async ({ list, entry }) => ({ list, positions: await part.lists.positions(entry) })),
    );
    return findPhrase(withPositions, part.segment.occurrences, FIELD_WEIGHTS);
  });
}

/** The documents of a segment that have a word with this beginning. */
export function prefixIn(part: Part, prefix: string): Promise<Found> {
  return once(part.found, `prefix ${prefix}`, () =>
    findAny(part.lists.beginningWith(prefix), part.segment.size, part.weightOf),
  );
}

const NOTHING: Found = { documents: new Int32Array(), frequencies: new Float64Array() };

function once<V>(made: Map<string, Promise<V>>, key: string, make: () => Promise<V>): Promise<V> {
  const own = made.get(key) ?? make();
  made.set(key, own);
  return own;
}
