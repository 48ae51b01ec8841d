import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder, findDataset, readDataset } from "../../src/eval/datasets/datasets.ts";
import { canonicalPath } from "../../src/eval/question.ts";
import { meanScores, scoreIds, standardError } from "../../src/eval/scores.ts";
import { type Figure, type Measure, percentile, show } from "./figures.ts";
import { type BenchPage, generatePages, generateQuestions } from "./retrieval-corpus.ts";
import { type Corpus, runEngine, writeCorpus } from "./retrieval-runs.ts";
import {
  ENGINES,
  type EngineName,
  type IndexReply,
  indexReply,
  type LatencyReply,
  latencyReply,
  rankReply,
} from "./retrieval-spec.ts";

const SIZES = [1000, 10_000, 100_000];
const PAGES = 10_000;
const QUESTIONS = 200;
const INDEX_SECONDS_MAX = 180;
/** An engine that is slower at a size is reported as slower, and not waited for. */
const ENGINE_SECONDS_MAX = 40;
const AIMS_MS: Record<number, number> = { 10000: 5, 100000: 15 };

/**
 * Measures reading many pages, searching few and many passages, and other libraries doing the same in one
 * process.
 */
export async function measureRetrieval(directory: string): Promise<Measure[]> {
  const questions = generateQuestions(QUESTIONS);
  const measures: Measure[] = [];
  const slow = new Set<EngineName>();
  for (const size of SIZES) {
    const place = join(directory, `passages-${size}`);
    const isLargest = size === SIZES.at(-1);
    // The largest corpus is also read as a tree of pages.
    const corpus = await writeCorpus(
      place,
      generatePages(PAGES),
      isLargest ? Number.POSITIVE_INFINITY : size,
    );
    const data = join(place, "data");
    const spec = { data, pages: corpus.pages, passages: corpus.passages, questions };
    const indexed = await runEngine(
      { ...spec, engine: "docent", work: "index" },
      indexReply,
      INDEX_SECONDS_MAX,
    );
    if (indexed === undefined) throw new Error(`${corpus.pageCount} pages were not read in time`);
    if (isLargest) measures.unshift(ingestMeasure(corpus, indexed));
    const replies: [EngineName, LatencyReply | undefined][] = [];
    for (const engine of ENGINES) {
      // An engine that was too slow for fewer passages is not tried with more.
      const reply = slow.has(engine)
        ? undefined
        : await runEngine({ ...spec, engine, work: "latency" }, latencyReply, ENGINE_SECONDS_MAX);
      if (reply === undefined) slow.add(engine);
      replies.push([engine, reply]);
    }
    measures.push(searchMeasure(size, corpus, indexed, replies));
  }
  const quality = await measureQuality(directory);
  return quality ? [...measures, quality] : measures;
}

function ingestMeasure({ pageCount }: Corpus, indexed: IndexReply): Measure {
  const { seconds, againSeconds, passages, bytes, beforeMb, peakMb, afterMb } = indexed;
  const single = (name: string, unit: Figure["unit"], value: number, below?: number): Figure => ({
    name,
    unit,
    values: [value],
    ...(below === undefined ? {} : { aim: { below } }),
  });
  return {
    title: `Reading ${pageCount.toLocaleString("en-US")} pages`,
    how: `A folder of ${pageCount.toLocaleString("en-US")} generated pages (a seeded vocabulary of 30,000 words, with the frequencies of natural words), with vectors, into an empty data directory, in a process of its own; then the same again, unchanged. Memory is RSS, after a garbage collection and 3 seconds at rest.`,
    figures: [
      single("Reading all", "s", seconds, 60),
      single("Pages", "per second", pageCount / seconds),
      single("Passages", "per second", passages / seconds),
      single("Reading them again, unchanged", "s", againSeconds, 3),
      single("Memory before", "MB", beforeMb),
      single("Memory, the most", "MB", peakMb),
      single("Memory after", "MB", afterMb, Math.round(beforeMb * 1.3)),
      single("Database, for each passage", "bytes", bytes / passages),
    ],
  };
}

function searchMeasure(
  size: number,
  { passageCount }: Corpus,
  indexed: IndexReply,
  replies: [EngineName, LatencyReply | undefined][],
): Measure {
  const figures = replies.flatMap(([engine, reply]) =>
    reply === undefined
      ? [tooSlow(engine)]
      : searchFigures(
          engine,
          reply,
          engine === "docent" ? indexed.seconds : reply.openSeconds,
          AIMS_MS[size],
        ),
  );
  return {
    title: `Searching ${size.toLocaleString("en-US")} passages`,
    how: `${passageCount.toLocaleString("en-US")} passages of the generated pages, the same for each engine, and ${QUESTIONS} questions, with each engine in a process of its own: one question after the other, then 50 a second for 8 seconds, each timed from the moment at which it was due. Docent searches its files by words and vectors; MiniSearch and Orama hold everything in memory, Orama (hybrid) with Docent's own vectors.`,
    figures,
  };
}

function searchFigures(
  engine: EngineName,
  { aloneMs, underLoadMs, lagMs, residentMb }: LatencyReply,
  indexSeconds: number,
  below: number | undefined,
): Figure[] {
  const spread = (name: string, values: number[]): Figure => ({
    name: `${engine}: ${name}`,
    unit: "ms",
    values,
    shown: `p50 ${show(percentile(values, 50))}, p99 ${show(percentile(values, 99))}`,
  });
  const alone = spread("a search", aloneMs);
  return [
    engine === "docent" && below !== undefined ? { ...alone, aim: { below } } : alone,
    spread("a search at 50 a second", underLoadMs),
    spread("lag of the event loop meanwhile", lagMs),
    { name: `${engine}: making the index`, unit: "s", values: [indexSeconds] },
    { name: `${engine}: memory at rest`, unit: "MB", values: [residentMb] },
  ];
}

const tooSlow = (engine: EngineName): Figure => ({
  name: `${engine}: index and ${QUESTIONS} searches`,
  unit: "",
  values: [Number.NaN],
  shown: `not done in ${ENGINE_SECONDS_MAX} s`,
});

/** How well each engine ranks, on questions by people; undefined where that set is not on this machine. */
async function measureQuality(directory: string): Promise<Measure | undefined> {
  const folder = findDataset("ray", dataFolder(process.env["DOCENT_EVAL_DATA"] ?? "~/.cache/docent-eval"));
  if (folder === undefined || !existsSync(join(folder, "docs"))) return undefined;
  const { tasks, docs = "" } = await readDataset(folder);
  const asked = tasks[0]?.questions ?? [];
  const place = join(directory, "ray");
  const corpus = await writeCorpus(place, pagesIn(docs), Number.POSITIVE_INFINITY);
  const spec = {
    data: join(place, "data"),
    pages: corpus.pages,
    passages: corpus.passages,
    questions: asked.map(({ text }) => text),
  };
  await runEngine({ ...spec, engine: "docent", work: "index" }, indexReply, INDEX_SECONDS_MAX);
  const figures: Figure[] = [];
  for (const engine of ENGINES) {
    const ranked = await runEngine({ ...spec, engine, work: "rank" }, rankReply, ENGINE_SECONDS_MAX);
    if (ranked === undefined) {
      figures.push(tooSlow(engine));
      continue;
    }
    const scores = asked.map(({ pages }, index) => scoreIds((ranked[index] ?? []).map(canonicalPath), pages));
    const error = standardError(scores.map(({ ndcg10 }) => ndcg10));
    const { ndcg10 } = meanScores(scores);
    figures.push({
      name: `${engine}: nDCG@10`,
      unit: "",
      values: [ndcg10],
      shown: `${ndcg10.toFixed(3)} ± ${error.toFixed(3)}`,
    });
  }
  return {
    title: "Finding the right page",
    how: `${asked.length} questions by people over the documentation of Ray 2.7, ${corpus.passageCount.toLocaleString("en-US")} passages, the same for each engine; a page ranks by its best passage. With the standard error. See [Retrieval quality](retrieval-quality.md).`,
    figures,
  };
}

function* pagesIn(docs: string): Generator<BenchPage> {
  for (const file of [...new Bun.Glob("**/*.md").scanSync(docs)].sort()) {
    yield { path: file.replace(/\.md$/, ""), markdown: readFileSync(join(docs, file), "utf8") };
  }
}
