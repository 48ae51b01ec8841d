import type { Asker } from "../../answer/responder.ts";
import { AppError } from "../../errors.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { createTurns } from "./fair-order.ts";

const RETRY_SECONDS_MAX = 60;
/** What one answer is thought to take until the first one was measured. */
const HOLD_GUESS_MS = 5000;

/** What is waited for: places that one thing at a time can have. */
export interface Places<Place> {
  /** Takes one that is free and not among those to avoid; the best one for this asker. */
  take(avoid: ReadonlySet<Place>, asker: Asker): Place | undefined;
  give(place: Place, asker: Asker): void;
  /** How many there are, taken or free. */
  count(): number;
  /** Whether anyone who came now could have one at once, that is not among those to avoid. */
  isFree(avoid: ReadonlySet<Place>): boolean;
  /** Why waiting is of no use: there is none to be had, now or later. Undefined where there is. */
  problem(avoid: ReadonlySet<Place>): AppError | undefined;
}

export interface QueueOptions<Place> {
  places: Places<Place>;
  /** How many may wait for a place. */
  waitingMax: number;
  waitMaxMs: number;
  clock?: Clock;
}

/** Who waits, and how. */
export interface Wanted<Place> {
  asker: Asker;
  signal: AbortSignal;
  /** Hears the place in the line, 1 being the next to run, whenever it changes. */
  onPosition?: ((position: number) => void) | undefined;
  /** Places that are of no use: one that was had before and came to nothing. */
  avoid?: ReadonlySet<Place>;
  /** Who has had a place already, and so has waited, waits before all others. */
  again?: boolean;
  /** What is left of the longest wait. */
  waitMaxMs?: number;
}

/** The right to run, until it is released. Releasing twice is releasing once. */
export interface Slot<Place> {
  place: Place;
  waitedMs: number;
  release(): void;
}

/** One line before all places: sites take turns, and their readers do. Bounded in how many wait, and for how long. */
export interface AdmissionQueue<Place = unknown> {
  /**
   * Waits for a place. Throws `unavailable` when the line is full, the wait too long or in vain, and the signal's
   * reason when it is aborted.
   */
  acquire(wanted: Wanted<Place>): Promise<Slot<Place>>;
  /** Throws what `acquire` would throw now because the line is full, of whoever avoids these. */
  checkRoom(avoid?: ReadonlySet<Place>): void;
  /** Lets in who can now be let in: there may be other places than before. */
  admit(): void;
  state(): { running: number; waiting: number };
}

interface Waiting<Place> {
  wanted: Wanted<Place>;
  avoid: ReadonlySet<Place>;
  position: number;
  admitTo(place: Place): void;
  refuse(error: AppError): void;
}

/** A queue before some places. */
export function createQueue<Place>(options: QueueOptions<Place>): AdmissionQueue<Place> {
  const { places, waitingMax, waitMaxMs, clock = systemClock } = options;
  const turns = createTurns<Waiting<Place>>();
  let waiting = 0;
  let running = 0;
  let holdMs = HOLD_GUESS_MS;

  const grant = (place: Place, asker: Asker, waitedMs: number): Slot<Place> => {
    const since = clock();
    let held = true;
    running += 1;
    return {
      place,
      waitedMs,
      release() {
        if (!held) return;
        held = false;
        running -= 1;
        holdMs = holdMs * 0.8 + (clock() - since) * 0.2;
        places.give(place, asker);
        turns.end(asker);
        admit();
      },
    };
  };

  const admit = () => {
    if (waiting === 0) return;
    const line = turns.order();
    const before = waiting;
    for (const entry of line) {
      const { asker } = entry.wanted;
      const place = places.take(entry.avoid, asker);
      if (place !== undefined) {
        waiting -= 1;
        turns.begin(asker, entry);
        entry.admitTo(place);
        continue;
      }
      const problem = places.problem(entry.avoid);
      if (problem === undefined) continue;
      waiting -= 1;
      turns.leave(asker, entry);
      entry.refuse(problem);
    }
    announce(waiting === before ? line : turns.order());
  };
  const announce = (line: Waiting<Place>[]) => {
    for (const [index, entry] of line.entries()) {
      if (entry.position === index + 1) continue;
      entry.position = index + 1;
      entry.wanted.onPosition?.(entry.position);
    }
  };

  const refusal = (message: string) => {
    const seconds = Math.ceil((holdMs * (waiting + 1)) / Math.max(1, places.count()) / 1000);
    return new AppError("unavailable", message, {
      hint: "raise queue_length, queue_seconds or model_slots",
      retryAfterSeconds: Math.min(RETRY_SECONDS_MAX, Math.max(1, seconds)),
    });
  };
  const tooLong = () => refusal("The question waited too long for the model. Try again in a moment.");
  const checkRoom = (avoid: ReadonlySet<Place> = new Set()) => {
    if (waiting >= waitingMax && !places.isFree(avoid))
      throw refusal("Too many questions are waiting. Try again in a moment.");
  };

  const waitInLine = (wanted: Wanted<Place>, ms: number) =>
    new Promise<Slot<Place>>((resolve, reject) => {
      const { asker, signal, avoid = new Set<Place>(), again = false } = wanted;
      const since = clock();
      const leave = (reason: unknown) => {
        settle();
        waiting -= 1;
        turns.leave(asker, entry);
        announce(turns.order());
        reject(reason);
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => leave(tooLong()), ms);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const entry: Waiting<Place> = {
        wanted,
        avoid,
        position: 0,
        admitTo(place) {
          settle();
          resolve(grant(place, asker, Math.max(0, clock() - since)));
        },
        refuse(error) {
          settle();
          reject(error);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      waiting += 1;
      if (again) turns.rejoin(entry);
      else turns.join(asker, entry);
      // A place may be free without a word, because the time came when it could be used again.
      admit();
    });

  return {
    checkRoom,
    admit,
    state: () => ({ running, waiting }),
    async acquire(wanted) {
      wanted.signal.throwIfAborted();
      const ms = wanted.waitMaxMs ?? waitMaxMs;
      if (ms <= 0) throw tooLong();
      if (!wanted.again) checkRoom(wanted.avoid);
      return waitInLine(wanted, ms);
    },
  };
}

/** So many places, each as good as the other. */
export function countedPlaces(count: number): Places<"place"> {
  let taken = 0;
  return {
    take() {
      if (taken >= count) return undefined;
      taken += 1;
      return "place";
    },
    give: () => {
      taken -= 1;
    },
    count: () => count,
    isFree: () => taken < count,
    problem: () => undefined,
  };
}
