import { join } from "node:path";
import { readDataset } from "../../../src/measuring/eval/datasets/datasets.ts";
import { canonicalPath } from "../../../src/measuring/eval/question.ts";
import { meanScores, scoreIds, standardError } from "../../../src/measuring/eval/scores.ts";
import type { Figure, Measure } from "../figures.ts";
import type { Program } from "../processes.ts";
import { type FindPython, prepare } from "./prepare.ts";
import { findSet, pagesOfSet } from "./real-sets.ts";
import { ENGINES, type EngineName, rankReply } from "./spec.ts";
import { writeCorpus } from "./write-corpus.ts";

const SET = "ray";
const SECONDS_MAX = { index: 240, engine: 240 };

/** How well each engine ranks, on questions by people. */
export async function measureQuality(
  program: Program,
  directory: string,
  findPython: FindPython,
): Promise<Measure> {
  const title = "Finding the right page";
  const folder = findSet(SET);
  if (folder === undefined) return { title, how: `The set ${SET} is not on this machine.`, figures: [] };
  const { tasks } = await readDataset(folder);
  const asked = tasks[0]?.questions ?? [];
  const corpus = await writeCorpus(join(directory, SET), pagesOfSet(folder), Number.POSITIVE_INFINITY);
  const prepared = await prepare(
    program,
    corpus,
    asked.map(({ text }) => text),
    SECONDS_MAX,
    findPython,
  );
  const figures: Figure[] = [];
  for (const engine of ENGINES) {
    const ranked = await prepared.run(engine, "rank", rankReply);
    figures.push(
      typeof ranked === "string"
        ? { name: engine, unit: "", values: [Number.NaN], shown: ranked }
        : score(engine, ranked),
    );
  }
  return {
    title,
    how: `${asked.length} questions by people over the documentation of Ray 2.7, ${corpus.passageCount.toLocaleString("en-US")} passages, the same for each engine; a page ranks by its best passage. With the standard error. See [Retrieval quality](retrieval-quality.md).`,
    figures,
  };

  function score(engine: EngineName, ranked: string[][]): Figure {
    const scores = asked.map(({ pages }, index) => scoreIds((ranked[index] ?? []).map(canonicalPath), pages));
    const { ndcg10 } = meanScores(scores);
    const error = standardError(scores.map((each) => each.ndcg10));
    const shown = `${ndcg10.toFixed(3)} ± ${error.toFixed(3)}`;
    return { name: `${engine}: nDCG@10`, unit: "", values: [ndcg10], shown };
  }
}
