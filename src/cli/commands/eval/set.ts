import { rmSync } from "node:fs";
import { createBaselines } from "@docent/measuring/eval/baseline";
import {
  type Dataset,
  dataOfSet,
  readersOf,
  readSetPassages,
  type SetPassages,
} from "@docent/measuring/eval/datasets/datasets";
import { docentSystems } from "@docent/measuring/eval/docent-system";
import type { System } from "@docent/measuring/eval/question";
import { openParts } from "@docent/running/app";
import type { Parts } from "@docent/running/app/parts";
import type { Context } from "../../command.ts";
import { counted, createProgress } from "../../output.ts";
import type { AnsweringSite } from "./answers.ts";

/** A set whose pages are in an index of their own. */
interface OpenSet {
  parts: Parts;
  siteId: number;
  systems: System[];
  /** The search that readers get. */
  own: System;
  /** The same without corrections of misspelled words. */
  uncorrected: System;
  answering: AnsweringSite;
  close(): void;
}

interface Index {
  parts: Parts;
  siteId: number;
  embedder: string;
}

const DOMAIN = "eval";
const BUILTIN = "builtin";

interface SetOptions {
  /** Whether plain SQLite search is measured too. */
  baseline?: boolean;
}

/**
 * Reads a set's pages into data directories in the cache: one for the built-in embedder, one for the
 * configured one. Unchanged pages are not read again.
 */
export async function openSet(
  context: Context,
  dataset: Dataset,
  cache: string,
  { baseline = true }: SetOptions = {},
): Promise<OpenSet> {
  const opened = new DisposableStack();
  try {
    const builtin = opened.adopt(await openIndex(context, dataset, cache, BUILTIN), closeIndex);
    const embedder = context.surroundings.config.embedding_model;
    const set =
      embedder === BUILTIN
        ? undefined
        : opened.adopt(await openIndex(context, dataset, cache, embedder), closeIndex);
    const plain = opened.adopt(builtin.parts.storage.openPlainIndex(), (index) => index.close());
    const places = await readSetPassages(dataset);
    const { keyword, nearest, fused, uncorrected } = systemsOn(builtin, places);
    const other = set && systemsOn(set, places);
    return {
      parts: builtin.parts,
      siteId: builtin.siteId,
      systems: [
        ...(baseline ? [(await createBaselines(dataset, plain)).baseline] : []),
        keyword,
        nearest,
        fused,
        ...(other ? [other.nearest, other.fused] : []),
      ],
      own: other?.fused ?? fused,
      uncorrected: other?.uncorrected ?? uncorrected,
      answering: { parts: (set ?? builtin).parts, domain: DOMAIN, places },
      close: () => opened.dispose(),
    };
  } catch (error) {
    opened.dispose();
    throw error;
  }
}

const closeIndex = ({ parts }: Index) => parts.close();

const systemsOn = ({ parts, siteId, embedder }: Index, places: SetPassages) =>
  docentSystems({ search: parts.content.search, siteId, embedder, places });

async function openIndex(
  context: Context,
  dataset: Dataset,
  cache: string,
  embedder: string,
): Promise<Index> {
  const { surroundings } = context;
  const data = dataOfSet(cache, dataset, embedder);
  if (context.options["fresh"] === true) rmSync(data, { recursive: true, force: true });
  const config = { ...surroundings.config, data, embedding_model: embedder };
  const parts = await openParts({ ...surroundings, config });
  try {
    return { parts, siteId: await ingestSet(context, dataset, parts), embedder };
  } catch (error) {
    parts.close();
    throw error;
  }
}

async function ingestSet(context: Context, dataset: Dataset, parts: Parts): Promise<number> {
  const sites = await parts.people.sites.list();
  if (!sites.some(({ domain }) => domain === DOMAIN)) await parts.people.sites.add({ domain: DOMAIN });
  const progress = createProgress(context.terminal, context.surroundings.clock);
  for (const { location, language, reader } of readersOf(dataset, parts.sources.readFolder)) {
    const { id: siteId, generation } = await parts.people.sites.get(DOMAIN);
    await parts.sources.ingest
      .run({
        source: { siteId, kind: "folder", location, version: "", language },
        reader,
        generation,
        signal: context.signal,
        onProgress: ({ pages }) => progress.show(`${dataset.name}: ${counted(pages, "page")} read`),
      })
      .finally(progress.clear);
  }
  return (await parts.people.sites.get(DOMAIN)).id;
}
