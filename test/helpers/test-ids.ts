import type { Clock } from "../../src/kernel/lib/clock.ts";
import { createIds, type Ids, type RandomBytes } from "../../src/kernel/lib/ids.ts";
import { TEST_TIME } from "./fake-clock.ts";

/** Bytes that count up from 1: never the same ones twice, and the same ones in every run. */
export function countingBytes(): RandomBytes {
  let next = 0;
  return (count) => {
    const bytes = new Uint8Array(count);
    next++;
    new DataView(bytes.buffer).setUint32(count - 4, next);
    return bytes;
  };
}

/** Ids that are the same in every run. */
export function testIds(clock: Clock = () => TEST_TIME): Ids {
  return createIds(clock, countingBytes());
}
