import type { Clock } from "@docent/kernel/lib/clock";
import { createSharedLimits } from "./shared-limits.ts";
import { endOf, nearestStanding, sliceAt, UNLIMITED } from "./standing.ts";

/** What is counted, over which time. The window slides: it is cut into slices, and the oldest slice counts whole. */
export interface Meter {
  name: string;
  windowMs: number;
  sliceMs: number;
  /** The most units in any window. 0 is no limit. */
  limit: number;
  /** How long after so many units in the window the next one may come: for what is to be slowed down, not stopped. */
  pauseMs?(units: number): number;
}

/** One counter that a request adds to. */
export interface Charge {
  meter: Meter;
  /** Who is counted: an organization, an address. */
  subject: string;
}

/** Where a caller stands with the limit that is nearest to its end. */
export interface Standing {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the window has room for more than now. */
  resetSeconds: number;
}

/** What was counted in a slice. */
export interface SliceCount {
  meter: string;
  subject: string;
  slice: number;
  count: number;
  expiresAt: number;
}

/** What is kept of a subject in one slice. */
export interface KeptSlice {
  slice: number;
  count: number;
}

interface KeptCounts {
  load(meter: string, subject: string, now: number): Promise<KeptSlice[]>;
}

/** Keeps the counts of one server, so that a restart does not forget them. */
export interface OwnLimitStore extends KeptCounts {
  isShared?: false;
  /** Adds to what is kept, all or nothing, and tells what each slice has come to, in the same order. */
  add(counts: readonly SliceCount[], now: number): Promise<number[]>;
}

/** Keeps the counts of several servers, which count together. */
export interface SharedLimitStore extends KeptCounts {
  isShared: true;
  /** How far the clock by which servers count together is ahead of this one's. */
  aheadMs?(): number;
  /**
   * Adds to what is kept, all or nothing, and tells for each, in the same order, all that is then kept of its subject, in
   * every slice: of two that add to one subject, one comes second, and sees what the first has added.
   */
  add(counts: readonly SliceCount[], now: number): Promise<KeptSlice[][]>;
}

export type LimitStore = OwnLimitStore | SharedLimitStore;

export interface Limits {
  /** Counts one unit against every charge, or against none when one of them has no room. */
  take(charges: Charge[]): Promise<Standing>;
  /** Tells where the next unit would stand, and counts none. */
  check(charges: Charge[]): Promise<Standing>;
  /** Writes what was counted since the last flush. */
  flush(): Promise<void>;
}

/** Limits of one server, which counts in memory. */
export interface OwnLimits extends Limits {
  /** Whether something that was counted is not written yet. */
  isWaiting(): boolean;
}

interface Counter extends Charge {
  /** What is known of each slice: what is kept, and what was counted here since. */
  slices: Map<number, number>;
  /** What was counted here and is not written yet. */
  added: Map<number, number>;
  /** How many writes of it are under way. */
  writes: number;
}

interface LimitsDeps<Store> {
  store: Store;
  clock: Clock;
  /** How many subjects are kept in memory. */
  maxSubjects: number;
}

/** Counts in the store where servers share it, and otherwise in memory. */
export function createLimits({ store, ...deps }: LimitsDeps<LimitStore>): Limits {
  if (!store.isShared) return createOwnLimits({ store, ...deps });
  const openAlone = (own: OwnLimitStore, clock: Clock) => createOwnLimits({ ...deps, store: own, clock });
  return createSharedLimits({ store, clock: deps.clock, openAlone });
}

/** What is written can be read again. */
function forgetLeastRecent(counters: Map<string, Counter>, maxSubjects: number): void {
  for (const [name, counter] of counters) {
    if (counters.size <= maxSubjects) return;
    if (counter.added.size === 0 && counter.writes === 0) counters.delete(name);
  }
}

/**
 * Counts in memory and writes what was added when flushed, once a second, so that no request waits for the disk. A crash
 * forgets at most what was counted since the last flush. A subject that is not in memory is read when it first asks.
 */
function createOwnLimits({ store, clock, maxSubjects }: LimitsDeps<OwnLimitStore>): OwnLimits {
  const counters = new Map<string, Counter>();

  async function counterOf(charge: Charge): Promise<Counter> {
    const name = `${charge.meter.name} ${charge.subject}`;
    const stored = counters.has(name) ? [] : await store.load(charge.meter.name, charge.subject, clock());
    // Another request may have read the same subject meanwhile: its counter is the one that counts.
    const counter = counters.get(name) ?? {
      ...charge,
      slices: new Map(stored.map((each) => [each.slice, each.count])),
      added: new Map<number, number>(),
      writes: 0,
    };
    // How much may be is a setting, which can change while it is counted.
    counter.meter = charge.meter;
    counters.delete(name);
    counters.set(name, counter);
    return counter;
  }

  const limitedBy = (charges: Charge[]) =>
    Promise.all(charges.filter(({ meter }) => meter.limit > 0).map(counterOf));

  return {
    async check(charges) {
      return nearestStanding(await limitedBy(charges), clock()) ?? UNLIMITED;
    },

    async take(charges) {
      const limited = await limitedBy(charges);
      const now = clock();
      const nearest = nearestStanding(limited, now);
      if (!nearest) return UNLIMITED;
      if (nearest.allowed) for (const counter of limited) addOne(counter, now);
      forgetLeastRecent(counters, maxSubjects);
      return nearest.allowed ? { ...nearest, remaining: nearest.remaining - 1 } : nearest;
    },

    isWaiting: () => [...counters.values()].some(({ added, writes }) => added.size > 0 || writes > 0),

    async flush() {
      const changed = [...counters.values()].filter(({ added }) => added.size > 0);
      if (changed.length === 0) return;
      const taken = changed.flatMap(takeAdded);
      try {
        const totals = await store.add(
          taken.map(({ count }) => count),
          clock(),
        );
        for (const [index, { counter, count }] of taken.entries()) settle(counter, count, totals[index]);
      } catch (error) {
        for (const { counter, count } of taken) addTo(counter.added, count.slice, count.count);
        throw error;
      } finally {
        for (const { counter } of taken) counter.writes -= 1;
      }
    },
  };
}

function addOne({ meter, slices, added }: Counter, now: number): void {
  const slice = sliceAt(meter, now);
  addTo(slices, slice, 1);
  addTo(added, slice, 1);
}

const addTo = (counts: Map<number, number>, slice: number, units: number) =>
  counts.set(slice, (counts.get(slice) ?? 0) + units);

interface Taken {
  counter: Counter;
  count: SliceCount;
}

/** Takes what is to be written: what is counted from now on is for the next write. */
function takeAdded(counter: Counter): Taken[] {
  const { meter, subject, added } = counter;
  const taken = [...added].map(([slice, count]) => ({
    counter,
    count: { meter: meter.name, subject, slice, count, expiresAt: endOf(meter, slice) },
  }));
  counter.writes += taken.length;
  added.clear();
  return taken;
}

/** What others have added meanwhile counts here, too. */
function settle({ slices, added }: Counter, { slice }: SliceCount, total: number | undefined): void {
  if (total !== undefined && slices.has(slice)) slices.set(slice, total + (added.get(slice) ?? 0));
}
