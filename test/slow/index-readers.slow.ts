import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { createSearch } from "../../src/finding/search/search.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { memoryReader } from "../helpers/memory-reader.ts";
import { openIngest } from "../helpers/open-ingest.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { quietLog } from "../helpers/test-log.ts";
import { openStorageAt } from "../helpers/test-storage.ts";
import { wordEmbedder } from "../helpers/word-embedder.ts";

setDefaultTimeout(600_000);

const READS = 2_000;
const AT_ONCE = 8;
const PAGES = 20;
/** The reads go on until they have seen so many. */
const STATES_MIN = 30;

test(`${READS} reads during switches, pruning and merges see the old state or the new one, never both`, async () => {
  using directory = temporaryDirectory();
  const storage = await openStorageAt(directory.path);
  await addSite(storage.sites);
  await openIngest(storage, () => TEST_TIME).run({
    source: sourceSpec(1),
    reader: memoryReader({ "page-0": "# Nothing\n\nyet" }),
    generation: 0,
    signal: new AbortController().signal,
  });
  const search = createSearch({
    store: storage.search,
    segments: storage.segments,
    calibrations: storage.calibrations,
    embedder: wordEmbedder(),
    isWord: async () => false,
    clock: () => TEST_TIME,
    settings: {
      vectors_in_memory: 1000,
      vector_memory_bytes: 100_000,
      keyword_memory_bytes: 100_000,
      passage_memory_bytes: 100_000,
      question_vector_seconds: 1,
    },
    log: quietLog(),
  });
  const program = join(import.meta.dir, "../helpers/switch-generations.ts");
  const writer = Bun.spawn([process.execPath, program, directory.path, String(PAGES)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const seen = new Map<number, number>();
  try {
    while ((await storage.search.state(1)).generation < 2) await Bun.sleep(5);
    const read = async () => {
      const { generation, hits } = await search.find({
        audience: "everything",
        siteId: 1,
        text: "zebra",
        pageSize: PAGES * 2,
      });
      const states = new Set(hits.map(({ text }) => /state \d+/.exec(text)?.[0]));
      expect([hits.length, [...states]]).toEqual([PAGES, [`state ${generation}`]]);
      seen.set(generation, (seen.get(generation) ?? 0) + 1);
    };
    const reader = async () => {
      for (let reads = 0; reads < READS / AT_ONCE || seen.size < STATES_MIN; reads++) await read();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, reader));
  } finally {
    writer.kill("SIGKILL");
    await writer.exited;
    storage.close();
  }
  expect([...seen.values()].reduce((sum, reads) => sum + reads, 0)).toBeGreaterThanOrEqual(READS);
});
