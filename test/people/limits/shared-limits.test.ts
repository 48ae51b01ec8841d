import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { createConcurrency } from "../../../src/people/limits/concurrency.ts";
import {
  type Charge,
  createLimits,
  type LimitStore,
  type Limits,
  type Meter,
  type SharedLimitStore,
} from "../../../src/people/limits/limits.ts";
import { countAttempt } from "../../../src/running/doors/session.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { createMemoryLimitStore, createSharedMemoryLimitStore } from "../../helpers/memory-limit-store.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { openTestPostgres } from "../../helpers/test-postgres.ts";

const hour = (limit: number): Meter => ({ name: "hour", windowMs: 3_600_000, sliceMs: 60_000, limit });
const minute = (limit: number): Meter => ({ name: "minute", windowMs: 60_000, sliceMs: 1000, limit });
const charges = (limit: number, subject = "org") => [{ meter: hour(limit), subject }];

/** How many of so many at once are allowed, through one server after the other. */
async function allowedOf(all: Limits[], requests: number, wanted: Charge[]): Promise<number> {
  const taken = await Promise.all(
    Array.from({ length: requests }, (_, index) => all[index % all.length]?.take(wanted)),
  );
  return taken.filter((standing) => standing?.allowed).length;
}

/** The stores of servers that count together, or of the only one. */
type OpenStores = () => Promise<Disposable & { stores: LimitStore[] }>;

/** What is so whether one server counts, or several do. */
function describeLimits(name: string, open: OpenStores): void {
  describe(`limits of ${name}`, () => {
    /** `offMs` is how far the clock of each server after the first is ahead of the one before it. */
    async function opened(offMs = 0) {
      const places = await open();
      // The end of a slice of every meter.
      const { clock, advance } = fakeClock(Date.UTC(2026, 0, 1) - 1);
      const servers = places.stores.map((store, index) =>
        createLimits({ store, clock: () => clock() + index * offMs, maxSubjects: 100 }),
      );
      return { servers, advance, [Symbol.dispose]: () => places[Symbol.dispose]() };
    }

    test("let as many pass as there may be", async () => {
      using it = await opened();
      expect(await allowedOf(it.servers, 700, charges(500))).toBe(500);
    });

    test("do not count what has no limit", async () => {
      using it = await opened();
      expect(await allowedOf(it.servers, 30, charges(0))).toBe(30);
      const both: Charge[] = [{ meter: { ...hour(0), name: "day" }, subject: "org" }, ...charges(5)];
      expect(await it.servers[0]?.take(both)).toMatchObject({ allowed: true, limit: 5, remaining: 4 });
    });

    test("let one of two pass that come at once for the last unit", async () => {
      using it = await opened();
      for (let round = 0; round < 20; round++) {
        expect(await allowedOf(it.servers, 2, charges(1, `org ${round}`))).toBe(1);
      }
    });

    test("let as many pass where one slice ends meanwhile", async () => {
      using it = await opened(1);
      for (const subject of ["a", "b", "c"]) {
        expect(await allowedOf(it.servers, 200, [{ meter: minute(30), subject }])).toBe(30);
      }
    });

    test("slow down attempts to sign in that come at once, as those that come one after the other", async () => {
      using it = await opened();
      const settings = { name_sign_ins_per_hour: 5, address_sign_ins_per_hour: 20 };
      const attempts = (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, index) => {
            const limits = it.servers[index % it.servers.length] ?? failed();
            const attempt = { kind: "password" as const, nameHash: "ada", deviceId: undefined };
            return countAttempt(settings, limits, { ...attempt, address: "192.0.2.1" });
          }),
        );
      const passed = (waits: (number | undefined)[]) => waits.filter((wait) => wait === undefined).length;
      expect(passed(await attempts(200))).toBe(5);
      const waits = await attempts(10);
      expect(new Set(waits).size).toBe(1);
      expect(waits[0]).toBeWithin(1, 3);
      // Those that were refused have made nobody wait.
      it.advance(2001);
      expect(passed(await attempts(100))).toBe(1);
    });

    test("leave the room of one limit to others, where another one refuses", async () => {
      using it = await opened();
      const both: Charge[] = [{ meter: { ...hour(1), name: "day" }, subject: "org" }, ...charges(10)];
      const one = it.servers.slice(0, 1);
      const allowed = await Promise.all([allowedOf(one, 40, both), allowedOf(one, 9, charges(10))]);
      expect(allowed).toEqual([1, 9]);
    });
  });
}

const failed = (): never => {
  throw new Error("there is no server");
};
const inMemory = (stores: LimitStore[]) => async () => ({ stores, [Symbol.dispose]() {} });

describeLimits("one server", () => inMemory([createMemoryLimitStore()])());
describeLimits("three servers", () => inMemory(Array(3).fill(createSharedMemoryLimitStore()))());
if (hasPostgres)
  describeLimits("three servers on PostgreSQL", async () => {
    const first = await openTestPostgres();
    const others = [await openTestPostgres({ url: first.url }), await openTestPostgres({ url: first.url })];
    const all = [first, ...others];
    return {
      stores: all.map(({ limits }) => limits),
      [Symbol.dispose]() {
        for (const each of all) each[Symbol.dispose]();
      },
    };
  });

describe("limits that servers share", () => {
  const servers = (store: LimitStore, count: number, clock = fakeClock().clock): Limits[] =>
    Array.from({ length: count }, () => createLimits({ store, clock, maxSubjects: 100 }));

  test("count what another server has counted, also where this one was not asked before", async () => {
    const [one, other] = servers(createSharedMemoryLimitStore(), 2);
    expect(await one?.take(charges(3))).toMatchObject({ allowed: true, remaining: 2 });
    expect(await one?.take(charges(3))).toMatchObject({ allowed: true, remaining: 1 });
    expect(await other?.take(charges(3))).toMatchObject({ allowed: true, remaining: 0 });
    expect(await other?.take(charges(3))).toMatchObject({ allowed: false, remaining: 0 });
    expect(await one?.take(charges(3, "another"))).toMatchObject({ allowed: true });
  });

  test("count against every limit or against none", async () => {
    const [one] = servers(createSharedMemoryLimitStore(), 1);
    const both = [{ meter: { ...hour(1), name: "day" }, subject: "org" }, ...charges(5)];
    expect(await one?.take(both)).toMatchObject({ allowed: true });
    expect(await one?.take(both)).toMatchObject({ allowed: false });
    expect(await one?.take(charges(5))).toMatchObject({ allowed: true, remaining: 3 });
  });

  test.each([90_000, -90_000])(
    "count by one clock, also where a server's own is off by %d ms",
    async (off) => {
      const store = createSharedMemoryLimitStore();
      const { clock } = fakeClock();
      const right = createLimits({ store, clock, maxSubjects: 100 });
      const wrong = createLimits({
        store: { ...store, aheadMs: () => -off },
        clock: () => clock() + off,
        maxSubjects: 100,
      });
      const taken: boolean[] = [];
      for (let index = 0; index < 6; index++) {
        const limits = index % 2 === 0 ? right : wrong;
        taken.push((await limits.take([{ meter: minute(5), subject: "address" }])).allowed);
      }
      expect(taken).toEqual([true, true, true, true, true, false]);
    },
  );

  test("try again where the unit in their way is given back meanwhile, and refuse where it is there each time", async () => {
    const inner = createSharedMemoryLimitStore();
    let inTheWay = 2;
    const store: SharedLimitStore = {
      ...inner,
      async add(counts, now) {
        if (inTheWay === 0 || counts.some(({ count }) => count < 0)) return inner.add(counts, now);
        inTheWay -= 1;
        await inner.add(counts, now);
        const told = await inner.add(counts, now);
        await inner.add(
          counts.map((each) => ({ ...each, count: -1 })),
          now,
        );
        return told;
      },
    };
    const [one] = servers(store, 1);
    expect(await one?.take(charges(1))).toMatchObject({ allowed: true });
    inTheWay = Number.POSITIVE_INFINITY;
    expect(await one?.take(charges(1, "other"))).toMatchObject({ allowed: false });
    inTheWay = 0;
    expect(await one?.take(charges(1, "other"))).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("a store that fails fails the request, and the next one is counted", async () => {
    const inner = createSharedMemoryLimitStore();
    let isDown = true;
    const store: SharedLimitStore = {
      ...inner,
      add: (...given) =>
        isDown ? Promise.reject(new Error("the connection was lost")) : inner.add(...given),
    };
    const [one] = servers(store, 1);
    await expect(one?.take(charges(2))).rejects.toThrow("the connection was lost");
    await Bun.sleep(5);
    isDown = false;
    expect(await one?.take(charges(2))).toMatchObject({ allowed: true, remaining: 1 });
  });
});

describe("a shared store that can be read and not written", () => {
  test("leaves the limit a limit: this server counts on from what was stored, and stores it as soon as it can", async () => {
    const inner = createSharedMemoryLimitStore();
    let isFull = false;
    const store: SharedLimitStore = {
      ...inner,
      async add(counts, now) {
        if (isFull) throw new AppError("unavailable", "full", { cannotStore: true });
        return inner.add(counts, now);
      },
    };
    const { clock } = fakeClock();
    const limits = createLimits({ store, clock, maxSubjects: 100 });
    const charges = [{ meter: { name: "m", windowMs: 60_000, sliceMs: 1000, limit: 5 }, subject: "acme" }];
    const take = async () => (await limits.take(charges)).allowed;
    expect([await take(), await take()]).toEqual([true, true]);
    isFull = true;
    expect(await Promise.all([take(), take(), take(), take(), take()])).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect((await limits.check(charges)).allowed).toBe(false);
    await expect(limits.flush()).rejects.toThrow("full");
    isFull = false;
    await limits.flush();
    const another = createLimits({ store, clock, maxSubjects: 100 });
    expect([(await another.take(charges)).allowed, await take()]).toEqual([false, false]);
    const [slice] = await inner.load("m", "acme", clock());
    expect(slice?.count).toBe(5);
  });

  test("leaves each address its places on this server, and no more", async () => {
    const take = async () => {
      throw new AppError("unavailable", "full", { cannotStore: true });
    };
    const concurrency = createConcurrency(1, { places: { take } });
    const leave = await concurrency.enterEverywhere("a");
    expect([leave === undefined, await concurrency.enterEverywhere("a")]).toEqual([false, undefined]);
    leave?.();
    expect(await concurrency.enterEverywhere("a")).toBeDefined();
  });
});
