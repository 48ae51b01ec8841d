import { createIndexKeeper } from "@docent/finding/search/keyword-index/keyword-index";
import { CALIBRATED_PASSAGES_MIN, type Calibrator } from "@docent/finding/search/relevance/relevance";
import {
  type CandidateLister,
  createSearch,
  type PassageReacher,
  type Search,
  type SearchElsewhere,
  type SearchExplainer,
} from "@docent/finding/search/search";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { limitWarnings } from "@docent/kernel/lib/log";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { createBuiltinEmbedder, readBuiltinAsset } from "@docent/models/builtin/builtin";
import { openOllamaEmbedder } from "@docent/models/ollama/ollama";
import type { PageStore } from "@docent/sites/pages/pages";
import type { Storage } from "@docent/storage/storage";
import type { Ground } from "./parts.ts";
import { openSiteIndex, type SiteIndex } from "./site-index.ts";

export interface Content {
  pages: PageStore;
  images: Storage["content"]["images"];
  inventory: Storage["content"]["inventory"];
  embedder: Embedder;
  /** The vectors inside the binary, which answer at once whatever the setting says. */
  builtin: Embedder;
  search: Search & SearchElsewhere & SearchExplainer & CandidateLister & PassageReacher;
  calibrator: Calibrator;
  index: SiteIndex;
}

/** The setting's value that means the vectors inside the binary. */
const BUILTIN = "builtin";

/** How long a reader waits while the index is repaired; a command waits until it is done. */
const REPAIR_WAIT_MS = 3000;

/** Opens the pages and the search over them. */
export function openContent(ground: Ground, { isServer }: { isServer: boolean }): Content {
  const { config, clock, log, storage, builtin = createBuiltinEmbedder(readBuiltinAsset) } = ground;
  const embedder = openEmbedder(ground, builtin);
  const index = openIndex(ground, isServer);
  const search = createSearch({
    settings: config,
    store: storage.content.search,
    segments: storage.content.segments,
    calibrations: storage.content.calibrations,
    embedder,
    isWord: builtin.isWord,
    clock,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
  });
  return {
    pages: storage.content.pages,
    images: storage.content.images,
    inventory: storage.content.inventory,
    embedder,
    builtin,
    index,
    search: {
      find: (query) => index.reading(query.siteId, () => search.find(query)),
      at(point) {
        const { find } = search.at(point);
        return { find: (query) => index.reading(query.siteId, () => find(query)) };
      },
      explain: (query, pages) => index.reading(query.siteId, () => search.explain(query, pages)),
      audience: search.audience,
      candidates: (query) => index.reading(query.siteId, () => search.candidates(query)),
      reach: (siteId, passageId, text) => index.reading(siteId, () => search.reach(siteId, passageId, text)),
    },
    calibrator: {
      async calibrate(siteId, signal) {
        if (!storage.isReadOnly) await index.reading(siteId, () => search.calibrate(siteId, signal));
      },
      async calibrateAnew(siteId, signal) {
        if (!storage.isReadOnly) await index.reading(siteId, () => search.calibrateAnew(siteId, signal));
      },
      async isUncalibrated(siteId) {
        if (storage.isReadOnly || !(await search.isUncalibrated(siteId))) return false;
        return (await storage.content.pages.countPages(siteId)).passages >= CALIBRATED_PASSAGES_MIN;
      },
    },
  };
}

/** A server repairs an index in a process of its own, where it can start one. */
function openIndex({ storage, log, runSelf }: Ground, isServer: boolean): SiteIndex {
  const { content, people, isReadOnly } = storage;
  const keeper = createIndexKeeper({ store: content.segments, log });
  // What was written for passages goes with them: to those of a run that have the same content, and when it is made anew.
  const enrichments = createIndexKeeper({ store: content.enrichmentSegments, log });
  return openSiteIndex({
    keeper: {
      ...keeper,
      async catchUp(siteId, options) {
        await keeper.catchUp(siteId, options);
        await enrichments.catchUp(siteId, { runId: options.runId, signal: options.signal });
      },
      async tidy(siteId, signal) {
        await keeper.tidy(siteId, signal);
        await enrichments.tidy(siteId, signal);
      },
      findDamaged: async (siteId, signal) => [
        ...(await keeper.findDamaged(siteId, signal)),
        ...(await enrichments.findDamaged(siteId, signal)),
      ],
      repair: async (siteId, signal) =>
        (await keeper.repair(siteId, signal)) + (await enrichments.repair(siteId, signal)),
      async lacks(siteId, signal) {
        const { outdated, newer, missing } = await keeper.lacks(siteId, signal);
        const written = await enrichments.lacks(siteId, signal);
        return { outdated: outdated + written.outdated, newer: newer + written.newer, missing };
      },
      async complete(siteId, signal) {
        await keeper.complete(siteId, signal);
        await enrichments.complete(siteId, signal);
      },
    },
    domainOf: async (siteId) => (await people.sites.listSites()).find(({ id }) => id === siteId)?.domain,
    repairApart:
      isServer && runSelf ? (domain, signal) => runSelf(["index", "repair", domain], signal) : undefined,
    waitMs: isServer ? REPAIR_WAIT_MS : Number.POSITIVE_INFINITY,
    isReadOnly,
    log,
  });
}

function openEmbedder({ config, seal, clock, log }: Ground, builtin: Embedder): Embedder {
  if (config.embedding_model === BUILTIN) return builtin;
  return openOllamaEmbedder({ settings: config, seal, clock, log });
}
