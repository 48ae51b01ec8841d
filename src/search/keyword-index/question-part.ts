import type { ByteCache } from "./byte-cache.ts";
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
  /** What was found of phrases and beginnings, of all segments: people type the same ones again and again. */
  found: ByteCache<Promise<Found>>;
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

const NOTHING: Found = { documents: new Int32Array(), frequencies: new Float64Array() };

const BYTES_OF_ONE = 12;

async function remembered(part: Part, what: string, find: () => Promise<Found>): Promise<Found> {
  const { found, segment } = part;
  const key = `${segment.id} ${what}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const looking = find();
  // Others that ask for the same meanwhile wait for it. Nothing is kept of what could not be read.
  found.set(key, looking, 0);
  try {
    const { documents } = await looking;
    found.set(key, looking, key.length + documents.length * BYTES_OF_ONE);
  } catch {
    found.delete(key);
  }
  return looking;
}
