import { describe, expect, test } from "bun:test";
import type { Asker } from "../../../src/answering/answer/responder.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { countedPlaces, createQueue, type Slot } from "../../../src/models/ollama/queue/queue.ts";

const STEPS = 400;

interface Question {
  number: number;
  asker: Asker;
  leave: AbortController;
  /** The places in the line that it was told. */
  told: number[];
}

const readerOf = ({ asker }: Question) => `${asker.siteId} ${asker.reader}`;
const siteOf = ({ asker }: Question) => `${asker.siteId}`;

/** Watches that while a party waits, no other of its kind has two turns. */
function createFairness(kind: string, partyOf: (question: Question) => string) {
  const had = new Map<string, Set<string>>();
  return {
    begun(question: Question, waiting: Question[]): string | undefined {
      const party = partyOf(question);
      const unfairTo = [...had].find(([other, turns]) => other !== party && turns.has(party));
      for (const turns of had.values()) turns.add(party);
      had.delete(party);
      this.waits(waiting);
      return unfairTo === undefined
        ? undefined
        : `${kind} ${party} had two turns while ${unfairTo[0]} waited`;
    },
    waits(waiting: Question[]) {
      const parties = new Set(waiting.map(partyOf));
      for (const party of had.keys()) if (!parties.has(party)) had.delete(party);
      for (const party of parties) if (!had.has(party)) had.set(party, new Set());
    },
  };
}

/** Readers who come, leave and are answered, all by chance. Returns what was wrong. */
async function play(seed: number): Promise<string[]> {
  const chance = seededRandom(seed);
  const below = (number: number) => Math.floor(chance() * number);
  const slots = 1 + below(3);
  const queue = createQueue({ places: countedPlaces(slots), queueLength: 60, queueMs: 3_600_000 });
  const waiting: Question[] = [];
  const running: Slot<unknown>[] = [];
  const begun: number[] = [];
  const wrong: string[] = [];
  // Readers of different sites do not take turns with each other, sites do.
  const readers = [0, 1, 2].map(() => createFairness("reader", readerOf));
  const sites = createFairness("site", siteOf);
  let asked = 0;

  const begin = (question: Question, slot: Slot<unknown>) => {
    waiting.splice(waiting.indexOf(question), 1);
    running.push(slot);
    begun.push(question.number);
    if (running.length > slots) wrong.push("more run than there are slots");
    if (waiting.some((other) => readerOf(other) === readerOf(question) && other.number < question.number))
      wrong.push("a reader's later question went before an earlier one");
    const { siteId } = question.asker;
    const ofSite = waiting.filter((other) => other.asker.siteId === siteId);
    wrong.push(...[readers[siteId]?.begun(question, ofSite) ?? []].flat());
    wrong.push(...[sites.begun(question, waiting) ?? []].flat());
  };
  const ask = () => {
    const asker = { siteId: below(3), reader: `reader-${below(4)}` };
    const question: Question = { number: asked++, asker, leave: new AbortController(), told: [] };
    waiting.push(question);
    watch();
    const { signal } = question.leave;
    queue.acquire({ asker, signal, onPosition: (position) => question.told.push(position) }).then(
      (slot) => begin(question, slot),
      () => {
        waiting.splice(waiting.indexOf(question), 1);
        watch();
      },
    );
  };
  const watch = () => {
    sites.waits(waiting);
    for (const [site, each] of readers.entries())
      each.waits(waiting.filter(({ asker }) => asker.siteId === site));
  };
  const check = () => {
    const state = queue.state();
    if (state.running !== running.length || state.waiting !== waiting.length) wrong.push("a slot was lost");
    if (running.length < slots && waiting.length > 0) wrong.push("a slot is free, and somebody waits");
    const places = waiting.map(({ told }) => told.at(-1) ?? 0).sort((one, other) => one - other);
    if (places.some((place, index) => place !== index + 1)) wrong.push(`the places told are ${places}`);
    if (waiting.some(({ told }) => told.some((place, index) => place === told[index - 1])))
      wrong.push("a place was told twice");
  };

  for (let step = 0; step < STEPS; step++) {
    const what = chance();
    if (what < 0.5 && waiting.length < 40) ask();
    else if (what < 0.6) waiting[below(waiting.length)]?.leave.abort();
    else {
      const [ended] = running.splice(below(running.length), 1);
      ended?.release();
      if (chance() < 0.2) ended?.release();
    }
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    check();
  }
  // Nobody comes any more: those who wait begin in the order that they were told.
  const promised = [...waiting].sort((one, other) => (one.told.at(-1) ?? 0) - (other.told.at(-1) ?? 0));
  const before = begun.length;
  while (running.length > 0) {
    running.shift()?.release();
    await Bun.sleep(0);
  }
  if (`${begun.slice(before)}` !== `${promised.map(({ number }) => number)}`)
    wrong.push("another order than was told");
  if (queue.state().running + queue.state().waiting > 0 || begun.length < 50) wrong.push("somebody is left");
  return wrong;
}

describe("whoever comes, leaves and ends, in whatever order", () => {
  test.each(Array.from({ length: 25 }, (_, seed) => seed + 1))(
    "no slot is lost or given twice, a reader's questions keep their order, sites and readers take turns, and places are true (%d)",
    async (seed) => {
      expect(await play(seed)).toEqual([]);
    },
  );
});
