import { describe, expect, test } from "bun:test";
import {
  type Charge,
  createLimits,
  type LimitStore,
  type Meter,
  type OwnLimitStore,
} from "../../../src/people/limits/limits.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { createMemoryLimitStore } from "../../helpers/memory-limit-store.ts";
import { openStorageAt, openTestStorage } from "../../helpers/test-storage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const hour = (limit: number): Meter => ({ name: "hour", windowMs: HOUR_MS, sliceMs: MINUTE_MS, limit });
const minute = (limit: number): Meter => ({ name: "minute", windowMs: MINUTE_MS, sliceMs: 1000, limit });
const charge = (meter: Meter, subject = "org"): Charge => ({ meter, subject });

function own(store: LimitStore): OwnLimitStore {
  if (store.isShared) throw new Error("servers share this store");
  return store;
}

function opened(store: OwnLimitStore = createMemoryLimitStore(), maxSubjects = 1000) {
  // The start of a slice of every meter.
  const { clock, advance } = fakeClock(Date.UTC(2026, 0, 1));
  const limits = createLimits({ store, clock, maxSubjects });
  const allowed = async (...charges: Charge[]) => (await limits.take(charges)).allowed;
  const takeMany = async (count: number, ...charges: Charge[]) => {
    let taken = 0;
    for (let index = 0; index < count; index++) if (await allowed(...charges)) taken++;
    return taken;
  };
  return { limits, clock, advance, allowed, takeMany, store };
}

/** A store on a full disk, until the test makes room. */
function fullStore() {
  const inner = createMemoryLimitStore();
  let isFull = true;
  const store: OwnLimitStore = {
    load: inner.load,
    async add(counts, now) {
      if (isFull) throw new Error("the disk is full");
      return inner.add(counts, now);
    },
  };
  return {
    store,
    inner,
    makeRoom() {
      isFull = false;
    },
  };
}

/** A store whose promises are kept when the test says so. */
function slowStore() {
  const inner = createMemoryLimitStore();
  const gates: (() => void)[] = [];
  const wait = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gates.push(resolve);
    return promise;
  };
  const store: OwnLimitStore = {
    async load(meter, subject, now) {
      await wait();
      return inner.load(meter, subject, now);
    },
    async add(counts, now) {
      await wait();
      return inner.add(counts, now);
    },
  };
  const open = () => {
    for (const gate of gates.splice(0)) gate();
  };
  return { store, inner, open };
}

describe("limits: the edge", () => {
  test("exactly as many are allowed as the limit says", async () => {
    const { takeMany } = opened();
    expect(await takeMany(10, charge(hour(7)))).toBe(7);
  });

  test("what remains is counted down to nothing, and stays there", async () => {
    const { limits } = opened();
    const remaining: number[] = [];
    for (let index = 0; index < 5; index++) remaining.push((await limits.take([charge(hour(3))])).remaining);
    expect(remaining).toEqual([2, 1, 0, 0, 0]);
  });

  test("a refused request is not counted", async () => {
    const { takeMany, advance } = opened();
    await takeMany(3, charge(hour(3)));
    advance(30 * MINUTE_MS);
    expect(await takeMany(100, charge(hour(3)))).toBe(0);
    advance(31 * MINUTE_MS);
    expect(await takeMany(100, charge(hour(3)))).toBe(3);
  });

  test("0 is no limit", async () => {
    const { limits, takeMany } = opened();
    expect(await takeMany(500, charge(hour(0)))).toBe(500);
    expect(await limits.take([])).toMatchObject({ allowed: true, limit: 0 });
  });

  test("subjects and meters are counted apart", async () => {
    const { takeMany } = opened();
    expect(await takeMany(5, charge(hour(2), "a"))).toBe(2);
    expect(await takeMany(5, charge(hour(2), "b"))).toBe(2);
    expect(await takeMany(5, charge(minute(2), "a"))).toBe(2);
  });

  test("takes that come at once are allowed up to the limit and no further", async () => {
    const { limits } = opened();
    const standings = await Promise.all(Array.from({ length: 50 }, () => limits.take([charge(hour(20))])));
    expect(standings.filter(({ allowed }) => allowed)).toHaveLength(20);
  });

  test("takes that wait for the store at once are allowed up to the limit and no further", async () => {
    const slow = slowStore();
    const { limits } = opened(slow.store);
    const takes = Array.from({ length: 50 }, () => limits.take([charge(hour(20)), charge(minute(30))]));
    slow.open();
    const standings = await Promise.all(takes);
    expect(standings.filter(({ allowed }) => allowed)).toHaveLength(20);
  });
});

describe("limits: the sliding window", () => {
  test("no window of an hour ever has more than the limit, however the requests are spread", async () => {
    const { allowed, advance, clock } = opened();
    const taken: number[] = [];
    for (let step = 0; step < 2000; step++) {
      if (await allowed(charge(hour(10)))) taken.push(clock());
      advance(((step * 7919) % 13) * 10_000);
    }
    expect(taken.length).toBeGreaterThan(20);
    for (const [index, at] of taken.entries()) {
      const inWindow = taken.slice(index).filter((each) => each - at < HOUR_MS);
      expect(inWindow.length).toBeLessThanOrEqual(10);
    }
  });

  test("room comes back when the first slice has left the window, at the second that was announced", async () => {
    const { limits, takeMany, allowed, advance } = opened();
    await takeMany(2, charge(minute(2)));
    const { allowed: refused, resetSeconds } = await limits.take([charge(minute(2))]);
    expect([refused, resetSeconds]).toEqual([false, 61]);
    advance(resetSeconds * 1000 - 1);
    expect(await allowed(charge(minute(2)))).toBe(false);
    advance(1);
    expect(await allowed(charge(minute(2)))).toBe(true);
  });

  test("room comes back a part at a time", async () => {
    const { takeMany, advance } = opened();
    await takeMany(3, charge(minute(5)));
    advance(30_000);
    await takeMany(2, charge(minute(5)));
    advance(31_000);
    expect(await takeMany(9, charge(minute(5)))).toBe(3);
    advance(30_000);
    expect(await takeMany(9, charge(minute(5)))).toBe(2);
  });

  test("a clock that is set back lets nobody through", async () => {
    const { takeMany, advance } = opened();
    await takeMany(3, charge(minute(3)));
    advance(-10_000);
    expect(await takeMany(3, charge(minute(3)))).toBe(0);
  });

  test("a burst is bounded by the minute while the hour has room", async () => {
    const { limits, takeMany, advance } = opened();
    const charges = [charge(hour(100)), charge(minute(5), "192.0.2.7")];
    expect(await takeMany(50, ...charges)).toBe(5);
    expect(await limits.take(charges)).toMatchObject({ allowed: false, limit: 5, resetSeconds: 61 });
    advance(61_000);
    expect(await takeMany(50, ...charges)).toBe(5);
  });
});

describe("limits: several at once", () => {
  test("when one has no room, none is charged", async () => {
    const { takeMany } = opened();
    expect(await takeMany(10, charge(hour(8)), charge(minute(3)))).toBe(3);
    expect(await takeMany(10, charge(hour(8)))).toBe(5);
  });

  test("the one nearest to its end is reported", async () => {
    const { limits, takeMany } = opened();
    await takeMany(4, charge(minute(5)));
    expect(await limits.take([charge(hour(1000)), charge(minute(5))])).toMatchObject({
      limit: 5,
      remaining: 0,
    });
    await takeMany(95, charge(hour(100), "other"));
    expect(await limits.take([charge(hour(100), "other"), charge(minute(5), "other")])).toMatchObject({
      limit: 100,
      remaining: 4,
    });
  });

  test("of two that are used up, the one to wait for longer is reported", async () => {
    const { limits, takeMany } = opened();
    await takeMany(2, charge(hour(2)), charge(minute(2)));
    const standing = await limits.take([charge(minute(2)), charge(hour(2))]);
    expect(standing).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 3660 });
  });
});

describe("limits: what survives", () => {
  test("a restart keeps the counts", async () => {
    using storage = await openTestStorage();
    const first = opened(own(storage.limits));
    await first.takeMany(6, charge(hour(10)), charge(minute(8)));
    await first.limits.flush();
    const reopened = await openStorageAt(storage.directory);
    const second = opened(own(reopened.limits));
    expect(await second.takeMany(10, charge(minute(8)))).toBe(2);
    expect(await second.takeMany(10, charge(hour(10)))).toBe(4);
    reopened.close();
  });

  test("a crash forgets what was counted since the last flush, and no more", async () => {
    const first = opened();
    await first.takeMany(3, charge(hour(10)));
    await first.limits.flush();
    await first.takeMany(2, charge(hour(10)));
    expect(await opened(first.store).takeMany(10, charge(hour(10)))).toBe(7);
  });

  test("a flush writes what changed, once", async () => {
    const saved: number[] = [];
    const inner = createMemoryLimitStore();
    const { limits, takeMany, advance } = opened({
      load: inner.load,
      add(counts, now) {
        saved.push(counts.length);
        return inner.add(counts, now);
      },
    });
    await takeMany(5, charge(hour(10)), charge(minute(10)));
    await limits.flush();
    await limits.flush();
    advance(MINUTE_MS);
    await takeMany(1, charge(hour(10)));
    await limits.flush();
    expect(saved).toEqual([2, 1]);
  });

  test("what a failed flush could not write is written by the next one", async () => {
    const { store, inner, makeRoom } = fullStore();
    const { limits, takeMany } = opened(store);
    await takeMany(4, charge(hour(10)));
    await expect(limits.flush()).rejects.toThrow("the disk is full");
    makeRoom();
    await limits.flush();
    expect(await opened(inner).takeMany(10, charge(hour(10)))).toBe(6);
  });

  test("what is counted while a flush writes is written by the next one", async () => {
    const slow = slowStore();
    const { limits } = opened(slow.store);
    const take = async () => {
      const taking = limits.take([charge(hour(10))]);
      slow.open();
      return taking;
    };
    await take();
    const flushing = limits.flush();
    await take();
    slow.open();
    await flushing;
    const again = limits.flush();
    slow.open();
    await again;
    expect(await opened(slow.inner).takeMany(10, charge(hour(10)))).toBe(8);
  });
});

describe("limits: servers that share a store", () => {
  test("count together, as of their last flush", async () => {
    const store = createMemoryLimitStore();
    const [one, other] = [opened(store), opened(store)];
    expect(await one.takeMany(3, charge(hour(10)))).toBe(3);
    expect(await other.takeMany(4, charge(hour(10)))).toBe(4);
    await one.limits.flush();
    await other.limits.flush();
    await one.takeMany(1, charge(hour(10)));
    await one.limits.flush();
    expect(await one.takeMany(10, charge(hour(10)))).toBe(2);
    expect(await opened(store).takeMany(10, charge(hour(10)))).toBe(2);
  });

  test("what could not be written is not counted twice", async () => {
    const { store, inner, makeRoom } = fullStore();
    const { limits, takeMany } = opened(store);
    await takeMany(4, charge(hour(10)));
    await expect(limits.flush()).rejects.toThrow("the disk is full");
    await takeMany(1, charge(hour(10)));
    makeRoom();
    await limits.flush();
    expect(await opened(inner).takeMany(10, charge(hour(10)))).toBe(5);
    expect(await takeMany(10, charge(hour(10)))).toBe(5);
  });
});

describe("limits: bounded memory", () => {
  /** A store that counts how often each subject is read. */
  function countingStore() {
    const loads = new Map<string, number>();
    const inner = createMemoryLimitStore();
    const store: OwnLimitStore = {
      load(meter, subject, now) {
        loads.set(subject, (loads.get(subject) ?? 0) + 1);
        return inner.load(meter, subject, now);
      },
      add: inner.add,
    };
    return { store, loads };
  }

  test("a subject that was forgotten is read again, with its counts", async () => {
    const { store, loads } = countingStore();
    const { limits, takeMany } = opened(store, 3);
    await takeMany(2, charge(hour(5), "first"));
    await limits.flush();
    for (let index = 0; index < 5; index++) await takeMany(1, charge(hour(5), `other ${index}`));
    expect(await takeMany(9, charge(hour(5), "first"))).toBe(3);
    expect(loads.get("first")).toBe(2);
  });

  test("a subject that is in memory is read once", async () => {
    const { store, loads } = countingStore();
    const { takeMany } = opened(store, 3);
    await takeMany(9, charge(hour(5)));
    expect(loads.get("org")).toBe(1);
  });

  test("the one that was seen last is kept", async () => {
    const { store, loads } = countingStore();
    const { limits, takeMany } = opened(store, 2);
    for (const subject of ["a", "b", "a"]) await takeMany(1, charge(hour(5), subject));
    await limits.flush();
    await takeMany(1, charge(hour(5), "c"));
    for (const subject of ["a", "b"]) await takeMany(1, charge(hour(5), subject));
    expect([loads.get("a"), loads.get("b")]).toEqual([1, 2]);
  });

  test("what was not written yet is never forgotten", async () => {
    const { takeMany } = opened(createMemoryLimitStore(), 2);
    for (const subject of ["a", "b", "c", "d"]) await takeMany(2, charge(hour(3), subject));
    for (const subject of ["a", "b", "c", "d"]) expect(await takeMany(9, charge(hour(3), subject))).toBe(1);
  });

  test("what is being written is not forgotten before it is", async () => {
    const inner = createMemoryLimitStore();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { limits, takeMany } = opened(
      {
        load: inner.load,
        async add(counts, now) {
          await promise;
          return inner.add(counts, now);
        },
      },
      1,
    );
    await takeMany(2, charge(hour(3), "a"));
    const flushing = limits.flush();
    await takeMany(1, charge(hour(3), "b"));
    expect(await takeMany(9, charge(hour(3), "a"))).toBe(1);
    resolve();
    await flushing;
  });

  test("refused requests fill no memory: strangers are forgotten while their organization has no room", async () => {
    const { store, loads } = countingStore();
    const { limits, takeMany } = opened(store, 10);
    await takeMany(1, charge(hour(1)));
    await limits.flush();
    for (let index = 0; index < 100; index++) {
      expect(await takeMany(1, charge(hour(1)), charge(minute(5), `stranger ${index}`))).toBe(0);
    }
    await takeMany(1, charge(hour(1)), charge(minute(5), "stranger 0"));
    expect(loads.get("stranger 0")).toBe(2);
    expect(loads.get("org")).toBe(1);
  });
});
