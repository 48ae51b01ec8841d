import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  dataFolder,
  findDataset,
  listDatasets,
  readDataset,
  readersOf,
} from "../../../src/measuring/eval/datasets/datasets.ts";
import { sampleOf } from "../../../src/measuring/eval/question.ts";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { questionsOfPages } from "../retrieval/real-sets.ts";
import type { Asked } from "./asked.ts";

/** Docs with questions. */
export interface AskedSet {
  name: string;
  questions: Asked[];
  readers(readFolder: (root: string) => SourceReader): ReturnType<typeof readersOf>;
}

/** Of documentation that has no questions, its headings are asked for. */
const HEADINGS = 300;
/** Of a set with more questions, so many from all over it are asked: one has the same ones in twelve languages. */
const QUESTIONS_MAX = 3000;

/** Every set that is on this machine, the smallest first: each is read when its turn comes. */
export function findSets(): { name: string; read(): Promise<AskedSet> }[] {
  const cache = dataFolder(process.env["DOCENT_EVAL_DATA"] ?? "~/.cache/docent-eval");
  const asked = new Set(listDatasets(cache));
  const others = foldersIn(cache).filter((name) => !asked.has(name) && !name.startsWith("."));
  return [
    ...[...asked].map((name) => ({ name, read: () => readAsked(name, cache) })),
    ...others.map((name) => ({ name, read: async () => readHeadings(name, join(cache, name)) })),
  ]
    .map((set) => ({ ...set, files: [...new Bun.Glob("**/*").scanSync(join(cache, set.name))].length }))
    .sort((a, b) => a.files - b.files);
}

const foldersIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map((each) => each.name)
      .sort();
  } catch {
    return [];
  }
};

async function readAsked(name: string, cache: string): Promise<AskedSet> {
  const folder = findDataset(name, cache);
  if (folder === undefined) throw new Error(`the set ${name} is gone`);
  const dataset = await readDataset(folder);
  return {
    name,
    questions: sampleOf(
      dataset.tasks.flatMap(({ questions }) =>
        questions.map(({ text, filter }): Asked => ({ audience: "everything", text, filter })),
      ),
      QUESTIONS_MAX,
    ),
    readers: (readFolder) => readersOf(dataset, readFolder),
  };
}

const readHeadings = (name: string, folder: string): AskedSet => ({
  name,
  questions: questionsOfPages(folder, HEADINGS).map((text): Asked => ({ audience: "everything", text })),
  readers: (readFolder) => [{ location: folder, language: "", reader: readFolder(folder) }],
});
