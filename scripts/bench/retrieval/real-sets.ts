import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../../../src/measuring/eval/datasets/datasets.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import type { BenchPage } from "./generated-pages.ts";

const SEED = 4747;
const HEADING = /^#{1,4} +(.{8,})$/gm;

/** The folder of a set, with its pages; undefined where it is not on this machine. */
export function findSet(name: string): string | undefined {
  const folder = join(dataFolder(process.env["DOCENT_EVAL_DATA"] ?? "~/.cache/docent-eval"), name);
  return existsSync(join(folder, "docs")) ? folder : undefined;
}

/** The pages of a set, always in the same order. */
export function* pagesOfSet(folder: string): Generator<BenchPage> {
  const docs = join(folder, "docs");
  for (const file of filesIn(docs)) {
    yield { path: file.replace(/\.md$/, ""), markdown: readFileSync(join(docs, file), "utf8") };
  }
}

/** Questions made of the headings of a set's pages: the same ones on every machine. */
export const questionsOfHeadings = (folder: string, count: number): string[] =>
  questionsOfPages(join(folder, "docs"), count);

/** Questions made of the headings of the pages in a folder. */
export function questionsOfPages(docs: string, count: number): string[] {
  const files = filesIn(docs, "**/*.{md,mdx}");
  const random = seededRandom(SEED);
  const questions = new Set<string>();
  for (let tries = 0; questions.size < count && tries < count * 20; tries++) {
    const file = files[Math.floor(random() * files.length)];
    if (file === undefined) break;
    const headings = [...readFileSync(join(docs, file), "utf8").matchAll(HEADING)];
    const heading = headings[Math.floor(random() * headings.length)]?.[1];
    if (heading !== undefined) questions.add(`${heading.replace(/[`*\\]/g, "").trim()}?`);
  }
  return [...questions];
}

const filesIn = (docs: string, glob = "**/*.md") => [...new Bun.Glob(glob).scanSync(docs)].sort();
