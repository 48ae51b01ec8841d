import type { HostileText } from "./hostile-text.ts";
import { ownMs } from "./own-time.ts";

/** What is measured: it is given a text, and does with it what its name says. */
export type Work = (text: string) => unknown;

export interface Sizes {
  /** The first size, and the largest, in characters. */
  from: number;
  to: number;
}

export const QUICK_SIZES: Sizes = { from: 16_000, to: 16_000 };

/** Less than this says nothing: this process may have compiled or cleared up meanwhile. */
const TELLING_MS = 120;
/** Four times the text costs 4 times the time where it is linear, 5 where it is n·log n, 16 where it is quadratic. */
const STEP = 4;
const GROWTH_MAX = 9;
/** Whatever looks too slow is measured so often again, of which the best counts. */
const TRIES = 3;

/** What grows too fast: how often each is four times as large, and how long that took. */
export interface Growth {
  text: string;
  characters: number;
  ms: number;
  factor: number;
}

/**
 * The texts for which the processor's time grows faster than n·log n, as far as texts of these sizes tell. Time that other
 * programs take does not count: a busy machine finds the same.
 */
export async function growthIn(work: Work, texts: readonly HostileText[], sizes: Sizes): Promise<Growth[]> {
  const found: Growth[] = [];
  await work("words");
  for (const { name, made } of texts) {
    const growth = await growthOf(work, made, sizes);
    if (growth !== undefined) found.push({ text: name, ...growth });
  }
  return found;
}

async function growthOf(
  work: Work,
  made: HostileText["made"],
  { from, to }: Sizes,
): Promise<Omit<Growth, "text"> | undefined> {
  for (let characters = from; characters <= to; characters *= STEP) {
    const text = made(characters);
    let whole = await costOf(work, text);
    if (whole < TELLING_MS) continue;
    // What is too short to measure counts as long as it would be if all were quadratic.
    const part = Math.max(await least(work, made(characters / STEP)), TELLING_MS / STEP ** 2);
    // One try that is fast enough says as much as the best of some, where it surely took long enough to tell.
    const isInDoubt = () => factorOf(whole, part) > GROWTH_MAX || whole < 2 * TELLING_MS;
    for (let attempt = 0; attempt < TRIES && isInDoubt(); attempt++)
      whole = Math.min(whole, await costOf(work, text));
    if (whole < TELLING_MS) continue;
    const factor = factorOf(whole, part);
    return factor > GROWTH_MAX ? { characters, ms: Math.round(whole), factor } : undefined;
  }
  return undefined;
}

const factorOf = (whole: number, part: number) => Math.round((whole / part) * 10) / 10;

/** The shortest of some tries: whatever else this process does makes one longer, and none shorter. */
async function least(work: Work, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES; attempt++) best = Math.min(best, await costOf(work, text));
  return best;
}

async function costOf(work: Work, text: string): Promise<number> {
  return ownMs(async () => work(text));
}
