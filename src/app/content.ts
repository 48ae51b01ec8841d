import { createBuiltinEmbedder, readBuiltinAsset } from "../embed/builtin.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { PassageIndexer } from "../ingest/stores.ts";
import { MINUTE_MS } from "../lib/clock.ts";
import { limitWarnings } from "../lib/log.ts";
import { openOllamaEmbedder } from "../ollama/ollama.ts";
import type { PageStore } from "../pages/pages.ts";
import { createIndexKeeper } from "../search/keyword-index/keyword-index.ts";
import { createSearch, type Search, type SearchExplainer } from "../search/search.ts";
import type { Storage } from "../storage/storage.ts";
import type { Ground } from "./parts.ts";

export interface Content {
  pages: PageStore;
  inventory: Storage["content"]["inventory"];
  embedder: Embedder;
  search: Search & SearchExplainer;
  index: PassageIndexer;
}

/** The setting's value that means the vectors inside the binary. */
const BUILTIN = "builtin";

/** Opens the pages and the search over them. */
export function openContent(ground: Ground): Content {
  const { config, clock, log, storage } = ground;
  const embedder = openEmbedder(ground);
  return {
    pages: storage.content.pages,
    inventory: storage.content.inventory,
    embedder,
    index: createIndexKeeper({ store: storage.content.segments, log }),
    search: createSearch({
      settings: config,
      store: storage.content.search,
      segments: storage.content.segments,
      embedder,
      log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
    }),
  };
}

function openEmbedder({ config, clock, log }: Ground): Embedder {
  if (config.embedding_model === BUILTIN) return createBuiltinEmbedder(readBuiltinAsset);
  return openOllamaEmbedder({ settings: config, clock, log });
}
