import { type Log, logFailure } from "../../lib/log.ts";

/** Waits for all writes, whichever fail: at the end, what they are written to is closed after them. Each failure is logged. */
export async function allWritten(log: Log, writes: readonly Promise<unknown>[]): Promise<void> {
  for (const write of await Promise.allSettled(writes))
    if (write.status === "rejected") logFailure(log, "counts could not be written", write.reason);
}
