import { readDataset } from "../../../src/measuring/eval/datasets/datasets.ts";
import { type BenchPage, generatePages, generateQuestions } from "./generated-pages.ts";
import { findSet, pagesOfSet, questionsOfHeadings } from "./real-sets.ts";
import type { EngineName } from "./spec.ts";

/** What is searched, and how fast Docent should be. */
export interface BenchCorpus {
  /** What the passages are of. */
  what: string;
  pages: Iterable<BenchPage>;
  passagesMax: number;
  questions: string[];
  /** In milliseconds. */
  aims: { p50?: number; p99?: number; underLoadP99?: number; held?: number };
  engines: readonly EngineName[];
  /** Whether to show which files a search spends its time in. */
  isProfiled?: boolean;
  /** For reading the pages, and for each engine; one that is slower is reported as slower. */
  secondsMax: { index: number; engine: number };
}

const QUESTIONS = 200;
const SECONDS_MAX = { index: 600, engine: 240 };
const ALL = ["docent", "fts5", "minisearch", "bm25s", "tantivy", "lancedb"] as const;
const GENERATED = "of generated pages (30,000 English words with natural frequencies, drawn by chance)";

/** Each corpus by the name that measures it alone; undefined where its set is not on this machine. */
export const CORPORA: Record<string, () => Promise<BenchCorpus | undefined>> = {
  async "10k"() {
    return { ...generated(10_000), aims: { p50: 2.5, p99: 8 }, engines: ALL };
  },
  async "100k"() {
    // All of 10,000 pages.
    const all = { ...generated(Number.POSITIVE_INFINITY), pages: generatePages(10_000) };
    return { ...all, aims: { p50: 5, p99: 20, underLoadP99: 40, held: 5 }, engines: ALL, isProfiled: true };
  },
  async "1m"() {
    // Those that hold everything in memory, or embed, take too long here.
    const engines = ["docent", "fts5", "bm25s", "tantivy"] as const;
    const secondsMax = { index: 2400, engine: 600 };
    return { ...generated(1_000_000), aims: { p50: 40, p99: 150 }, engines, secondsMax };
  },
  async "cpp-docs"() {
    const folder = findSet("cpp-docs");
    if (folder === undefined) return undefined;
    return {
      what: "of Microsoft's C++ documentation, asked for headings of its own",
      pages: pagesOfSet(folder),
      passagesMax: Number.POSITIVE_INFINITY,
      questions: questionsOfHeadings(folder, QUESTIONS),
      aims: {},
      engines: ALL,
      secondsMax: SECONDS_MAX,
    };
  },
  async awsdocs() {
    const folder = findSet("awsdocs");
    if (folder === undefined) return undefined;
    const { tasks } = await readDataset(folder);
    return {
      what: "of the AWS guides of December 2021, asked questions after those of customers",
      pages: pagesOfSet(folder),
      passagesMax: Number.POSITIVE_INFINITY,
      questions: (tasks[0]?.questions ?? []).map(({ text }) => text),
      aims: { p50: 5, p99: 20, underLoadP99: 40, held: 5 },
      engines: ALL,
      isProfiled: true,
      secondsMax: SECONDS_MAX,
    };
  },
};

const generated = (passagesMax: number) => ({
  what: GENERATED,
  // More than enough: a page has about ten passages.
  pages: generatePages(Math.min(passagesMax, 1_000_000)),
  passagesMax,
  questions: generateQuestions(QUESTIONS),
  secondsMax: SECONDS_MAX,
});
