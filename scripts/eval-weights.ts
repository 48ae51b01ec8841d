import { createBaselines } from "../src/measuring/eval/baseline.ts";
import { type Dataset, dataOfSet } from "../src/measuring/eval/datasets/datasets.ts";
import { sampleOf } from "../src/measuring/eval/question.ts";
import { toMarkdown } from "../src/measuring/eval/tables.ts";
import { openBench } from "./bench/retrieval/docent.ts";
import { scoreHybrid } from "./weights/hybrid.ts";
import { type MeasuredSet, measureWeights, weighSet, weightsTables } from "./weights/weights.ts";

/** The page about the weights of ranking. */
export const WEIGHTS_PAGE = "docs/ranking-quality.md";

/** Which questions of a set are asked; all of them unless given. */
export interface Asked {
  subsets?: readonly string[];
  most?: number;
}

/** Whether a set ranks pages, and not passages. */
export const ranksPages = ({ tasks }: Dataset): boolean =>
  tasks[0]?.questions.every(({ spans }) => spans === undefined) ?? false;

/** Asks all questions of a set that `docent eval` has read before. */
export async function weigh(
  dataset: Dataset,
  cache: string,
  { subsets, most = Number.POSITIVE_INFINITY, besideHybrid }: Asked & { besideHybrid: boolean },
): Promise<MeasuredSet> {
  const all = dataset.tasks[0]?.questions ?? [];
  const ofKinds = all.filter(({ subset }) => subsets === undefined || subsets.includes(subset));
  const questions = sampleOf(ofKinds, most);
  const parts = await openBench(dataOfSet(cache, dataset, "builtin"));
  const plain = parts.storage.openPlainIndex();
  try {
    const [site] = await parts.people.sites.list();
    if (site === undefined) throw new Error(`${dataset.name} has not been read`);
    const baselines = await createBaselines(dataset, plain);
    const searches = { search: parts.content.search, siteId: site.id, baselines };
    const set = await weighSet(dataset.name, questions, searches);
    if (!besideHybrid) return set;
    const scores = await scoreHybrid(questions, { parts, siteId: site.id, cache });
    return { ...set, hybrid: typeof scores === "string" ? scores : { name: "hybrid", scores } };
  } finally {
    plain.close();
    parts.close();
  }
}

/** What the sets say of the weights, in Markdown. */
export const weightsSections = (sets: readonly MeasuredSet[]): string =>
  weightsTables(measureWeights(sets))
    .map((table) => `## ${table.title}\n\n${table.says}\n\n${toMarkdown(table)}`)
    .join("\n\n");

/** The page about the weights of ranking. */
export const weightsPage = (sections: string, machine: string): string => `---
title: Ranking quality
description: How the weights of Docent's ranking are chosen, what they find on sets of questions that had no part in choosing them, and how much depends on each.
nav_order: 37
---

# Ranking quality

A passage's place is the weighted sum of [what speaks for it](retrieval.md#the-ranking). \`make eval\` asks every set of
questions in \`DOCENT_EVAL_DATA\` that names pages, keeps what there was to rank, and ranks it again by other weights.
[Evaluation](evaluation.md#how-docent-itself-is-tuned) says how weights are chosen.

## The machine

| | |
| --- | --- |
${machine}

${sections}
`;
