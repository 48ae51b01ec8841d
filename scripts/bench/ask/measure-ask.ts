import { join } from "node:path";
import { readDataset } from "../../../src/measuring/eval/datasets/datasets.ts";
import { type Figure, type Measure, percentile, show } from "../figures.ts";
import type { Program } from "../processes.ts";
import { findSet, questionsOfHeadings } from "../retrieval/real-sets.ts";
import { type AskedServer, type AskedSite, type Cost, measureQuotes, measureSearches } from "./ask-server.ts";

const DOMAIN = "bench";
const QUESTIONS = 200;

type MeasureAsking = (program: Program, directory: string) => Promise<Measure>;

/** A set on this machine, and what is asked of it. */
interface AskedSet {
  what: string;
  questionsOf(folder: string): Promise<string[]>;
}

const SETS: Readonly<Record<string, AskedSet>> = {
  ray: { what: "Ray's documentation, asked questions of its users", questionsOf: questionsOfSet },
  "cpp-docs": {
    what: "Microsoft's C++ documentation, asked for headings of its own",
    questionsOf: async (folder) => questionsOfHeadings(folder, QUESTIONS),
  },
};

/** What a question costs, on each set by its name. */
export const askMeasures = (): Record<string, MeasureAsking> =>
  Object.fromEntries(
    Object.entries(SETS).map(([name, set]) => [
      `ask-${name}`,
      (program: Program, directory: string) => measureSet(program, join(directory, `ask-${name}`), name, set),
    ]),
  );

async function questionsOfSet(folder: string): Promise<string[]> {
  const { tasks } = await readDataset(folder);
  return (tasks[0]?.questions ?? []).map(({ text }) => text);
}

async function measureSet(
  program: Program,
  data: string,
  name: string,
  { what, questionsOf }: AskedSet,
): Promise<Measure> {
  const title = `What a question costs: ${name}`;
  const folder = findSet(name);
  if (folder === undefined) return { title, how: `The set ${name} is not on this machine.`, figures: [] };
  const questions = (await questionsOf(folder)).slice(0, QUESTIONS);
  await program.run("sites", "add", DOMAIN, "--data", data);
  await program.run("ingest", DOMAIN, join(folder, "docs"), "--data", data);
  const key = await program.run("keys", "create", "--site", DOMAIN, "--data", data);
  const site: AskedSite = { data, key, questions };
  const searches = await measureSearches(program, site);
  const quotes = await measureQuotes(program, site);
  return {
    title,
    how: `A server of ${what}. ${questions.length} questions over HTTP, one after the other, with no model; the processor time is that of all threads. Cold: each question once, right after the start. Warm: after all of them were asked eight times. Then searches come 30 a second, each timed from the moment at which it was due. Answers are timed until their first text.`,
    figures: [
      ...figuresOf("A search", searches, { coldMs: 5, coldCpuMs: 6, warmMs: 2.5 }),
      {
        ...figureOf("A search, 30 a second", searches.underLoadMs),
        aim: { below: 20, measured: percentile(searches.underLoadMs, 99) },
      },
      ...figuresOf("A quoted answer", quotes, { coldMs: 9, coldCpuMs: 12 }),
    ],
  };
}

interface Aims {
  coldMs: number;
  coldCpuMs: number;
  warmMs?: number;
}

function figuresOf(name: string, { cold, warm }: AskedServer, { coldMs, coldCpuMs, warmMs }: Aims): Figure[] {
  return [
    { ...figureOf(`${name}, cold`, cold.ms), aim: { below: coldMs } },
    { ...cpuOf(`${name}, cold: processor time`, cold), aim: { below: coldCpuMs } },
    { ...figureOf(`${name}, warm`, warm.ms), ...(warmMs === undefined ? {} : { aim: { below: warmMs } }) },
    cpuOf(`${name}, warm: processor time`, warm),
  ];
}

const figureOf = (name: string, values: number[]): Figure => ({
  name,
  unit: "ms",
  values,
  shown: `p50 ${show(percentile(values, 50))}, p99 ${show(percentile(values, 99))}`,
});

const cpuOf = (name: string, { cpuMs }: Cost): Figure => ({ name, unit: "ms", values: [cpuMs] });
