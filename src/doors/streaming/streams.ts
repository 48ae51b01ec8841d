import { AppError } from "@docent/kernel/errors";
import type { Streams } from "./answering.ts";

/** Streams that are being read, for a server that wants to stop. */
export interface OpenStreams extends Streams {
  count(): number;
  /** Waits until all have ended, at most so long; then ends those that are left. */
  drain(milliseconds: number): Promise<void>;
}

/** Told to readers who are still there: to them an answer that just ends looks finished. */
const STOPPING = "The server is stopping. Please ask again in a moment.";
/** How long answers that were told to end may take to be stored. */
const STORING_MS = 2000;

export function createStreams(): OpenStreams {
  const open = new Set<AbortController>();
  let whenEmpty: (() => void) | undefined;

  async function emptyWithin(milliseconds: number): Promise<void> {
    if (open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    whenEmpty = resolve;
    const timer = setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
  }

  return {
    add(abort) {
      open.add(abort);
      return () => {
        open.delete(abort);
        if (open.size === 0) whenEmpty?.();
      };
    },
    count: () => open.size,
    async drain(milliseconds) {
      await emptyWithin(milliseconds);
      for (const abort of open) abort.abort(new AppError("unavailable", STOPPING));
      await emptyWithin(STORING_MS);
    },
  };
}
