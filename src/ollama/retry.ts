/** Waits before the attempt that follows this one: twice as long each time, and never the same for two callers. */
export async function pauseBeforeRetry(
  attempt: number,
  delayMs: number,
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  const ms = delayMs * 2 ** (attempt - 1) * (0.5 + random());
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
