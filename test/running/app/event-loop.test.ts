import { expect, test } from "bun:test";
import { createMetrics } from "../../../src/kernel/lib/metrics.ts";
import { measureEventLoop } from "../../../src/running/app/metrics/event-loop.ts";

/** A thread whose time passes as the test says. */
function opened() {
  const metrics = createMetrics({ seriesMax: 10 });
  let now = 5_000_000;
  let work: (() => void) | undefined;
  const begin = measureEventLoop(metrics, {
    nowMs: () => now,
    every(ms, given) {
      expect(ms).toBe(100);
      work = given;
      return () => {
        work = undefined;
      };
    },
  });
  const end = begin();
  return {
    end,
    isMeasured: () => work !== undefined,
    pass(ms: number) {
      now += ms;
      work?.();
    },
    async read(name: string) {
      const text = await metrics.render();
      const line = text.split("\n").find((each) => each.startsWith(`${name} `));
      return Number(line?.slice(name.length));
    },
  };
}

const bucket = (seconds: string) => `docent_event_loop_lag_seconds_bucket{le="${seconds}"}`;

test("each look counts by how much later it came than it was due", async () => {
  const it = opened();
  for (const ms of [100, 100, 430, 99, 100]) it.pass(ms);
  expect(await it.read("docent_event_loop_lag_seconds_count")).toBe(5);
  expect([
    await it.read(bucket("0.001")),
    await it.read(bucket("0.25")),
    await it.read(bucket("0.5")),
  ]).toEqual([4, 4, 5]);
  expect(await it.read("docent_event_loop_lag_seconds_sum")).toBeCloseTo(0.33);
  it.end();
  expect(it.isMeasured()).toBe(false);
});

test("the longest lag is told for a minute, and then the next longest", async () => {
  const it = opened();
  it.pass(600);
  it.pass(300);
  expect(await it.read("docent_event_loop_lag_max_seconds")).toBe(0.5);
  for (let looks = 0; looks < 300; looks++) it.pass(100);
  it.pass(300);
  expect(await it.read("docent_event_loop_lag_max_seconds")).toBe(0.5);
  for (let looks = 0; looks < 320; looks++) it.pass(100);
  expect(await it.read("docent_event_loop_lag_max_seconds")).toBe(0.2);
  for (let looks = 0; looks < 620; looks++) it.pass(100);
  expect(await it.read("docent_event_loop_lag_max_seconds")).toBe(0);
});
