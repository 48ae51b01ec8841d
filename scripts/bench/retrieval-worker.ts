import { statSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { readMemory, readPeakMb } from "./process-stats.ts";
import { DOMAIN, openBench } from "./retrieval-docent.ts";
import { type Engine, OPEN } from "./retrieval-engines.ts";
import {
  type IndexReply,
  type LatencyReply,
  passageSchema,
  type RetrievalSpec,
  type rankReply,
  retrievalSpec,
} from "./retrieval-spec.ts";

// Runs one engine in a process of its own, so that its memory can be measured: `bun
// scripts/bench/retrieval-worker.ts <spec as JSON>` prints the result as JSON.

const RESULTS = 10;
/** Pages are ranked by their best passage. */
const RESULTS_RANKED = 50;
const WARM_UP = 30;
const LOAD_PER_SECOND = 50;
const LOAD_SECONDS = 8;
const TIMER_MS = 5;
const SETTLE_MS = 3000;

async function index({ data, pages }: RetrievalSpec): Promise<IndexReply> {
  const parts = await openBench(data);
  await parts.people.sites.add({ domain: DOMAIN });
  const beforeMb = await memoryAtRest();
  const run = async () => {
    const { id: siteId, generation } = await parts.people.sites.get(DOMAIN);
    const startedAt = performance.now();
    await parts.sources.ingest.run({
      source: { siteId, kind: "folder", location: pages, version: "", language: "" },
      reader: parts.sources.readFolder(pages),
      generation,
      signal: new AbortController().signal,
    });
    return (performance.now() - startedAt) / 1000;
  };
  const seconds = await run();
  const peakMb = readPeakMb(process.pid);
  const afterMb = await memoryAtRest();
  const againSeconds = await run();
  const { passages } = await parts.content.pages.countPages((await parts.people.sites.get(DOMAIN)).id);
  parts.close();
  const bytes = statSync(join(data, "docent.db")).size;
  return { seconds, againSeconds, passages, bytes, beforeMb, peakMb, afterMb };
}

async function latency(spec: RetrievalSpec): Promise<LatencyReply> {
  const startedAt = performance.now();
  const engine = await open(spec);
  const openSeconds = (performance.now() - startedAt) / 1000;
  for (const question of spec.questions.slice(0, WARM_UP)) await engine.find(question, RESULTS);
  const aloneMs: number[] = [];
  for (const question of spec.questions) {
    const askedAt = performance.now();
    await engine.find(question, RESULTS);
    aloneMs.push(performance.now() - askedAt);
  }
  const residentMb = await memoryAtRest();
  const loaded = await underLoad(engine, spec.questions);
  engine.close();
  return { openSeconds, residentMb, aloneMs, ...loaded };
}

/** Sends queries on schedule, whether earlier ones have been answered or not. */
async function underLoad(engine: Engine, questions: string[]) {
  const underLoadMs: number[] = [];
  const lagMs: number[] = [];
  let dueAt = performance.now() + TIMER_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lagMs.push(Math.max(0, now - dueAt));
    dueAt = now + TIMER_MS;
  }, TIMER_MS);
  const startedAt = performance.now();
  const asked = Array.from({ length: LOAD_PER_SECOND * LOAD_SECONDS }, async (_, number) => {
    const due = startedAt + (number * 1000) / LOAD_PER_SECOND;
    await Bun.sleep(Math.max(0, due - performance.now()));
    // A timer may be early.
    const from = Math.min(due, performance.now());
    await engine.find(questions[number % questions.length] ?? "", RESULTS);
    underLoadMs.push(performance.now() - from);
  });
  await Promise.all(asked);
  clearInterval(timer);
  return { underLoadMs, lagMs };
}

async function rank(spec: RetrievalSpec): Promise<z.infer<typeof rankReply>> {
  const engine = await open(spec);
  const ranked: string[][] = [];
  for (const question of spec.questions) ranked.push(await engine.find(question, RESULTS_RANKED));
  engine.close();
  return ranked;
}

const open = ({ engine, data, passages }: RetrievalSpec) =>
  OPEN[engine]({ data, passages: () => readLines(passages, passageSchema) });

async function readLines<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const text = await Bun.file(file).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

async function memoryAtRest(): Promise<number> {
  Bun.gc(true);
  await Bun.sleep(SETTLE_MS);
  Bun.gc(true);
  return readMemory(process.pid).residentMb;
}

const spec = retrievalSpec.parse(JSON.parse(process.argv[2] ?? ""));
const work = { index, latency, rank }[spec.work];
// Waits until everything is written: a pipe takes only a part at once.
await Bun.write(Bun.stdout, JSON.stringify(await work(spec)));
process.exit(0);
