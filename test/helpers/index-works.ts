import { createIndexKeeper } from "../../src/finding/search/keyword-index/keyword-index.ts";
import { createGenerations } from "../../src/sites/ingest/generations.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { memoryReader } from "./memory-reader.ts";
import { openIngest } from "./open-ingest.ts";
import { sourceSpec } from "./page-data.ts";
import { quietLog } from "./test-log.ts";
import type { OpenStorage } from "./test-storage.ts";

/** What is done to the keyword index of a site. An upgrade is over when the storage is open. */
export const INDEX_WORKS = {
  upgrade: async () => {},
  run: async (storage: OpenStorage, pages: Record<string, string>) =>
    read(storage, pages, (await storage.search.state(1)).generation),
  merge: (storage: OpenStorage) =>
    createIndexKeeper({ store: storage.segments, log: quietLog() }).tidy(1, new AbortController().signal),
  async rollback(storage: OpenStorage, pages: Record<string, string>) {
    await createGenerations({ store: storage.generations }).rollBack(1);
    await read(storage, pages, (await storage.search.state(1)).generation);
  },
};

export type IndexWork = keyof typeof INDEX_WORKS;

const read = (storage: OpenStorage, pages: Record<string, string>, generation: number) =>
  openIngest(storage, () => TEST_TIME).run({
    source: sourceSpec(1),
    reader: memoryReader(pages),
    generation,
    force: true,
    signal: new AbortController().signal,
  });
