import { TEST_TIME } from "./fake-clock.ts";
import { memoryReader } from "./memory-reader.ts";
import { openIngest } from "./open-ingest.ts";
import { sourceSpec } from "./page-data.ts";
import { openStorageAt } from "./test-storage.ts";

// A program for index-readers.slow.ts: reads new states of a site's pages into it, one after the other, until it is
// killed. Every page of a state says which one it is. Each run adds a segment and prunes, and some merge.
const [directory = "", pages = "0"] = process.argv.slice(2);
const storage = await openStorageAt(directory);
const ingest = openIngest(storage, () => TEST_TIME);
for (let generation = (await storage.search.state(1)).generation; ; generation++) {
  const files = Object.fromEntries(
    Array.from({ length: Number(pages) }, (_, index) => [
      `page-${index}`,
      `# Zebra ${index}\n\nThe zebra of state ${generation + 1}.`,
    ]),
  );
  await ingest.run({
    source: sourceSpec(1),
    reader: memoryReader(files),
    generation,
    signal: new AbortController().signal,
  });
  process.stdout.write(`${generation + 1}\n`);
}
