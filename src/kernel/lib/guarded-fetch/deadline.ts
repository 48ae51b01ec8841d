import { FetchFault } from "./fetch-fault.ts";

/** One abort for a whole fetch: the caller's or a timeout's. */
export interface Deadline {
  signal: AbortSignal;
  /** Restarts the idle timeout, because something came. */
  progress(): void;
  /** The promise's value, unless the abort comes first. */
  race<T>(promise: Promise<T>): Promise<T>;
  end(): void;
}

/** Watches one fetch until `end`. */
export function createDeadline(signal: AbortSignal, bounds: { totalMs: number; idleMs: number }): Deadline {
  const controller = new AbortController();
  const late = (what: string, ms: number) =>
    setTimeout(() => controller.abort(new FetchFault("timeout", `${what} ${ms / 1000} seconds`)), ms);
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const nothingCame = () => late("nothing came for", bounds.idleMs);
  const total = late("it was not complete after", bounds.totalMs);
  let idle = nothingCame();
  return {
    signal: controller.signal,
    progress() {
      clearTimeout(idle);
      idle = nothingCame();
    },
    async race(promise) {
      // After an abort nobody else waits for it, and a failure that nobody looks at would end the process.
      promise.catch(() => {});
      controller.signal.throwIfAborted();
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const give = () => reject(controller.signal.reason);
      controller.signal.addEventListener("abort", give, { once: true });
      try {
        return await Promise.race([promise, aborted]);
      } finally {
        controller.signal.removeEventListener("abort", give);
      }
    },
    end() {
      clearTimeout(idle);
      clearTimeout(total);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
