import { type Aim, type ComparedRow, type Measure, percentile } from "../figures.ts";
import type { BenchCorpus } from "./corpora.ts";
import type { Indexed } from "./docent-index.ts";
import type { EngineName, LatencyReply } from "./spec.ts";
import type { Corpus } from "./write-corpus.ts";

/** What an engine did, or why there are no figures of it. */
export type Outcome = LatencyReply | string;

/** The figures of all engines on one corpus, side by side. */
export function searchMeasure(
  { what, aims, questions }: BenchCorpus,
  { passageCount }: Corpus,
  indexed: Indexed,
  outcomes: [EngineName, Outcome][],
): Measure {
  const row = (
    name: string,
    unit: ComparedRow["unit"],
    of: (reply: LatencyReply, engine: EngineName) => number | null,
    below?: number,
  ): ComparedRow => ({
    name,
    unit,
    values: outcomes.map(([engine, outcome]) => figureOf(outcome, (reply) => of(reply, engine))),
    aim: aimOf(below),
  });
  const counted = passageCount.toLocaleString("en-US");
  return {
    title: `Searching ${counted} passages ${what.replace(/[(,].*$/, "").trim()}`,
    how: `${counted} passages ${what}, the same for each engine, and ${questions.length} questions, with each engine in a process of its own. They are asked one after the other, then 50 a second for 8 seconds, each timed from the moment at which it was due. ${ENGINES_ARE}${reasons(outcomes)}`,
    figures: [],
    compared: {
      columns: outcomes.map(([engine]) => engine),
      rows: [
        row("a search, p50", "ms", ({ aloneMs }) => percentile(aloneMs, 50), aims.p50),
        row("a search, p99", "ms", ({ aloneMs }) => percentile(aloneMs, 99), aims.p99),
        row("processor time of a search", "ms", ({ cpuMs }) => cpuMs),
        row("50 a second, p50", "ms", ({ underLoadMs }) => percentileOrNone(underLoadMs, 50)),
        row(
          "50 a second, p99",
          "ms",
          ({ underLoadMs }) => percentileOrNone(underLoadMs, 99),
          aims.underLoadP99,
        ),
        row("lag of the event loop meanwhile, p99", "ms", ({ lagMs }) => percentileOrNone(lagMs, 99)),
        row("longest hold of the event loop, p50", "ms", ({ heldMs }) => percentileOrNone(heldMs, 50)),
        row(
          "longest hold of the event loop, p99",
          "ms",
          ({ heldMs }) => percentileOrNone(heldMs, 99),
          aims.held,
        ),
        row("making the index", "s", (reply, engine) =>
          engine === "docent" ? indexed.seconds : reply.openSeconds,
        ),
        row("memory at rest", "MB", ({ residentMb }) => residentMb),
        row("on the disk, for each passage", "bytes", ({ bytes }) => bytes && bytes / passageCount),
      ],
    },
  };
}

const ENGINES_ARE =
  "`docent` is a whole search as readers have it, by words and vectors. `fts5` is SQLite's full-text search in Bun (`porter unicode61`, any word of the question but stop words). `minisearch` holds everything in memory. `bm25s`, `tantivy` and `lancedb` run in Python, `lancedb` as hybrid search with Docent's own vectors, which are given to it. Docent's file holds pages, texts and vectors too, lancedb's texts and vectors, fts5's texts, bm25s' and tantivy's none. The longest hold is the time in which a search let nothing else run, the middle one of three. An engine that takes more than 40 ms for a search is not asked 50 a second.";

function reasons(outcomes: [EngineName, Outcome][]): string {
  const missing = outcomes.flatMap(([engine, outcome]) =>
    typeof outcome === "string" ? [`${engine}: ${outcome}`] : [],
  );
  return missing.length === 0 ? "" : ` Without figures: ${missing.join("; ")}.`;
}

function figureOf(outcome: Outcome, of: (reply: LatencyReply) => number | null): number | string {
  return typeof outcome === "string" ? "–" : (of(outcome) ?? "–");
}

const percentileOrNone = (values: number[], percent: number) =>
  values.length === 0 ? null : percentile(values, percent);

const aimOf = (below: number | undefined): Aim | undefined => (below === undefined ? undefined : { below });
