import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../src/kernel/lib/clock.ts";
import { createSteadily } from "../../../src/running/upkeep/steadily.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { testLog } from "../../helpers/test-log.ts";

const { signal } = new AbortController();

function opened() {
  const time = fakeClock();
  const { log, lines } = testLog();
  let elapsed = 0;
  let rounds = 0;
  const steadily = createSteadily({ clock: time.clock, log, elapsedMs: () => elapsed });
  const work = steadily(async () => {
    rounds++;
  });
  return {
    lines,
    advance: time.advance,
    /** An hour goes by, and what is due is done. Says whether anything was deleted. */
    async hour() {
      elapsed += HOUR_MS;
      time.advance(HOUR_MS);
      const before = rounds;
      await work(signal);
      return rounds > before;
    },
  };
}

test("a clock that is put ahead by years for less than an hour deletes nothing", async () => {
  const it = opened();
  expect(await it.hour()).toBe(true);
  it.advance(400 * DAY_MS);
  expect(await it.hour()).toBe(false);
  it.advance(-400 * DAY_MS);
  expect(await it.hour()).toBe(true);
  expect(it.lines.filter(({ event }) => String(event).includes("put ahead"))).toHaveLength(1);
});

test("one that stays there is believed an hour later, and one that is put ahead by hours at once", async () => {
  const it = opened();
  await it.hour();
  it.advance(400 * DAY_MS);
  expect([await it.hour(), await it.hour()]).toEqual([false, true]);
  it.advance(20 * HOUR_MS);
  expect(await it.hour()).toBe(true);
});
