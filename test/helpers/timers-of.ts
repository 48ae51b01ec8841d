import { until } from "./until.ts";

/** Timers of one length, which are over when a test says so: by the clock they might be too early on a busy machine. */
export interface TimersOf extends Disposable {
  /** Ends those that run now, if any do. */
  end(): void;
  /** Waits for one to run, and ends it. */
  endNext(): Promise<void>;
}

/** Takes all timers of a length that nothing else has, or of one a little below it. It should be longer than any test. */
export function timersOf(ms: number, lessMax = 0): TimersOf {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const running = new Map<unknown, () => void>();
  const started = (run: (...given: unknown[]) => void, after?: number, ...given: unknown[]) => {
    const timer = set(run, after, ...given);
    if (after !== undefined && after <= ms && after >= ms - lessMax) running.set(timer, () => run(...given));
    return timer;
  };
  globalThis.setTimeout = Object.assign(started, set);
  globalThis.clearTimeout = (timer?: unknown) => {
    running.delete(timer);
    Reflect.apply(clear, globalThis, [timer]);
  };
  // One that has ended may be started again, as `refresh` does.
  const end = () => {
    for (const run of [...running.values()]) run();
  };
  return {
    end,
    async endNext() {
      await until(() => running.size > 0);
      end();
    },
    [Symbol.dispose]() {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
    },
  };
}
