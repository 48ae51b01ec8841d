import { describe, expect, test } from "bun:test";
import { createLimits } from "../../../src/people/limits/limits.ts";
import type { Attempt } from "../../../src/people/members/sign-in.ts";
import { countAttempt } from "../../../src/running/doors/session.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { createMemoryLimitStore } from "../../helpers/memory-limit-store.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const SETTINGS = { name_sign_ins_per_hour: 10, address_sign_ins_per_hour: 120 };

function opened(settings = SETTINGS) {
  const { clock, advance } = fakeClock(Date.UTC(2026, 0, 1));
  const limits = createLimits({ store: createMemoryLimitStore(), clock, maxSubjects: 100_000 });
  const attempt = (given: Attempt) => countAttempt(settings, limits, given);
  const from = (address: string, nameHash = "ada", deviceId?: string) =>
    attempt({ kind: "password", nameHash, address, deviceId });
  const many = async (count: number, one: (index: number) => Promise<number | undefined>) => {
    const waits: (number | undefined)[] = [];
    for (let index = 0; index < count; index++) waits.push(await one(index));
    return waits;
  };
  /** How many attempts somebody gets through who comes back whenever they may, for so long. */
  const untiring = async (milliseconds: number, one: () => Promise<number | undefined>) => {
    let taken = 0;
    for (const end = clock() + milliseconds; clock() < end; ) {
      const wait = await one();
      if (wait === undefined) taken++;
      else advance(wait * SECOND_MS);
    }
    return taken;
  };
  return { attempt, from, many, untiring, advance, clock };
}

/** Another network at each call. */
function networks() {
  let next = 0;
  return () => `10.${(next >> 8) & 255}.${next++ & 255}.1`;
}

describe("attempts to sign in under one name", () => {
  test("from one network are slowed down there, and nowhere else", async () => {
    const it = opened();
    expect(await it.many(10, (at) => it.from(`192.0.2.${at}`))).toEqual(Array(10).fill(undefined));
    expect(await it.from("192.0.2.200")).toBeWithin(1, 3);
    expect(await it.from("198.51.100.1")).toBeUndefined();
    const ipv6 = (end: string) => it.from(`2001:db8:0:1::${end}`);
    await it.many(10, (at) => ipv6(String(at)));
    expect([await ipv6("ffff"), await it.from("2001:db8:0:2::1")]).toEqual([expect.any(Number), undefined]);
  });

  test("wait longer each time, and never longer than five minutes", async () => {
    const it = opened();
    await it.many(10, () => it.from("192.0.2.1"));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const wait = (await it.from("192.0.2.1")) ?? 0;
      waits.push(wait);
      it.advance(wait * SECOND_MS);
      expect(await it.from("192.0.2.1")).toBeUndefined();
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect([waits[0], waits.at(-1)]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(waits[0]).toBeLessThanOrEqual(2);
    expect(waits.at(-1)).toBeWithin(300, 302);
  });

  test("by somebody untiring in one network do not slow down the other networks", async () => {
    const it = opened();
    expect(await it.untiring(24 * HOUR_MS, () => it.from("192.0.2.1"))).toBeLessThan(24 * 30);
    expect(await it.from("198.51.100.1")).toBeUndefined();
  });

  test("from however many networks are bounded all together", async () => {
    const it = opened();
    const network = networks();
    expect(await it.untiring(HOUR_MS, () => it.from(network()))).toBeLessThan(60);
    expect(await it.untiring(24 * HOUR_MS, () => it.from(network()))).toBeLessThan(24 * 50);
  });

  test("from many networks keep nobody waiting who signed in from the same browser before, or who is signed in", async () => {
    const it = opened();
    const network = networks();
    await it.many(1000, () => it.from(network()));
    await it.many(1000, () => it.from("192.0.2.1"));
    expect(await it.from("203.0.113.1")).toBeWithin(1, 301);
    expect(await it.from("192.0.2.1", "ada", "device")).toBeUndefined();
    expect(await it.attempt({ kind: "session", sessionId: "s" })).toBeUndefined();
    expect(await it.from("203.0.113.1", "bob")).toBeUndefined();
  });

  test("are bounded in a known browser and in a session as well, each by itself", async () => {
    const it = opened();
    const device = (id: string) => it.from("192.0.2.1", "ada", id);
    const session = (sessionId: string) => it.attempt({ kind: "session", sessionId });
    for (const one of [device, session]) {
      expect((await it.many(11, () => one("a"))).filter((wait) => wait !== undefined)).toHaveLength(1);
      expect(await one("b")).toBeUndefined();
    }
    expect(await it.untiring(HOUR_MS, () => device("c"))).toBeLessThan(35);
  });
});

describe("attempts from one address", () => {
  test("are slowed down whatever the names", async () => {
    const it = opened();
    await it.many(120, (at) => it.from("192.0.2.1", `name${at}`));
    expect(await it.from("192.0.2.1", "another")).toBeWithin(1, 3);
    expect(await it.from("192.0.2.2", "another")).toBeUndefined();
  });

  test("with links that open nothing are slowed down too, and slow no sign-in down", async () => {
    const it = opened();
    const link = () => it.attempt({ kind: "link", address: "192.0.2.1" });
    expect((await it.many(121, link)).filter((wait) => wait !== undefined)).toHaveLength(1);
    expect(await it.from("192.0.2.1")).toBeUndefined();
  });
});

test("0 is no limit", async () => {
  const it = opened({ name_sign_ins_per_hour: 0, address_sign_ins_per_hour: 0 });
  expect(await it.many(500, () => it.from("192.0.2.1"))).toEqual(Array(500).fill(undefined));
});
