import { MINUTE_MS } from "@docent/kernel/lib/clock";

interface Repeated {
  work(signal: AbortSignal): Promise<unknown>;
  everyMs: number;
  /** How soon a round that failed is made up for; later and later, while it fails again. */
  retryMs?: number | undefined;
  /** Not called for what the end of the server cuts off. */
  onFailure(error: unknown): void;
}

/**
 * Works now, and then again and again; a round that takes longer than the time between two is not begun twice. One that
 * failed does not wait for the next, which may be an hour away: a database that was away is back by then.
 */
export function repeat({ work, everyMs, retryMs = MINUTE_MS, onFailure }: Repeated) {
  const stop = new AbortController();
  const { signal } = stop;
  let working: Promise<unknown> | undefined;
  let waitMs = retryMs;
  let sooner: ReturnType<typeof setTimeout> | undefined;

  function fail(error: unknown): void {
    if (signal.aborted) return;
    onFailure(error);
    if (waitMs >= everyMs) return;
    clearTimeout(sooner);
    sooner = setTimeout(look, waitMs);
    waitMs *= 2;
  }

  function look(): void {
    working ??= work(signal)
      .then(() => {
        waitMs = retryMs;
      })
      .catch(fail)
      .finally(() => {
        working = undefined;
      });
  }
  const timer = setInterval(look, everyMs);
  look();

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      clearTimeout(sooner);
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}
