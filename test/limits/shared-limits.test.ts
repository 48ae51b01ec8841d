import { describe, expect, test } from "bun:test";
import { createLimits, type LimitStore, type Limits, type Meter } from "../../src/limits/limits.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { createMemoryLimitStore } from "../helpers/memory-limit-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

const hour = (limit: number): Meter => ({ name: "hour", windowMs: 3_600_000, sliceMs: 60_000, limit });

/** A store that servers share: each answer comes later than it was asked for. */
function sharedStore(): LimitStore {
  const inner = createMemoryLimitStore();
  return {
    isShared: true,
    async load(...asked) {
      await Bun.sleep(1);
      return inner.load(...asked);
    },
    async add(counts, now) {
      await Bun.sleep(1);
      return inner.add(counts, now);
    },
  };
}

function servers(store: LimitStore, count: number, clock = fakeClock().clock): Limits[] {
  return Array.from({ length: count }, () => createLimits({ store, clock, maxSubjects: 100 }));
}

const charges = (limit: number, subject = "org") => [{ meter: hour(limit), subject }];

async function allowedOf(all: Limits[], requests: number, limit: number): Promise<number> {
  const taken = await Promise.all(
    Array.from({ length: requests }, (_, index) => all[index % all.length]?.take(charges(limit))),
  );
  return taken.filter((standing) => standing?.allowed).length;
}

describe("limits that servers share", () => {
  test("let as many pass as there may be, through however many servers they come", async () => {
    expect(await allowedOf(servers(sharedStore(), 3), 700, 500)).toBe(500);
  });

  test("count what another server has counted, also where this one was not asked before", async () => {
    const [one, other] = servers(sharedStore(), 2);
    expect(await one?.take(charges(3))).toMatchObject({ allowed: true, remaining: 2 });
    expect(await one?.take(charges(3))).toMatchObject({ allowed: true, remaining: 1 });
    expect(await other?.take(charges(3))).toMatchObject({ allowed: true, remaining: 0 });
    expect(await other?.take(charges(3))).toMatchObject({ allowed: false, remaining: 0 });
    expect(await one?.take(charges(3, "another"))).toMatchObject({ allowed: true });
  });

  test("count against every limit or against none", async () => {
    const [one] = servers(sharedStore(), 1);
    const both = [{ meter: { ...hour(1), name: "day" }, subject: "org" }, ...charges(5)];
    expect(await one?.take(both)).toMatchObject({ allowed: true });
    expect(await one?.take(both)).toMatchObject({ allowed: false });
    expect(await one?.take(charges(5))).toMatchObject({ allowed: true, remaining: 3 });
  });

  test.each([90_000, -90_000])(
    "count by one clock, also where a server's own is off by %d ms",
    async (off) => {
      const store = sharedStore();
      const { clock } = fakeClock();
      const right = createLimits({ store, clock, maxSubjects: 100 });
      const wrong = createLimits({
        store: { ...store, aheadMs: () => -off },
        clock: () => clock() + off,
        maxSubjects: 100,
      });
      const minute = [{ meter: { ...hour(5), windowMs: 60_000, sliceMs: 1000 }, subject: "address" }];
      const taken: boolean[] = [];
      for (let index = 0; index < 6; index++)
        taken.push((await (index % 2 === 0 ? right : wrong).take(minute)).allowed);
      expect(taken).toEqual([true, true, true, true, true, false]);
    },
  );

  test("a store that fails fails the request, and the next one is counted", async () => {
    const inner = sharedStore();
    let isDown = true;
    const store: LimitStore = {
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

  test.if(hasPostgres)("let as many pass in PostgreSQL", async () => {
    using first = await openTestPostgres();
    using second = await openTestPostgres({ url: first.url });
    const { clock } = fakeClock();
    const all = [first, second].flatMap(({ limits }) => servers(limits, 1, clock));
    expect(await allowedOf(all, 700, 500)).toBe(500);
  });
});
