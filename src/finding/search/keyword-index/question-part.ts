import type { ByteCache } from "./byte-cache.ts";
import type { Neighbours } from "./closeness.ts";
import type { AllowedDocuments } from "./documents-of-pages.ts";
import { FIELD_WEIGHTS } from "./fields.ts";
import { readWordList, type WordList } from "./near-words/near-words.ts";
import { type Found, findAny, findPhrase } from "./ranking/ranking.ts";
import type { RowReader, Segment, TermLists } from "./segment/segment.ts";

/** What is asked of the index. */
export interface WordQuery {
  /** Distinct. */
  terms: readonly string[];
  /** The terms of quoted text, in order. */
  phrases: readonly (readonly string[])[];
  /** The start of a word that is still being typed. */
  prefix: string | undefined;
  /** How much each term counts, where not all count alike. */
  shares?: ReadonlyMap<string, number> | undefined;
}

/** What is looked up in passages that were found. */
export interface PassageQuery extends WordQuery {
  /** Those of the terms that stand side by side in the question, stop words left out. */
  neighbours: readonly Neighbours[];
}

/** A segment while a question is answered. */
export interface Part {
  segment: Segment;
  weightOf: Float64Array;
  visible: AllowedDocuments;
  allowed: Uint8Array;
  lists: TermLists;
  /** What was found of phrases and beginnings, of all segments: people type the same ones again and again. */
  found: ByteCache<Promise<Found>>;
  rows: RowReader;
  wordLists: ByteCache<Promise<WordList>>;
}

/** The documents of a segment that have a phrase. */
export function phraseIn(part: Part, phrase: readonly string[]): Promise<Found> {
  return remembered(part, `phrase ${phrase.join(" ")}`, async () => {
    const lists = await part.lists.of([...new Set(phrase)]);
    const terms = phrase.flatMap((term) => lists.get(term) ?? []);
    if (terms.length < phrase.length || terms.length === 0) return NOTHING;
    const placed = terms.map((term) => ({
      list: term.list,
      positions: (blocks: readonly number[]) => part.lists.positions(term, blocks),
    }));
    return findPhrase(placed, part.segment.occurrences, FIELD_WEIGHTS);
  });
}

/** The documents of a segment that have a word with this beginning. */
export function prefixIn(part: Part, prefix: string): Promise<Found> {
  return remembered(part, `prefix ${prefix}`, () =>
    findAny(part.lists.beginningWith(prefix), part.segment.size, part.weightOf),
  );
}

/** The words of a segment, as they are written. */
export function wordsIn({ segment, rows, wordLists }: Part): Promise<WordList> {
  return keptIn(
    wordLists,
    String(segment.id),
    () => readWordList(rows, segment),
    ({ bytes }) => bytes,
  );
}

const NOTHING: Found = { documents: new Int32Array(), frequencies: new Float64Array() };

const BYTES_OF_ONE = 12;

function remembered({ found, segment }: Part, what: string, find: () => Promise<Found>): Promise<Found> {
  const key = `${segment.id} ${what}`;
  return keptIn(found, key, find, ({ documents }) => key.length + documents.length * BYTES_OF_ONE);
}

async function keptIn<V>(
  cache: ByteCache<Promise<V>>,
  key: string,
  make: () => Promise<V>,
  bytesOf: (value: V) => number,
): Promise<V> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const making = make();
  // Others that ask for the same meanwhile wait for it. Nothing is kept of what could not be read.
  cache.set(key, making, 0);
  try {
    cache.set(key, making, bytesOf(await making));
  } catch {
    cache.delete(key);
  }
  return making;
}
