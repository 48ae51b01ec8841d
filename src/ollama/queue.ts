import { AppError } from "../errors.ts";
import { type Clock, systemClock } from "../lib/clock.ts";

const RETRY_SECONDS_MAX = 60;
/** What one answer is thought to take until the first one was measured. */
const HOLD_GUESS_MS = 5000;

export interface QueueOptions {
  /** How many may run at the same time. */
  slots: number;
  /** How many may wait for a slot. */
  waitingMax: number;
  waitMaxMs: number;
  clock?: Clock;
}

/** The right to run, until it is released. Releasing twice is releasing once. */
export interface Slot {
  waitedMs: number;
  release(): void;
}

/** First come, first served, with a bound on how many wait and for how long. */
export interface AdmissionQueue {
  /**
   * Waits for a slot. `onPosition` hears the place in the line, 1 being the next to run, whenever it changes.
   * Throws `unavailable` when the line is full or the wait too long, and the signal's reason when it is aborted.
   */
  acquire(signal: AbortSignal, onPosition?: (position: number) => void): Promise<Slot>;
  /** Throws what `acquire` would throw now because the line is full. */
  checkRoom(): void;
  state(): { running: number; waiting: number };
}

interface Waiting {
  admit(): void;
  onPosition: ((position: number) => void) | undefined;
}

/** A queue for one thing that can do only so much at once. */
export function createQueue({
  slots,
  waitingMax,
  waitMaxMs,
  clock = systemClock,
}: QueueOptions): AdmissionQueue {
  const line: Waiting[] = [];
  let running = 0;
  let holdMs = HOLD_GUESS_MS;

  const grant = (waitedMs: number): Slot => {
    const since = clock();
    let held = true;
    return {
      waitedMs,
      release() {
        if (!held) return;
        held = false;
        holdMs = holdMs * 0.8 + (clock() - since) * 0.2;
        running -= 1;
        admitNext();
      },
    };
  };
  const admitNext = () => {
    if (running >= slots) return;
    const next = line.shift();
    if (next === undefined) return;
    running += 1;
    next.admit();
    announce(0);
  };
  const announce = (from: number) => {
    for (const [index, waiting] of line.entries()) if (index >= from) waiting.onPosition?.(index + 1);
  };
  const refuse = (message: string) => {
    const seconds = Math.ceil((holdMs * (line.length + 1)) / slots / 1000);
    return new AppError("unavailable", message, {
      hint: "raise queue_length, queue_seconds or model_slots",
      retryAfterSeconds: Math.min(RETRY_SECONDS_MAX, Math.max(1, seconds)),
    });
  };

  const checkRoom = () => {
    if (running >= slots && line.length >= waitingMax) {
      throw refuse("Too many questions are waiting. Try again in a moment.");
    }
  };

  return {
    checkRoom,
    state: () => ({ running, waiting: line.length }),
    async acquire(signal, onPosition) {
      signal.throwIfAborted();
      if (running < slots) {
        running += 1;
        return grant(0);
      }
      checkRoom();
      return new Promise<Slot>((resolve, reject) => {
        const since = clock();
        const leave = (reason: unknown) => {
          settle();
          const index = line.indexOf(entry);
          line.splice(index, 1);
          announce(index);
          reject(reason);
        };
        const onAbort = () => leave(signal.reason);
        const timer = setTimeout(
          () => leave(refuse("The question waited too long for the model. Try again in a moment.")),
          waitMaxMs,
        );
        const settle = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
        };
        const entry: Waiting = {
          onPosition,
          admit: () => {
            settle();
            resolve(grant(Math.max(0, clock() - since)));
          },
        };
        signal.addEventListener("abort", onAbort, { once: true });
        line.push(entry);
        onPosition?.(line.length);
      });
    },
  };
}
