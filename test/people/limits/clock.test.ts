import { expect, test } from "bun:test";
import { createLimits, type Meter } from "../../../src/people/limits/limits.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { createMemoryLimitStore } from "../../helpers/memory-limit-store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365 * 24 * HOUR_MS;
const meter: Meter = { name: "hour", windowMs: HOUR_MS, sliceMs: MINUTE_MS, limit: 3 };

function opened() {
  const { clock, advance } = fakeClock(Date.UTC(2026, 0, 1));
  const store = createMemoryLimitStore();
  const open = () => createLimits({ store, clock, maxSubjects: 100 });
  return { open, advance };
}

async function takeAll(limits: ReturnType<typeof createLimits>): Promise<number> {
  let taken = 0;
  while ((await limits.take([{ meter, subject: "org" }])).allowed) taken++;
  return taken;
}

test("a clock that was years ahead and was put right blocks nobody until then", async () => {
  const { open, advance } = opened();
  const limits = open();
  advance(4 * YEAR_MS);
  expect(await takeAll(limits)).toBe(3);
  await limits.flush();
  advance(-4 * YEAR_MS);
  expect(await takeAll(limits)).toBe(3);
  expect(await takeAll(open())).toBe(3);
});

test("a clock that goes back a little gives nothing away", async () => {
  const { open, advance } = opened();
  const limits = open();
  expect(await takeAll(limits)).toBe(3);
  advance(-2 * MINUTE_MS);
  expect(await takeAll(limits)).toBe(0);
});
