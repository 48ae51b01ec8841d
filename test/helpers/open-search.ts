import { createIndexKeeper } from "../../src/finding/search/keyword-index/index-keeper.ts";
import { createKeywordIndex, type WordQuery } from "../../src/finding/search/keyword-index/keyword-index.ts";
import type { CalibrationStore, Calibrator } from "../../src/finding/search/relevance/relevance.ts";
import {
  type CandidateLister,
  createSearch,
  type PassageReacher,
  type Search,
  type SearchElsewhere,
  type SearchExplainer,
} from "../../src/finding/search/search.ts";
import type { SearchScope } from "../../src/finding/search/search-store.ts";
import type { Embedder } from "../../src/kernel/vectors/embedder.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { quietLog } from "./test-log.ts";
import { wordEmbedder } from "./word-embedder.ts";

type Stores = Pick<Storage["content"], "search" | "segments"> &
  Partial<Pick<Storage["content"], "calibrations">>;

const KEYWORD_MEMORY_BYTES = 1_000_000;
const VECTOR_MEMORY_BYTES = 1_000_000;
const PASSAGE_MEMORY_BYTES = 1_000_000;

/** Indexes what of a site is in no segment: pages that a test has staged by itself are not indexed by a run. */
const catchUp = ({ segments }: Stores, siteId: number) =>
  createIndexKeeper({ store: segments, log: quietLog() }).catchUp(siteId, {
    signal: new AbortController().signal,
  });

/** For sites that are never calibrated. */
export const noCalibrations: CalibrationStore = {
  nearest: async () => undefined,
  put: async () => {},
  changes: async () => undefined,
  askedBy: async () => [],
};

/** A search over a storage's stores. */
export function openSearch(
  stores: Stores,
  options: {
    embedder?: Embedder;
    isWord?: (text: string) => Promise<boolean>;
    vectorsInMemory?: number;
    vectorMemoryBytes?: number;
    passageMemoryBytes?: number;
    questionVectorSeconds?: number;
  } = {},
): Search & SearchElsewhere & SearchExplainer & CandidateLister & PassageReacher & Calibrator {
  const { embedder = wordEmbedder(), vectorsInMemory = 10_000, questionVectorSeconds = 3600 } = options;
  const { isWord = async () => false, vectorMemoryBytes = VECTOR_MEMORY_BYTES } = options;
  const { passageMemoryBytes = PASSAGE_MEMORY_BYTES } = options;
  const { search: store, segments } = stores;
  const settings = {
    vectors_in_memory: vectorsInMemory,
    vector_memory_bytes: vectorMemoryBytes,
    keyword_memory_bytes: KEYWORD_MEMORY_BYTES,
    passage_memory_bytes: passageMemoryBytes,
    question_vector_seconds: questionVectorSeconds,
  };
  const search = createSearch({
    store,
    segments,
    calibrations: stores.calibrations ?? noCalibrations,
    embedder,
    isWord,
    settings,
    clock: () => TEST_TIME,
    log: quietLog(),
  });
  return {
    audience: search.audience,
    async find(query) {
      await catchUp(stores, query.siteId);
      return search.find(query);
    },
    at(point) {
      const there = search.at(point);
      return {
        async find(query) {
          await catchUp(stores, query.siteId);
          return there.find(query);
        },
      };
    },
    async explain(query, pages) {
      await catchUp(stores, query.siteId);
      return search.explain(query, pages);
    },
    async candidates(query) {
      await catchUp(stores, query.siteId);
      return search.candidates(query);
    },
    async reach(siteId, passageId, text) {
      await catchUp(stores, siteId);
      return search.reach(siteId, passageId, text);
    },
    isUncalibrated: search.isUncalibrated,
    async calibrateAnew(siteId, signal) {
      await catchUp(stores, siteId);
      return search.calibrateAnew(siteId, signal);
    },
    async calibrate(siteId, signal) {
      await catchUp(stores, siteId);
      return search.calibrate(siteId, signal);
    },
  };
}

/** The keyword index over a storage's stores. */
export function openKeywords(stores: Stores) {
  const { search, segments } = stores;
  const index = createKeywordIndex({
    segments,
    pageIds: (scope) => search.pageIds(scope),
    bytesMax: KEYWORD_MEMORY_BYTES,
  });

  async function view(scope: SearchScope) {
    await catchUp(stores, scope.siteId);
    return index.open(scope, (await search.state(scope.siteId)).segments);
  }

  return {
    view,
    match: async (scope: SearchScope, query: WordQuery, limit: number) =>
      (await view(scope)).match(query, limit),
  };
}
