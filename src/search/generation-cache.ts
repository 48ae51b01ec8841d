import type { PageFilter } from "../pages/pages.ts";
import type { Frequencies, IndexState, Scope, SearchStore } from "./search-store.ts";
import { createVectorSigns, type VectorSigns } from "./vector-signs.ts";

interface KeptSigns {
  key: string;
  index: Promise<VectorSigns>;
  size: number;
}

/** Counting a term reads all of its places in the index. */
interface KeptFrequencies {
  generation: number;
  passages: number;
  counts: Map<string, number>;
}

const FILTERS_KEPT = 64;
const TERMS_KEPT = 10_000;
const SITES_KEPT = 100;

/**
 * What a generation never changes is read once: the signs of its vectors, and which pages a filter lets through.
 * Bounded by the passages that are kept; the sites that were asked longest ago go first.
 */
export function createGenerationCache({ store, signsMax }: { store: SearchStore; signsMax: number }) {
  const signsOf = new Map<number, KeptSigns>();
  const frequenciesOf = new Map<number, KeptFrequencies>();
  const pagesOf = new Map<string, Promise<Set<number>>>();

  async function read(scope: Scope, embedder: NonNullable<IndexState["embedder"]>, kept: KeptSigns) {
    const capacity = await store.countSigns(scope, embedder.id);
    kept.size = capacity;
    makeRoom(scope.siteId);
    const { dimensions } = embedder;
    return createVectorSigns(store.signs(scope, embedder.id), { dimensions, capacity });
  }

  function makeRoom(siteId: number): void {
    let total = [...signsOf.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [other, { size }] of signsOf) {
      if (total <= signsMax) return;
      if (other === siteId) continue;
      signsOf.delete(other);
      total -= size;
    }
  }

  return {
    signs(scope: Scope, embedder: NonNullable<IndexState["embedder"]>): Promise<VectorSigns> {
      const key = `${scope.generation} ${embedder.id}`;
      const known = signsOf.get(scope.siteId);
      const kept: KeptSigns = known?.key === key ? known : { key, size: 0, index: Promise.resolve(EMPTY) };
      signsOf.delete(scope.siteId);
      signsOf.set(scope.siteId, kept);
      if (kept !== known) {
        kept.index = read(scope, embedder, kept);
        // What failed is tried again by the next question.
        kept.index.catch(() => signsOf.get(scope.siteId) === kept && signsOf.delete(scope.siteId));
      }
      return kept.index;
    },

    /** In how many passages of the site each term occurs, and how many it has. */
    async frequencies({ siteId, generation }: Scope, terms: string[]): Promise<Frequencies> {
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
    },

    /** Says which pages a filter lets through; undefined where all of them pass. */
    async allows(scope: Scope): Promise<((pageId: number) => boolean) | undefined> {
      if (isOpen(scope.filter)) return undefined;
      const key = JSON.stringify([scope.siteId, scope.generation, scope.filter]);
      const ids = pagesOf.get(key) ?? store.pageIds(scope);
      pagesOf.delete(key);
      pagesOf.set(key, ids);
      ids.catch(() => pagesOf.delete(key));
      dropOldest(pagesOf, FILTERS_KEPT);
      const allowed = await ids;
      return (pageId) => allowed.has(pageId);
    },
  };
}

const EMPTY: VectorSigns = { size: 0, nearest: () => ({ near: [], typicalSimilarity: 0 }) };

function isOpen({ version, language, tag, groups }: PageFilter): boolean {
  return !version && !language && !tag && (groups === undefined || groups.length === 0);
}

export type GenerationCache = ReturnType<typeof createGenerationCache>;

/** A map keeps the order in which its keys came. */
function dropOldest<K>(map: Map<K, unknown>, kept: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= kept) return;
    map.delete(oldest);
  }
}
