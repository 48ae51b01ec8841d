import type { Embedder } from "../../src/embed/embedder.ts";
import { createIngest, type Ingest } from "../../src/ingest/run/run.ts";
import type { PassageIndexer } from "../../src/ingest/stores.ts";
import { createVectors } from "../../src/ingest/vectors.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Log } from "../../src/lib/log.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { quietLog } from "./test-log.ts";
import { wordEmbedder } from "./word-embedder.ts";

const NO_INDEX: PassageIndexer = { catchUp: async () => {}, tidy: async () => {} };

/** An ingest on a storage's stores. */
export function openIngest(
  storage: Pick<Storage["content"], "ingest" | "sources" | "ledger" | "passageVectors">,
  clock: Clock,
  options: { pagesMax?: number; embedder?: Embedder; index?: PassageIndexer; log?: Log } = {},
): Ingest {
  const { pagesMax = 1000, embedder = wordEmbedder(), index = NO_INDEX, log = quietLog() } = options;
  const { ingest: store, sources, ledger, passageVectors } = storage;
  return createIngest({
    store,
    sources,
    ledger,
    index,
    clock,
    log,
    pagesMax,
    vectors: createVectors({ store: passageVectors, embedder }),
  });
}
