import { keepLatest } from "@docent/kernel/lib/remember";
import { audienceKey } from "@docent/sites/pages/audience";
import { isOpenFilter, type PageFilter } from "@docent/sites/pages/pages";
import type { SearchScope } from "../search-store.ts";
import { type AddedSegment, openAdded, placeAdded } from "./added-words.ts";
import { createByteCache } from "./byte-cache.ts";
import type { AllowedDocuments } from "./documents-of-pages.ts";
import type { WordList } from "./near-words/near-words.ts";
import type { Found } from "./ranking/ranking.ts";
import { createRowReader, type RowReader, type Segment } from "./segment/segment.ts";
import type { SegmentStore } from "./segment-store.ts";
import { documentsAllowed, openSite, type SiteWords, wordsOfPages } from "./site-words.ts";
import { createView, type KeywordView } from "./view.ts";

export { createIndexKeeper, type IndexKeeper, type IndexLack, SEGMENT_REVISION } from "./index-keeper.ts";
export { likelihoodOf, type NearWord, nearestOf } from "./near-words/near-words.ts";
export { SHARE_MAX, saturated } from "./ranking/ranking.ts";
export { isReadable } from "./revision.ts";
export { SegmentDamaged, SegmentGone } from "./segment/segment.ts";
export type {
  KeywordView,
  Neighbours,
  PageWords,
  PassageQuery,
  PassageWords,
  SaidByLinks,
  WordQuery,
} from "./view.ts";

export interface KeywordIndex {
  /**
   * Opens the site's index: its segments, of which the generation and the filter decide what is seen. What an audience may
   * not see has no part in it: no number is counted with it, and no word is known by it. `addedIds` are segments of what
   * was written for its passages, as far as that counts.
   */
  open(scope: SearchScope, segmentIds: readonly number[], addedIds?: readonly number[]): Promise<KeywordView>;
}

interface KeywordIndexDeps {
  segments: Pick<SegmentStore, "rows">;
  /** The ids of the pages that a scope allows. */
  pageIds(scope: SearchScope): Promise<ReadonlySet<number>>;
  /** The most memory for what was read and found. */
  bytesMax: number;
}

/** How many sites' documents are kept in memory, and how many filters' of all sites. */
const SITES_KEPT = 100;
/** So many passages of a site its audiences may have together in memory, a byte for each; so few audiences always. */
const AUDIENCE_PASSAGES_MAX = 20_000_000;
const AUDIENCES_KEPT = { least: 4, most: 200 };
const FILTERS_KEPT = 64;

/** A site's documents in one state of its index: all of them, and those of audiences that asked. */
interface KeptSite {
  key: string;
  all: Promise<SiteWords>;
  seen: Map<string, Promise<SiteWords>>;
}

/** What was written for a site's passages, and where these are among those that somebody sees. */
interface KeptAdded {
  key: string;
  segments: Promise<Segment[]>;
  placed: WeakMap<SiteWords, Promise<AddedSegment[]>>;
}

export function createKeywordIndex({ segments: store, pageIds, bytesMax }: KeywordIndexDeps): KeywordIndex {
  const rows = createRowReader(store, bytesMax / 2);
  const found = createByteCache<Promise<Found>>(bytesMax / 4);
  const wordLists = createByteCache<Promise<WordList>>(bytesMax / 4);
  const sites = new Map<number, KeptSite>();
  const written = new Map<number, KeptAdded>();
  const filtered = new Map<string, Promise<AllowedDocuments[]>>();

  function siteOf(scope: SearchScope, segmentIds: readonly number[]): KeptSite {
    const key = `${scope.generation} ${segmentIds.join(" ")}`;
    const site = scope.siteId;
    const known = sites.get(site);
    const allPages = () => pageIds({ ...scope, audience: "everything", filter: NO_FILTER });
    const own: KeptSite =
      known?.key === key
        ? known
        : { key, all: openSite(rows, segmentIds, known?.all, allPages), seen: new Map() };
    keepLatest(sites, site, own, SITES_KEPT);
    own.all.catch(() => sites.get(site) === own && sites.delete(site));
    return own;
  }

  async function siteWords(scope: SearchScope, { all, seen }: KeptSite): Promise<SiteWords> {
    const site = await all;
    if (scope.audience === "everything") return site;
    const key = audienceKey(scope.audience);
    const own = seen.get(key) ?? wordsFor(scope, site);
    keepLatest(seen, key, own, audiencesKept(site));
    own.catch(() => seen.get(key) === own && seen.delete(key));
    return own;
  }

  const wordsFor = async (scope: SearchScope, site: SiteWords) =>
    wordsOfPages(rows, site, await pageIds({ ...scope, filter: NO_FILTER }));

  function allowedBy(scope: SearchScope, site: SiteWords): Promise<AllowedDocuments[]> {
    const { siteId, generation, audience, filter } = scope;
    const shown = site.segments.map(({ segment }) => segment.id);
    const key = JSON.stringify([siteId, generation, audienceKey(audience), filter, shown]);
    const own = filtered.get(key) ?? documentsAllowed(site, pageIds(scope));
    keepLatest(filtered, key, own, FILTERS_KEPT);
    own.catch(() => filtered.delete(key));
    return own;
  }

  return {
    async open(scope, segmentIds, addedIds = []) {
      const site = await siteWords(scope, siteOf(scope, segmentIds));
      const allowed = isOpenFilter(scope.filter) ? undefined : await allowedBy(scope, site);
      const added = await addedTo({ rows, written }, site, scope.siteId, addedIds);
      return createView({ rows, found, wordLists }, site, allowed, added);
    },
  };
}

/** Places what was written for a site's passages among those that somebody sees. */
async function addedTo(
  { rows, written }: { rows: RowReader; written: Map<number, KeptAdded> },
  site: SiteWords,
  siteId: number,
  ids: readonly number[],
): Promise<AddedSegment[]> {
  if (ids.length === 0) return [];
  const key = ids.join(" ");
  const known = written.get(siteId);
  const own: KeptAdded =
    known?.key === key ? known : { key, segments: openAdded(rows, ids), placed: new WeakMap() };
  keepLatest(written, siteId, own, SITES_KEPT);
  own.segments.catch(() => written.get(siteId) === own && written.delete(siteId));
  const segments = await own.segments;
  const placed = own.placed.get(site) ?? placeAdded(segments, site);
  own.placed.set(site, placed);
  return placed;
}

const NO_FILTER: PageFilter = {};

function audiencesKept({ passages }: SiteWords): number {
  const fitting = Math.floor(AUDIENCE_PASSAGES_MAX / Math.max(1, passages));
  return Math.min(AUDIENCES_KEPT.most, Math.max(AUDIENCES_KEPT.least, fitting));
}
