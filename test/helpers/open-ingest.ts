import type { Embedder } from "../../src/embed/embedder.ts";
import { createIngest, type Ingest } from "../../src/ingest/ingest.ts";
import { createVectors } from "../../src/ingest/vectors.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { wordEmbedder } from "./word-embedder.ts";

/** An ingest on a storage's stores. */
export function openIngest(
  storage: Pick<Storage, "ingest" | "sources" | "ledger" | "passageVectors">,
  clock: Clock,
  { pagesMax = 1000, embedder = wordEmbedder() }: { pagesMax?: number; embedder?: Embedder } = {},
): Ingest {
  const { ingest: store, sources, ledger, passageVectors } = storage;
  return createIngest({
    ...{ store, sources, ledger, clock, pagesMax },
    vectors: createVectors({ store: passageVectors, embedder }),
  });
}
