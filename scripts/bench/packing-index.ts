import { join } from "node:path";
import type { Hit } from "../../src/finding/search/search.ts";
import type { Dataset } from "../../src/measuring/eval/datasets/datasets.ts";
import { readersOf } from "../../src/measuring/eval/datasets/datasets.ts";
import type { EvalQuestion } from "../../src/measuring/eval/question.ts";
import { DOMAIN, openBench } from "./retrieval/docent.ts";

/** Finds the passages of a set's pages that a reader's question would get. */
export interface SetIndex {
  find(question: EvalQuestion, pageSize: number): Promise<Hit[]>;
  close(): void;
}

/** Reads a set's pages into an index of its own, as ingest does. */
export async function openSetIndex(dataset: Dataset, directory: string): Promise<SetIndex> {
  const parts = await openBench(join(directory, `packing-${dataset.name}`));
  const sites = await parts.people.sites.list();
  if (!sites.some(({ domain }) => domain === DOMAIN)) await parts.people.sites.add({ domain: DOMAIN });
  const { signal } = new AbortController();
  for (const { location, language, reader } of readersOf(dataset, parts.sources.readFolder)) {
    const { id: siteId, generation } = await parts.people.sites.get(DOMAIN);
    const source = { siteId, kind: "folder" as const, location, version: "", language };
    await parts.sources.ingest.run({ source, reader, generation, signal });
  }
  const { id: siteId } = await parts.people.sites.get(DOMAIN);
  return {
    async find({ text, filter }, pageSize) {
      return (await parts.content.search.find({ audience: "everything", siteId, text, filter, pageSize }))
        .hits;
    },
    close: () => parts.close(),
  };
}
