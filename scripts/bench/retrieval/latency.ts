import type { Engine } from "./engines.ts";
import type { LatencyReply } from "./spec.ts";

const RESULTS = 10;
const WARM_UP = 30;
/** The least number of searches for a 99th percentile: fewer questions are asked several times. */
const SEARCHES_MIN = 200;
const LOAD_PER_SECOND = 50;
const LOAD_SECONDS = 8;
const TIMER_MS = 5;
/** Of so many times the middle one counts, so that a pause of the machine is not taken for Docent's. */
const HELD_TIMES = 3;

/** Slower searches could not be answered as fast as they come: they would only pile up. */
const LOADED_MS_MAX = (2 * 1000) / LOAD_PER_SECOND;

/**
 * Asks one question after the other, then on schedule; where it `isWatched`, then looks how long each keeps
 * the event loop.
 */
export async function measureLatency(
  engine: Engine,
  questions: readonly string[],
  { isWatched }: { isWatched: boolean },
): Promise<Omit<LatencyReply, "openSeconds" | "residentMb" | "bytes">> {
  const asked = repeated(questions, SEARCHES_MIN);
  for (const question of questions.slice(0, WARM_UP)) await engine.find(question, RESULTS);
  const before = process.cpuUsage();
  const aloneMs: number[] = [];
  for (const question of asked) {
    const askedAt = performance.now();
    await engine.find(question, RESULTS);
    aloneMs.push(performance.now() - askedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000 / asked.length;
  const mean = aloneMs.reduce((sum, ms) => sum + ms, 0) / aloneMs.length;
  const loaded =
    mean > LOADED_MS_MAX && !isWatched ? { underLoadMs: [], lagMs: [] } : await underLoad(engine, questions);
  const heldMs: number[] = [];
  for (const question of isWatched ? questions : []) heldMs.push(await longestHeldMs(engine, question));
  return { aloneMs, cpuMs, ...loaded, heldMs };
}

/** Sends queries on schedule, whether earlier ones have been answered or not. */
async function underLoad(engine: Engine, questions: readonly string[]) {
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

/** The longest time in which nothing but this search ran on the event loop. */
export async function longestHeldMs(engine: Pick<Engine, "find">, question: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < HELD_TIMES; time++) {
    let longest = 0;
    let last = performance.now();
    let isOver = false;
    const look = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await engine.find(question, RESULTS);
    isOver = true;
    look();
    times.push(longest);
    await Bun.sleep(0);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(HELD_TIMES / 2)] ?? 0;
}

function repeated(questions: readonly string[], least: number): string[] {
  const times = Math.ceil(least / Math.max(1, questions.length));
  return Array.from({ length: times }, () => questions).flat();
}
