import { MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Metrics } from "@docent/kernel/lib/metrics";

/** How often the thread is asked: it takes some microseconds. */
const EVERY_MS = 100;
const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What a lag is measured with. */
interface LagDeps {
  /** A time that is never put back. */
  nowMs(): number;
  /** Calls again and again, as soon after each so many milliseconds as the thread is free. Returns what ends that. */
  every(ms: number, work: () => void): () => void;
}

export const systemLag: LagDeps = {
  nowMs: () => performance.now(),
  every(ms, work) {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Measures how much later than it should the thread does what is due: by so much every answer is held up. Returns its beginning. */
export function measureEventLoop(metrics: Metrics, { nowMs, every }: LagDeps): () => () => void {
  const lags = metrics.histogram({
    name: "docent_event_loop_lag_seconds",
    help: "How much later than it was due something ran, looked at ten times a second.",
    buckets: LAG_SECONDS,
  });
  /** The longest of each second of the last minute. */
  const longest = new Map<number, number>();
  metrics.reading(
    {
      name: "docent_event_loop_lag_max_seconds",
      type: "gauge",
      help: "The longest lag of the last minute.",
    },
    () => {
      forgetOld(longest, nowMs());
      return [{ labels: {}, value: Math.max(0, ...longest.values()) }];
    },
  );
  return () => {
    let lastAt = nowMs();
    return every(EVERY_MS, () => {
      const at = nowMs();
      const seconds = Math.max(0, at - lastAt - EVERY_MS) / SECOND_MS;
      lastAt = at;
      lags.observe({}, seconds);
      const second = Math.floor(at / SECOND_MS);
      longest.set(second, Math.max(seconds, longest.get(second) ?? 0));
      if (longest.size > MINUTE_MS / SECOND_MS) forgetOld(longest, at);
    });
  };
}

function forgetOld(longest: Map<number, number>, now: number): void {
  for (const second of longest.keys()) if (second * SECOND_MS < now - MINUTE_MS) longest.delete(second);
}
