import { expect, test } from "bun:test";
import { lockWaitMs, whileLocked } from "../../../../src/finding/search/keyword-index/while-locked.ts";
import { memorySegmentStore } from "../../../helpers/memory-segment-store.ts";
import { SITE, signal } from "./random-passages.ts";

/** When the lock is asked for, where it is held for good. */
function askedAt(untilMs: number): number[] {
  const asked: number[] = [];
  for (let at = 0; at < untilMs; at += lockWaitMs(at)) asked.push(at);
  return asked;
}

test("who waits for an index asks often at first, and then once a second", () => {
  expect(askedAt(250)).toEqual([0, 50, 100, 150, 200]);
  const minute = askedAt(60_000);
  expect(minute.length).toBeLessThan(85);
  // Nobody waits for much longer than it takes.
  for (const [index, at] of minute.slice(1).entries())
    expect(at - (minute[index] ?? 0)).toBeLessThanOrEqual(Math.min(1000, Math.max(50, at / 4)));
});

test("the lock of an index that another writer has is asked for less and less often, and taken", async () => {
  const { store } = memorySegmentStore(new Map());
  const held = await store.lock(SITE);
  let asked = 0;
  const counted = {
    ...store,
    lock: (siteId: number) => {
      asked += 1;
      return store.lock(siteId);
    },
  };
  const working = whileLocked(counted, SITE, signal, async () => "done");
  await Bun.sleep(1500);
  await held?.release();
  expect(await working).toBe("done");
  // A machine that has much to do asks less often still.
  expect(asked).toBeLessThan(18);
});

test("who is told to stop does so while waiting", async () => {
  const { store } = memorySegmentStore(new Map());
  const held = await store.lock(SITE);
  const stop = new AbortController();
  const working = whileLocked(store, SITE, stop.signal, async () => "done");
  stop.abort(new Error("stopped"));
  await expect(working).rejects.toThrow("stopped");
  await held?.release();
});
