import type { PageFilter } from "../pages/pages.ts";
import type { Frequencies, IndexState, SearchScope, SearchStore } from "./search-store.ts";
import { createVectorSigns, type VectorSigns } from "./vector-signs.ts";

const FILTERS_KEPT = 64;
const TERMS_KEPT = 10_000;
const SITES_KEPT = 100;
const EMPTY: VectorSigns = { size: 0, nearest: () => ({ near: [], typicalSimilarity: 0 }) };

/** What is kept of the generations that readers see. */
interface Kept {
  readonly store: SearchStore;
  /** The most passages whose signs are kept. */
  readonly signsMax: number;
  readonly signsOf: Map<number, KeptSigns>;
  readonly frequenciesOf: Map<number, KeptFrequencies>;
  readonly pagesOf: Map<string, Promise<Set<number>>>;
}

interface KeptSigns {
  key: string;
  signs: Promise<VectorSigns>;
  size: number;
}

/** Term frequencies of a site. Counting one reads all of the term's postings. */
interface KeptFrequencies {
  generation: number;
  passages: number;
  counts: Map<string, number>;
}

type SiteEmbedder = NonNullable<IndexState["embedder"]>;
type PageTest = (pageId: number) => boolean;

/**
 * Reads once what never changes within a generation. Bounded by the number of passages; the sites asked least
 * recently go first.
 */
export interface GenerationCache {
  /** The signs of a site's vectors. */
  signs(scope: SearchScope, embedder: SiteEmbedder): Promise<VectorSigns>;
  /** The number of the site's passages with each term, and of all its passages. */
  frequencies(scope: SearchScope, terms: string[]): Promise<Frequencies>;
  /** A test for the pages that a filter allows; undefined where it allows all. */
  allows(scope: SearchScope): Promise<PageTest | undefined>;
}

export function createGenerationCache(from: { store: SearchStore; signsMax: number }): GenerationCache {
  const { store, signsMax } = from;
  const kept: Kept = { store, signsMax, signsOf: new Map(), frequenciesOf: new Map(), pagesOf: new Map() };
  return {
    signs: (scope, embedder) => signsIn(kept, scope, embedder),
    frequencies: (scope, terms) => frequenciesIn(kept, scope, terms),
    allows: (scope) => pagesAllowed(kept, scope),
  };
}

function signsIn(kept: Kept, scope: SearchScope, embedder: SiteEmbedder): Promise<VectorSigns> {
  const { signsOf } = kept;
  const key = `${scope.generation} ${embedder.id}`;
  const known = signsOf.get(scope.siteId);
  const own: KeptSigns = known?.key === key ? known : { key, size: 0, signs: Promise.resolve(EMPTY) };
  signsOf.delete(scope.siteId);
  signsOf.set(scope.siteId, own);
  if (own !== known) {
    own.signs = readSigns(kept, scope, embedder, own);
    // A failed read is tried again by the next question.
    own.signs.catch(() => signsOf.get(scope.siteId) === own && signsOf.delete(scope.siteId));
  }
  return own.signs;
}

async function readSigns(kept: Kept, scope: SearchScope, { id, dimensions }: SiteEmbedder, own: KeptSigns) {
  const capacity = await kept.store.countSigns(scope, id);
  own.size = capacity;
  makeRoom(kept, scope.siteId);
  return createVectorSigns(kept.store.signs(scope, id), { dimensions, capacity });
}

/** Drops the signs of the sites asked least recently until there is room. */
function makeRoom({ signsOf, signsMax }: Kept, siteId: number): void {
  let total = [...signsOf.values()].reduce((sum, { size }) => sum + size, 0);
  for (const [other, { size }] of signsOf) {
    if (total <= signsMax) return;
    if (other === siteId) continue;
    signsOf.delete(other);
    total -= size;
  }
}

async function frequenciesIn(
  { store, frequenciesOf }: Kept,
  { siteId, generation }: SearchScope,
  terms: string[],
): Promise<Frequencies> {
  const known = frequenciesOf.get(siteId);
  const isKnown = known?.generation === generation;
  const passages = isKnown ? known.passages : await store.countPassages(siteId);
  const counts = isKnown ? known.counts : new Map<string, number>();
  const missing = terms.filter((term) => !counts.has(term));
  if (missing.length > 0) {
    const found = await store.frequencies(siteId, missing);
    if (counts.size > TERMS_KEPT) counts.clear();
    for (const term of missing) counts.set(term, found.get(term) ?? 0);
    frequenciesOf.delete(siteId);
    frequenciesOf.set(siteId, { generation, passages, counts });
    dropOldest(frequenciesOf, SITES_KEPT);
  }
  const of = new Map<string, number>();
  for (const term of terms) {
    const count = counts.get(term) ?? 0;
    if (count > 0) of.set(term, count);
  }
  return { passages, of };
}

async function pagesAllowed({ store, pagesOf }: Kept, scope: SearchScope): Promise<PageTest | undefined> {
  if (isOpen(scope.filter)) return undefined;
  const key = JSON.stringify([scope.siteId, scope.generation, scope.filter]);
  const ids = pagesOf.get(key) ?? store.pageIds(scope);
  pagesOf.delete(key);
  pagesOf.set(key, ids);
  ids.catch(() => pagesOf.delete(key));
  dropOldest(pagesOf, FILTERS_KEPT);
  const allowed = await ids;
  return (pageId) => allowed.has(pageId);
}

/** Whether a filter lets every page through. */
function isOpen({ version, language, tag, groups }: PageFilter): boolean {
  return !version && !language && !tag && (groups === undefined || groups.length === 0);
}

/** Drops the oldest entries: a map keeps insertion order. */
function dropOldest<K>(map: Map<K, unknown>, kept: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= kept) return;
    map.delete(oldest);
  }
}
