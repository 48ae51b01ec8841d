import type { z } from "zod";
import { writeVectors } from "./docent.ts";
import { type Engine, OPEN } from "./engines.ts";
import { measureLatency } from "./latency.ts";
import { memoryAtRest } from "./memory-at-rest.ts";
import {
  type LatencyReply,
  passageSchema,
  type profileReply,
  type RetrievalSpec,
  retrievalSpec,
} from "./spec.ts";

// Runs one engine in a process of its own, so that its memory can be measured: `bun
// scripts/bench/retrieval/worker.ts <spec as JSON>` prints the result as JSON.

/** Pages are ranked by their best passage. */
const RESULTS_RANKED = 50;
const RESULTS = 10;
const SEARCHES_PROFILED = 1000;

async function latency(spec: RetrievalSpec): Promise<LatencyReply> {
  const startedAt = performance.now();
  const engine = await open(spec);
  const openSeconds = (performance.now() - startedAt) / 1000;
  const measured = await measureLatency(engine, spec.questions, {
    isWatched: spec.engine === "docent",
  });
  const residentMb = await memoryAtRest();
  const bytes = engine.bytes();
  engine.close();
  return { openSeconds, residentMb, bytes, ...measured };
}

async function rank(spec: RetrievalSpec): Promise<string[][]> {
  const engine = await open(spec);
  const ranked: string[][] = [];
  for (const question of spec.questions) ranked.push(await engine.find(question, RESULTS_RANKED));
  engine.close();
  return ranked;
}

/** Asks enough questions for a sampling profile. */
async function profile(spec: RetrievalSpec): Promise<z.infer<typeof profileReply>> {
  const engine = await open(spec);
  const ask = async () => {
    for (const question of spec.questions) await engine.find(question, RESULTS);
  };
  await ask();
  const rounds = Math.ceil(SEARCHES_PROFILED / spec.questions.length);
  const from = performance.timeOrigin + performance.now();
  for (let round = 0; round < rounds; round++) await ask();
  const until = performance.timeOrigin + performance.now();
  engine.close();
  return { from, until, searches: rounds * spec.questions.length };
}

async function open({ engine, data, passages }: RetrievalSpec): Promise<Engine> {
  const opening = { data, file: `${passages}.${engine}`, passages: () => readPassages(passages) };
  const opened = await OPEN[engine]?.(opening);
  if (opened === undefined) throw new Error(`${engine} does not run in Bun`);
  return opened;
}

/** Reads line by line: a million passages are more than one string holds. */
async function* readPassages(file: string) {
  let rest = "";
  for await (const piece of Bun.file(file).stream().pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield passageSchema.parse(JSON.parse(line));
  }
}

const spec = retrievalSpec.parse(JSON.parse(process.argv[2] ?? ""));
const work = {
  vectors: (asked: RetrievalSpec) => writeVectors(asked, readPassages(asked.passages)),
  latency,
  rank,
  profile,
}[spec.work];
// Waits until everything is written: a pipe takes only a part at once.
await Bun.write(Bun.stdout, JSON.stringify(await work(spec)));
process.exit(0);
