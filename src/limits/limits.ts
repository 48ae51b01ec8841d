import type { Clock } from "../lib/clock.ts";

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

export interface SliceCount {
  meter: string;
  subject: string;
  slice: number;
  count: number;
  expiresAt: number;
}

/** Keeps counts, so that a restart does not forget them. */
export interface LimitStore {
  load(meter: string, subject: string, now: number): Promise<{ slice: number; count: number }[]>;
  save(counts: SliceCount[], now: number): Promise<void>;
}

export interface Limits {
  /** Counts one unit against every charge, or against none when one of them has no room. */
  take(charges: Charge[]): Promise<Standing>;
  /** Writes what was counted since the last flush. */
  flush(): Promise<void>;
}

interface Counter extends Charge {
  slices: Map<number, number>;
  changed: Set<number>;
}

/**
 * Counts in memory and writes what changed when flushed, once a second, so that no request waits for the disk. A crash
 * forgets at most what was counted since the last flush. A subject that is not in memory is read when it first asks.
 */
export function createLimits(deps: { store: LimitStore; clock: Clock; maxSubjects: number }): Limits {
  const { store, clock, maxSubjects } = deps;
  const counters = new Map<string, Counter>();

  async function counterOf(charge: Charge): Promise<Counter> {
    const name = `${charge.meter.name} ${charge.subject}`;
    const stored = counters.has(name) ? [] : await store.load(charge.meter.name, charge.subject, clock());
    // Another request may have read the same subject meanwhile: its counter is the one that counts.
    const counter = counters.get(name) ?? {
      ...charge,
      slices: new Map(stored.map((each) => [each.slice, each.count])),
      changed: new Set<number>(),
    };
    // How much may be is a setting, which can change while it is counted.
    counter.meter = charge.meter;
    counters.delete(name);
    counters.set(name, counter);
    return counter;
  }

  function forgetLeastRecent(): void {
    for (const [name, counter] of counters) {
      if (counters.size <= maxSubjects) return;
      if (counter.changed.size === 0) counters.delete(name);
    }
  }

  return {
    async take(charges) {
      const limited = await Promise.all(charges.filter(({ meter }) => meter.limit > 0).map(counterOf));
      const now = clock();
      const nearest = limited.map((counter) => standingOf(counter, now)).sort(nearestFirst)[0];
      if (!nearest) return { allowed: true, limit: 0, remaining: 0, resetSeconds: 0 };
      if (nearest.allowed) for (const counter of limited) addOne(counter, now);
      if (counters.size > maxSubjects) forgetLeastRecent();
      return nearest.allowed ? { ...nearest, remaining: nearest.remaining - 1 } : nearest;
    },

    async flush() {
      const changed = [...counters.values()].filter((counter) => counter.changed.size > 0);
      if (changed.length === 0) return;
      const written = changed.map((counter) => [counter, changesOf(counter)] as const);
      await store.save(
        written.flatMap(([, counts]) => counts),
        clock(),
      );
      for (const [counter, counts] of written) settle(counter, counts);
    },
  };
}

function standingOf({ meter, slices }: Counter, now: number): Standing {
  const oldest = Math.floor((now - meter.windowMs) / meter.sliceMs);
  // Counted while the clock was far ahead: it would be held against the subject until that time really comes.
  const newest = Math.floor((now + meter.windowMs) / meter.sliceMs);
  let used = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const [slice, count] of slices) {
    if (slice < oldest || slice > newest) {
      slices.delete(slice);
      continue;
    }
    used += count;
    first = Math.min(first, slice);
    last = Math.max(last, slice);
  }
  const pauseMs = meter.pauseMs?.(used) ?? 0;
  // The clock may have been set back: nobody waits for a slice that is still to come.
  const lastEnd = (Math.min(last, Math.floor(now / meter.sliceMs)) + 1) * meter.sliceMs;
  const pausedUntil = pauseMs > 0 ? lastEnd + pauseMs : now;
  const leaves = first === Number.POSITIVE_INFINITY ? now + meter.windowMs : endOf(meter, first);
  const isPaused = pausedUntil > now;
  return {
    allowed: used < meter.limit && !isPaused,
    limit: meter.limit,
    remaining: Math.max(0, meter.limit - used),
    resetSeconds: Math.max(1, Math.ceil(((isPaused ? pausedUntil : leaves) - now) / 1000)),
  };
}

/** When a slice no longer counts. */
const endOf = (meter: Meter, slice: number) => (slice + 1) * meter.sliceMs + meter.windowMs;

function nearestFirst(a: Standing, b: Standing): number {
  if (a.allowed !== b.allowed) return a.allowed ? 1 : -1;
  // Of two limits that are both used up, the one that lasts longer is the one to wait for.
  if (!a.allowed) return b.resetSeconds - a.resetSeconds;
  return a.remaining / a.limit - b.remaining / b.limit || a.remaining - b.remaining;
}

function addOne({ meter, slices, changed }: Counter, now: number): void {
  const slice = Math.floor(now / meter.sliceMs);
  slices.set(slice, (slices.get(slice) ?? 0) + 1);
  changed.add(slice);
}

function changesOf({ meter, subject, slices, changed }: Counter): SliceCount[] {
  return [...changed].map((slice) => ({
    meter: meter.name,
    subject,
    slice,
    count: slices.get(slice) ?? 0,
    expiresAt: endOf(meter, slice),
  }));
}

/** What was written need not be written again, unless it was counted on meanwhile. */
function settle({ slices, changed }: Counter, written: SliceCount[]): void {
  for (const { slice, count } of written) if ((slices.get(slice) ?? 0) === count) changed.delete(slice);
}
