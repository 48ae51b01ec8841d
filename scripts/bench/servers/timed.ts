import { readPeakMb } from "../process-stats.ts";

const MEMORY_POLL_MS = 50;

export async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { seconds: (performance.now() - startedAt) / 1000, value };
}

type Child = Pick<Bun.Subprocess<"ignore", "pipe">, "pid" | "stdout" | "exited">;

/** Waits for the end of a process. Returns the most memory that it took, in MB, and hears what it printed. */
export async function watchPeak(child: Child, onPrinted?: (text: string) => void): Promise<number> {
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, MEMORY_POLL_MS);
  try {
    const [printed, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    if (code !== 0) throw new Error(`docent ended with ${code}: ${printed.slice(-200)}`);
    onPrinted?.(printed);
    return peakMb;
  } finally {
    clearInterval(watch);
  }
}

/** 0 for a process that has just ended. */
function peakOf(pid: number): number {
  try {
    return readPeakMb(pid) || 0;
  } catch {
    return 0;
  }
}
