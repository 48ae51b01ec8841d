import { statSync } from "node:fs";
import { join } from "node:path";
import { readPeakMb } from "../process-stats.ts";
import { readDatabaseBytes } from "./database-bytes.ts";
import { DOMAIN, openBench } from "./docent.ts";
import type { IndexReply, RetrievalSpec } from "./spec.ts";

/** Reads the pages into an empty data directory, and then again, unchanged. */
export async function readDocentPages(
  { data, pages }: Pick<RetrievalSpec, "data" | "pages">,
  atRest: () => Promise<number>,
): Promise<IndexReply> {
  const parts = await openBench(data);
  await parts.people.sites.add({ domain: DOMAIN });
  const beforeMb = await atRest();
  const run = async () => {
    const { id: siteId, generation } = await parts.people.sites.get(DOMAIN);
    const startedAt = performance.now();
    await parts.sources.ingest.run({
      source: { siteId, kind: "folder", location: pages, version: "", language: "" },
      reader: parts.sources.readFolder(pages),
      generation,
      signal: new AbortController().signal,
    });
    return (performance.now() - startedAt) / 1000;
  };
  const seconds = await run();
  const peakMb = readPeakMb(process.pid);
  const afterMb = await atRest();
  const againSeconds = await run();
  const { passages } = await parts.content.pages.countPages((await parts.people.sites.get(DOMAIN)).id);
  parts.close();
  const file = join(data, "docent.db");
  const bytes = statSync(file).size;
  return {
    seconds,
    againSeconds,
    passages,
    bytes,
    tables: readDatabaseBytes(file),
    beforeMb,
    peakMb,
    afterMb,
  };
}
