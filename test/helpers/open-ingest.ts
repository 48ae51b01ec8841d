import { createIndexKeeper } from "../../src/finding/search/keyword-index/index-keeper.ts";
import type { Clock } from "../../src/kernel/lib/clock.ts";
import type { Log } from "../../src/kernel/lib/log.ts";
import type { Embedder } from "../../src/kernel/vectors/embedder.ts";
import { createOwnPageReading, type PageReading } from "../../src/reading/page-reading/page-reading.ts";
import { createIngest, type Ingest } from "../../src/sites/ingest/run/run.ts";
import type { PassageIndexer, SiteCalibrator, SwitchWatch } from "../../src/sites/ingest/stores.ts";
import { createVectors } from "../../src/sites/ingest/vectors.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { quietLog } from "./test-log.ts";
import { wordEmbedder } from "./word-embedder.ts";

/** An ingest on a storage's stores. */
export function openIngest(
  storage: Pick<
    Storage["content"],
    "ingest" | "sources" | "ledger" | "published" | "passageVectors" | "segments"
  >,
  clock: Clock,
  options: {
    pagesMax?: number;
    imageBytesMax?: number;
    embedder?: Embedder;
    index?: PassageIndexer;
    calibrator?: SiteCalibrator;
    watch?: SwitchWatch;
    log?: Log;
    pageReading?: PageReading;
  } = {},
): Ingest {
  const { pagesMax = 1000, imageBytesMax = 1_000_000, embedder = wordEmbedder(), log = quietLog() } = options;
  const { ingest: store, sources, ledger, published, passageVectors, segments } = storage;
  const { pageReading = createOwnPageReading() } = options;
  const { index = createIndexKeeper({ store: segments, log }) } = options;
  return createIngest({
    store,
    sources,
    ledger,
    published,
    index,
    clock,
    log,
    pageReading,
    pagesMax,
    imageBytesMax,
    watch: options.watch ?? { beforeSwitch: async () => undefined, afterSwitch: async () => {} },
    calibrator: options.calibrator ?? { calibrate: async () => {} },
    vectors: createVectors({ store: passageVectors, embedder }),
  });
}
