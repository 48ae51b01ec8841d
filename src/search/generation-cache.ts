import type { PageFilter } from "../pages/pages.ts";
import type { Frequencies, IndexState, Scope, SearchStore } from "./search-store.ts";
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

/** How often terms occur in a site: to count one reads all of its places in the index. */
interface KeptFrequencies {
  generation: number;
  passages: number;
  counts: Map<string, number>;
}

type SiteEmbedder = NonNullable<IndexState["embedder"]>;
type PageTest = (pageId: number) => boolean;

/**
 * Reads once what a generation never changes. Bounded by the passages that are kept; the sites that were asked longest
 * ago go first.
 */
export interface GenerationCache {
  /** The signs of a site's vectors. */
  signs(scope: Scope, embedder: SiteEmbedder): Promise<VectorSigns>;
  /** In how many passages of the site each term occurs, and how many it has. */
  frequencies(scope: Scope, terms: string[]): Promise<Frequencies>;
  /** Says which pages a filter lets through; undefined where all of them pass. */
  allows(scope: Scope): Promise<PageTest | undefined>;
}

/** Makes a cache that holds nothing yet. */
export function createGenerationCache(from: { store: SearchStore; signsMax: number }): GenerationCache {
  const { store, signsMax } = from;
  const kept: Kept = {
    store,
    signsMax,
    signsOf: new Map(),
    frequenciesOf: new Map(),
    pagesOf: new Map(),
  };
  return {
    signs: (scope, embedder) => signsIn(kept, scope, embedder),
    frequencies: (scope, terms) => frequenciesIn(kept, scope, terms),
    allows: (scope) => pagesAllowed(kept, scope),
  };
}

function signsIn(kept: Kept, scope: Scope, embedder: SiteEmbedder): Promise<VectorSigns> {
  const { signsOf } = kept;
  const key = `${scope.generation} ${embedder.id}`;
  const known = signsOf.get(scope.siteId);
  const own: KeptSigns = known?.key === key ? known : { key, size: 0, signs: Promise.resolve(EMPTY) };
  signsOf.delete(scope.siteId);
  signsOf.set(scope.siteId, own);
  if (own !== known) {
    own.signs = readSigns(kept, scope, embedder, own);
    // What failed is tried again by the next question.
    own.signs.catch(() => signsOf.get(scope.siteId) === own && signsOf.delete(scope.siteId));
  }
  return own.signs;
}

async function readSigns(kept: Kept, scope: Scope, { id, dimensions }: SiteEmbedder, own: KeptSigns) {
  const capacity = await kept.store.countSigns(scope, id);
  own.size = capacity;
  makeRoom(kept, scope.siteId);
  return createVectorSigns(kept.store.signs(scope, id), { dimensions, capacity });
}

/** Drops the signs of other sites, those asked longest ago first, until there are few enough. */
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
  { siteId, generation }: Scope,
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

async function pagesAllowed({ store, pagesOf }: Kept, scope: Scope): Promise<PageTest | undefined> {
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

/** Drops what came first: a map keeps the order in which its keys came. */
function dropOldest<K>(map: Map<K, unknown>, kept: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= kept) return;
    map.delete(oldest);
  }
}
