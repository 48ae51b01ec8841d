import type { Clock } from "@docent/kernel/lib/clock";
import type { AdmissionQueue } from "../queue/queue.ts";

/** Knows when readers ask, so that work in the background gives way to them. */
export interface Arrivals {
  /** Somebody asks: everyone who listens is told at once. */
  begin(): void;
  /** Somebody has been served, or has left. */
  end(at: number): void;
  /** How long nobody has asked and nobody was being served. */
  quietMs(at: number): number;
  /** Calls `onAsked` as soon as somebody asks. Disposing of what is returned ends that. */
  listen(onAsked: () => void): Disposable;
}

export function createArrivals(): Arrivals {
  const listeners = new Set<() => void>();
  let present = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      present += 1;
      for (const tell of listeners) tell();
    },
    end(at) {
      present -= 1;
      lastAt = at;
    },
    quietMs: (at) => (present > 0 ? 0 : at - lastAt),
    listen(onAsked) {
      listeners.add(onAsked);
      return { [Symbol.dispose]: () => void listeners.delete(onAsked) };
    },
  };
}

/** The queue, whose askers are those who arrive. */
export function withArrivals<Place>(
  queue: AdmissionQueue<Place>,
  arrivals: Arrivals,
  clock: Clock,
): AdmissionQueue<Place> {
  return {
    ...queue,
    async acquire(wanted) {
      arrivals.begin();
      let isHere = true;
      const leave = () => {
        if (isHere) arrivals.end(clock());
        isHere = false;
      };
      try {
        const slot = await queue.acquire(wanted);
        return {
          ...slot,
          release() {
            slot.release();
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
