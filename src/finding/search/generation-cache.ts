import { keepLatest } from "@docent/kernel/lib/remember";
import { type Audience, audienceAmong, audienceKey } from "@docent/sites/pages/audience";
import { isOpenFilter } from "@docent/sites/pages/pages";
import {
  createVectorSigns,
  NO_LEVEL,
  openCountDiffering,
  type VectorMemory,
  type VectorSigns,
} from "./meaning/meaning.ts";
import type { IndexState, SearchScope, SearchStore } from "./search-store.ts";

const FILTERS_KEPT = 64;
const SITES_KEPT = 100;
const EVALUATED_KEPT = 1;
const EMPTY: VectorSigns = {
  size: 0,
  nearest: async () => ({ near: [], level: NO_LEVEL }),
};

/** What is kept of the generations that readers see. */
interface Kept {
  readonly store: SearchStore;
  /** The most passages whose signs are kept. */
  readonly signsMax: number;
  readonly vectorMemory: VectorMemory;
  readonly signsOf: Map<number, KeptSigns>;
  /** Those that only an evaluation searches, of the sites evaluated last. */
  readonly evaluatedOf: Map<number, KeptSigns>;
  readonly pagesOf: Map<string, Promise<Set<number>>>;
  /** By site, those of the generation that was asked last. */
  readonly groupsOf: Map<number, KeptOf<readonly string[]>>;
  readonly questionsOf: Map<number, KeptOf<ReadonlySet<number>>>;
}

interface KeptSigns {
  key: string;
  signs: Promise<VectorSigns>;
  size: number;
}

/** What never changes within a generation. */
interface KeptOf<Value> {
  generation: number;
  value: Promise<Value>;
}

type SiteGeneration = Pick<SearchScope, "siteId" | "generation">;

/** Which vectors of a site are searched. */
export interface SearchedVectors extends Pick<NonNullable<IndexState["embedder"]>, "id" | "dimensions"> {
  /** Whether passages for which something was written have the vectors that were made of that, too. */
  isEnriched: boolean;
  /** The segments of what was written: with others, vectors are others. */
  written: readonly number[];
  /** Whether readers search them. The others are of an evaluation, and only their signs are kept. */
  isKept: boolean;
}
type PageTest = (pageId: number) => boolean;

/**
 * Reads once what never changes within a generation. Bounded by the number of passages; the sites asked least
 * recently go first.
 */
export interface GenerationCache {
  /** The signs of a site's vectors. Where they are read, the whole vectors are kept too, as far as there is room. */
  signs(scope: SearchScope, vectors: SearchedVectors): Promise<VectorSigns>;
  /** The audience by what of it matters to the pages of a generation. */
  audience(site: SiteGeneration, audience: Audience): Promise<Audience>;
  /** The ids of the pages that a scope allows. Those of one that allows all are not kept: they are many. */
  pageIds(scope: SearchScope): Promise<ReadonlySet<number>>;
  /** The ids of the passages of questions out of trackers, whomever they are for. */
  questionPassages(site: SiteGeneration): Promise<ReadonlySet<number>>;
  /** A test for the pages that a scope allows; undefined where it allows all. */
  pageTest(scope: SearchScope): Promise<PageTest | undefined>;
}

export function createGenerationCache(
  from: Pick<Kept, "store" | "signsMax" | "vectorMemory">,
): GenerationCache {
  const kept: Kept = {
    ...from,
    signsOf: new Map(),
    evaluatedOf: new Map(),
    pagesOf: new Map(),
    groupsOf: new Map(),
    questionsOf: new Map(),
  };
  return {
    signs: (scope, vectors) => signsIn(kept, scope, vectors),
    async audience(site, audience) {
      if (audience === "everything") return audience;
      return audienceAmong(audience, await lastOf(kept.groupsOf, site, () => kept.store.groups(site)));
    },
    pageIds: (scope) => pageIdsIn(kept, scope),
    questionPassages: (site) => lastOf(kept.questionsOf, site, () => kept.store.questionPassages(site)),
    async pageTest(scope) {
      if (isOpen(scope)) return undefined;
      const allowed = await pageIdsIn(kept, scope);
      return (pageId) => allowed.has(pageId);
    },
  };
}

function signsIn(kept: Kept, scope: SearchScope, vectors: SearchedVectors): Promise<VectorSigns> {
  const signsOf = vectors.isKept ? kept.signsOf : kept.evaluatedOf;
  const { id, isEnriched, written } = vectors;
  const key = `${scope.generation} ${id} ${isEnriched ? written.join(" ") : ""}`;
  const known = signsOf.get(scope.siteId);
  const own: KeptSigns = known?.key === key ? known : { key, size: 0, signs: Promise.resolve(EMPTY) };
  signsOf.delete(scope.siteId);
  signsOf.set(scope.siteId, own);
  if (own !== known) {
    if (!vectors.isKept) keepLatest(signsOf, scope.siteId, own, EVALUATED_KEPT);
    own.signs = readSigns(kept, scope, vectors, own);
    // A failed read is tried again by the next question.
    own.signs.catch(() => signsOf.get(scope.siteId) === own && signsOf.delete(scope.siteId));
  }
  return own.signs;
}

async function readSigns(kept: Kept, scope: SearchScope, vectors: SearchedVectors, own: KeptSigns) {
  const { id, dimensions, isEnriched, isKept } = vectors;
  const read = kept.store.vectors(scope, { embedderId: id, isEnriched });
  const rows = isKept ? kept.vectorMemory.keeping(scope.siteId, vectors, read) : read;
  const signs = await createVectorSigns(rows, dimensions, await openCountDiffering());
  own.size = signs.size;
  if (isKept) makeRoom(kept, scope.siteId);
  return signs;
}

/** Drops the signs and vectors of the sites asked least recently until there is room. */
function makeRoom({ signsOf, signsMax, vectorMemory }: Kept, siteId: number): void {
  let total = [...signsOf.values()].reduce((sum, { size }) => sum + size, 0);
  for (const [other, { size }] of signsOf) {
    if (total <= signsMax) return;
    if (other === siteId) continue;
    signsOf.delete(other);
    vectorMemory.forget(other);
    total -= size;
  }
}

function pageIdsIn({ store, pagesOf }: Kept, scope: SearchScope): Promise<ReadonlySet<number>> {
  if (isOpen(scope)) return store.pageIds(scope);
  const { siteId, generation, audience, filter } = scope;
  const key = JSON.stringify([siteId, generation, audienceKey(audience), filter]);
  const ids = pagesOf.get(key) ?? store.pageIds(scope);
  keepLatest(pagesOf, key, ids, FILTERS_KEPT);
  ids.catch(() => pagesOf.delete(key));
  return ids;
}

const isOpen = ({ audience, filter }: SearchScope) => audience === "everything" && isOpenFilter(filter);

/** What is kept of the generation of a site that was asked last. */
function lastOf<Value>(
  sites: Map<number, KeptOf<Value>>,
  { siteId, generation }: SiteGeneration,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = sites.get(siteId);
  const own = known?.generation === generation ? known : { generation, value: read() };
  keepLatest(sites, siteId, own, SITES_KEPT);
  own.value.catch(() => sites.get(siteId) === own && sites.delete(siteId));
  return own.value;
}
