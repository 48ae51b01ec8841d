import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Measure } from "../figures.ts";
import type { Program } from "../processes.ts";
import { CORPORA } from "./corpora.ts";
import { createFindPython, type FindPython, prepare } from "./prepare.ts";
import { measureQuality } from "./quality.ts";
import { readMeasure } from "./read-figures.ts";
import { type Outcome, searchMeasure } from "./search-figures.ts";
import { partsMeasure } from "./search-parts.ts";
import { type EngineName, latencyReply } from "./spec.ts";
import { writeCorpus } from "./write-corpus.ts";

/** The corpora whose pages are also the measure of reading pages: about as many, by chance and by people. */
const READ: Readonly<Record<string, string>> = {
  "100k": "generated pages",
  "cpp-docs": "pages of Microsoft's C++ documentation",
};

type MeasureRetrieval = (program: Program, directory: string) => Promise<Measure[]>;

/** The measurements of retrieval by their names, each on a corpus of its own. */
export function retrievalMeasures(): Record<string, MeasureRetrieval> {
  const findPython = createFindPython();
  const measures: Record<string, MeasureRetrieval> = {};
  for (const name of Object.keys(CORPORA)) {
    measures[`retrieval-${name}`] = (program, directory) =>
      measureCorpus(program, name, join(directory, name), findPython);
  }
  measures["retrieval-quality"] = async (program, directory) => [
    await measureQuality(program, directory, findPython),
  ];
  return measures;
}

async function measureCorpus(
  program: Program,
  name: string,
  place: string,
  findPython: FindPython,
): Promise<Measure[]> {
  const bench = await CORPORA[name]?.();
  if (bench === undefined) {
    return [{ title: `Searching ${name}`, how: `The set ${name} is not on this machine.`, figures: [] }];
  }
  const corpus = await writeCorpus(place, bench.pages, bench.passagesMax);
  const prepared = await prepare(program, corpus, bench.questions, bench.secondsMax, findPython);
  const outcomes: [EngineName, Outcome][] = [];
  for (const engine of bench.engines) {
    outcomes.push([engine, await prepared.run(engine, "latency", latencyReply)]);
  }
  const searched = searchMeasure(bench, corpus, prepared.indexed, outcomes);
  const parts = bench.isProfiled
    ? await partsMeasure(searched.title.replace(/^Searching /, ""), place, prepared)
    : [];
  // The next corpus may need the room.
  rmSync(place, { recursive: true, force: true });
  const readPages = READ[name];
  const read = readPages === undefined ? [] : [readMeasure(readPages, corpus, prepared.indexed)];
  return [...read, searched, ...parts];
}
