import type { OllamaFault } from "./faults.ts";

/** One abort for a whole call: the caller's, or that of the clock that runs now. */
export interface Watch {
  signal: AbortSignal;
  limit(ms: number, fault: () => OllamaFault): void;
  pause(): void;
  end(): void;
}

/** Watches one call until `end`. */
export function createWatch(signal: AbortSignal): Watch {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const pause = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    pause,
    limit(ms, fault) {
      pause();
      timer = setTimeout(() => controller.abort(fault()), ms);
    },
    end() {
      pause();
      signal.removeEventListener("abort", onAbort);
      if (!controller.signal.aborted) controller.abort(new DOMException("The call is over", "AbortError"));
    },
  };
}
