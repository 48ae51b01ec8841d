import type { Clock } from "../lib/clock.ts";
import type { Charge, LimitStore, Limits, SliceCount } from "./limits.ts";
import { type Counted, endOf, nearestStanding, sliceAt, UNLIMITED } from "./standing.ts";

/**
 * Limits that several servers count together. Each request asks the store where it stands, and counts there before it goes
 * on: of two that take the last unit at the same time on two servers, the one that is counted second gives its own back.
 */
export function createSharedLimits(deps: { store: LimitStore; clock: Clock }): Limits {
  const { store } = deps;
  // What one server counts now, one whose clock is minutes off would take for long past.
  const clock = () => deps.clock() + (store.aheadMs?.() ?? 0);
  const add = createGroupedAdd(store, clock);

  const countedOf = async ({ meter, subject }: Charge, now: number): Promise<Counted> => {
    const stored = await store.load(meter.name, subject, now);
    return { meter, slices: new Map(stored.map(({ slice, count }) => [slice, count])) };
  };

  return {
    async take(charges) {
      const now = clock();
      const limited = charges.filter(({ meter }) => meter.limit > 0);
      const counted = await Promise.all(limited.map((charge) => countedOf(charge, now)));
      const before = nearestStanding(counted, now);
      if (before === undefined) return UNLIMITED;
      if (!before.allowed) return before;
      const totals = await add(limited.map((charge) => countAt(charge, now, 1)));
      for (const [index, { meter, slices }] of counted.entries()) {
        const slice = sliceAt(meter, now);
        slices.set(slice, totals[index] ?? (slices.get(slice) ?? 0) + 1);
      }
      if (!counted.some(isOver)) return { ...before, remaining: before.remaining - 1 };
      await add(limited.map((charge) => countAt(charge, now, -1)));
      return nearestStanding(counted, now) ?? UNLIMITED;
    },

    async flush() {
      // Nothing waits here: what was counted is in the store.
    },
  };
}

function isOver({ meter, slices }: Counted): boolean {
  const used = [...slices.values()].reduce((sum, count) => sum + count, 0);
  return used > meter.limit;
}

const countAt = ({ meter, subject }: Charge, now: number, count: number): SliceCount => {
  const slice = sliceAt(meter, now);
  return { meter: meter.name, subject, slice, count, expiresAt: endOf(meter, slice) };
};

type Add = (counts: readonly SliceCount[]) => Promise<number[]>;

interface Waiting {
  counts: readonly SliceCount[];
  settle(totals: number[]): void;
  fail(error: unknown): void;
}

/**
 * Writes together what comes while a write is under way: a subject that everybody asks for is one row, and one write at a
 * time. Each is told what its own units have come to, in the order in which they came.
 */
function createGroupedAdd(store: LimitStore, clock: Clock): Add {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        const all = together.flatMap(({ counts }) => counts);
        const totals = runningTotals(all, await store.add(all, clock()));
        let at = 0;
        for (const { counts, settle } of together) {
          settle(totals.slice(at, at + counts.length));
          at += counts.length;
        }
      } catch (error) {
        for (const { fail } of together) fail(error);
      }
    }
    isWriting = false;
  }

  return (counts) =>
    new Promise((settle, fail) => {
      waiting.push({ counts, settle, fail });
      if (!isWriting) void writeAll();
    });
}

/** What each count has come to with those before it: a store that adds them together tells the sum of them all. */
function runningTotals(counts: readonly SliceCount[], totals: readonly number[]): number[] {
  const keyOf = ({ meter, subject, slice }: SliceCount) => JSON.stringify([meter, subject, slice]);
  const final = new Map(counts.map((each, index) => [keyOf(each), totals[index] ?? 0]));
  const before = new Map<string, number>();
  for (const each of counts.toReversed()) {
    const key = keyOf(each);
    before.set(key, (before.get(key) ?? final.get(key) ?? 0) - each.count);
  }
  return counts.map((each) => {
    const key = keyOf(each);
    const total = (before.get(key) ?? 0) + each.count;
    before.set(key, total);
    return total;
  });
}
