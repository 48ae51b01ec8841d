import { isUnstorable } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type {
  Charge,
  KeptSlice,
  Limits,
  OwnLimitStore,
  OwnLimits,
  SharedLimitStore,
  SliceCount,
  Standing,
} from "./limits.ts";
import { endOf, nearestStanding, sliceAt, UNLIMITED } from "./standing.ts";

/**
 * Limits that several servers count together. Each request asks the store where it stands, and counts there before it goes
 * on. What others have counted meanwhile is seen only then: it is judged again by what was there when it was counted, and
 * gives its unit back where that leaves no room for it. Where the store can be read and not written, as on a full disk, this
 * server counts on by itself, and what it has counted is written as soon as it can be.
 */
export function createSharedLimits(deps: {
  store: SharedLimitStore;
  clock: Clock;
  openAlone(store: OwnLimitStore, clock: Clock): OwnLimits;
}): Limits {
  const { store } = deps;
  // What one server counts now, one whose clock is minutes off would take for long past.
  const clock = () => deps.clock() + (store.aheadMs?.() ?? 0);
  const count = createCounting(store, clock);
  let alone: OwnLimits | undefined;

  function countAlone(charges: Charge[]): Promise<Standing> {
    alone ??= deps.openAlone(asOwn(store), clock);
    return alone.take(charges);
  }

  async function standingBefore({ charges, now }: Wanted): Promise<Standing | undefined> {
    const kept = createKept();
    await Promise.all(
      charges.map(async ({ meter, subject }) =>
        kept.put(meter.name, subject, await store.load(meter.name, subject, now)),
      ),
    );
    return standingIn(kept, { charges, now });
  }

  const wantedOf = (charges: Charge[]): Wanted => ({
    charges: charges.filter(({ meter }) => meter.limit > 0),
    now: clock(),
  });

  return {
    check: async (charges) => alone?.check(charges) ?? (await standingBefore(wantedOf(charges))) ?? UNLIMITED,

    async take(charges) {
      if (alone !== undefined) return alone.take(charges);
      const wanted = wantedOf(charges);
      const before = await standingBefore(wanted);
      if (before === undefined) return UNLIMITED;
      if (!before.allowed) return before;
      return count(wanted).catch((error) => {
        if (isUnstorable(error)) return countAlone(charges);
        throw error;
      });
    },

    async flush() {
      // Otherwise nothing waits here: what was counted is in the store.
      const counting = alone;
      await counting?.flush();
      // What is counted while that is written is written by the next.
      if (counting !== undefined && !counting.isWaiting()) alone = undefined;
    },
  };
}

/** The same store for one server that counts by itself. */
const asOwn = (store: SharedLimitStore): OwnLimitStore => ({
  load: store.load,
  async add(counts, now) {
    const kept = await store.add(counts, now);
    return counts.map(
      ({ slice, count }, index) => kept[index]?.find((each) => each.slice === slice)?.count ?? count,
    );
  },
});

/** A request for one unit of each charge. */
interface Wanted {
  charges: readonly Charge[];
  now: number;
}

interface Waiting extends Wanted {
  tries: number;
  settle(standing: Standing): void;
  fail(error: unknown): void;
}

/** How often somebody is counted for whom there is room again when the units of others who were refused are gone. */
const TRIES_MAX = 5;

/**
 * Writes together what comes while a write is under way: a subject that everybody asks for is one row, and one write at a
 * time.
 */
function createCounting(store: SharedLimitStore, clock: Clock): (wanted: Wanted) => Promise<Standing> {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function add(all: readonly Wanted[], units: number): Promise<Kept> {
    const counts = all.flatMap((each) => countsOf(each, units));
    const told = await store.add(counts, clock());
    const kept = createKept();
    for (const [index, { meter, subject }] of counts.entries()) kept.put(meter, subject, told[index] ?? []);
    return kept;
  }

  /** Returns those who are to try again. */
  async function count(together: readonly Waiting[]): Promise<Waiting[]> {
    const refused = settleInTurn(await add(together, 1), together);
    return refused.length === 0 ? [] : refuse(await add(refused, -1), refused);
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        waiting.push(...(await count(together)));
      } catch (error) {
        // Requests that were settled before stay settled.
        for (const { fail } of together) fail(error);
      }
    }
    isWriting = false;
  }

  return (wanted) =>
    new Promise((settle, fail) => {
      waiting.push({ ...wanted, tries: 1, settle, fail });
      if (!isWriting) void writeAll();
    });
}

/**
 * Settles those for whom there was room when they were counted, of what is kept since all were. Returns the others: who is
 * counted after them does not wait for their units.
 */
function settleInTurn(kept: Kept, together: readonly Waiting[]): Waiting[] {
  for (const one of together) kept.add(countsOf(one, -1));
  return together.filter((one) => {
    const standing = standingIn(kept, one) ?? UNLIMITED;
    if (!standing.allowed) return true;
    kept.add(countsOf(one, 1));
    one.settle({ ...standing, remaining: standing.remaining - 1 });
    return false;
  });
}

/** Tells those who have given their units back where they stand. Returns those who are to try again. */
function refuse(kept: Kept, refused: readonly Waiting[]): Waiting[] {
  return refused.flatMap((one) => {
    const standing = standingIn(kept, one) ?? UNLIMITED;
    // What was in its way was given back, too: it is tried for again, or nobody would have the room that there is.
    if (standing.allowed && one.tries < TRIES_MAX) return [{ ...one, tries: one.tries + 1 }];
    one.settle({ ...standing, allowed: false });
    return [];
  });
}

const countsOf = ({ charges, now }: Wanted, count: number): SliceCount[] =>
  charges.map(({ meter, subject }) => {
    const slice = sliceAt(meter, now);
    return { meter: meter.name, subject, slice, count, expiresAt: endOf(meter, slice) };
  });

/** What is kept of some subjects. */
interface Kept {
  put(meter: string, subject: string, slices: readonly KeptSlice[]): void;
  add(counts: readonly SliceCount[]): void;
  /** Slices from which everything was given back are left out: nothing happened in them. */
  slicesOf(meter: string, subject: string): Map<number, number>;
}

function createKept(): Kept {
  const subjects = new Map<string, Map<number, number>>();
  const keyOf = (meter: string, subject: string) => JSON.stringify([meter, subject]);
  return {
    put(meter, subject, slices) {
      subjects.set(keyOf(meter, subject), new Map(slices.map(({ slice, count }) => [slice, count])));
    },
    add(counts) {
      for (const { meter, subject, slice, count } of counts) {
        const slices = subjects.get(keyOf(meter, subject));
        slices?.set(slice, (slices.get(slice) ?? 0) + count);
      }
    },
    slicesOf: (meter, subject) =>
      new Map([...(subjects.get(keyOf(meter, subject)) ?? [])].filter(([, count]) => count > 0)),
  };
}

const standingIn = (kept: Kept, { charges, now }: Wanted): Standing | undefined =>
  nearestStanding(
    charges.map(({ meter, subject }) => ({ meter, slices: kept.slicesOf(meter.name, subject) })),
    now,
  );
