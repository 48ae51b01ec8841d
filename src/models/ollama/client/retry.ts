import { AppError } from "@docent/kernel/errors";
import { sleep } from "@docent/kernel/lib/sleep";

interface RetryOptions {
  /** How often the work may be done in all, given its failure. */
  allowed: (fault: unknown) => number;
  retryDelayMs: number;
  random: () => number;
  signal: AbortSignal;
}

/** Does work until it succeeds or may not be done again. Throws its last failure, or the signal's reason. */
export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { allowed, retryDelayMs, random, signal } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const fault = error instanceof AppError ? error.cause : error;
      if (attempt >= allowed(fault)) throw error;
      await pauseBeforeRetry(attempt, retryDelayMs, random, signal);
    }
  }
}

/** Waits before the next attempt: twice as long each time, with a random part so that callers spread out. */
async function pauseBeforeRetry(
  attempt: number,
  delayMs: number,
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  const ms = delayMs * 2 ** (attempt - 1) * (0.5 + random());
  await sleep(ms, signal);
}
