import type { Asker } from "../../answer/responder.ts";
import { AppError } from "../../errors.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { createFairOrder, type FairOrder } from "./fair-order.ts";

const RETRY_SECONDS_MAX = 60;
/** The assumed duration of an answer until one has been measured. */
const HOLD_GUESS_MS = 5000;

/** The places that a queue fills, with one question in each. */
export interface Places<Place> {
  /** Takes the best free place for this asker, except those to avoid. */
  take(avoid: ReadonlySet<Place>, asker: Asker): Place | undefined;
  give(place: Place, asker: Asker): void;
  /** The number of places, taken or free. */
  count(): number;
  /** Whether a newcomer could have a place at once, except those to avoid. */
  isFree(avoid: ReadonlySet<Place>): boolean;
  /** Why waiting is useless because no place will ever be free; undefined where one may be. */
  problem(avoid: ReadonlySet<Place>): AppError | undefined;
}

export interface QueueOptions<Place> {
  places: Places<Place>;
  /** How many may wait for a place. */
  queueLength: number;
  queueMs: number;
  clock?: Clock;
}

/** A request for a place. */
export interface WaitRequest<Place> {
  asker: Asker;
  signal: AbortSignal;
  /** Called with the position in the line, 1 being next, whenever it changes. */
  onPosition?: ((position: number) => void) | undefined;
  /** Places to avoid, such as one where the question has failed. */
  avoid?: ReadonlySet<Place>;
  /** Goes before all others, because it has waited and been served before. */
  again?: boolean;
  /** The remainder of the longest wait. */
  waitMaxMs?: number;
}

/** The right to run, until it is released. Releasing twice has no further effect. */
export interface Slot<Place> {
  place: Place;
  waitedMs: number;
  release(): void;
}

/** One fair line before all places, bounded in length and waiting time. */
export interface AdmissionQueue<Place = unknown> {
  /**
   * Waits for a place. Throws `unavailable` when the line is full or the wait too long or useless, and the
   * signal's reason when aborted.
   */
  acquire(wanted: WaitRequest<Place>): Promise<Slot<Place>>;
  /** Throws what `acquire` would throw now because the line is full, given the places to avoid. */
  checkRoom(avoid?: ReadonlySet<Place>): void;
  /** Admits those who can be served now, because the places may have changed. */
  admit(): void;
  state(): { running: number; waiting: number };
}

/** The line before the places, and those who run. */
interface Line<Place> {
  readonly places: Places<Place>;
  readonly queueLength: number;
  readonly clock: Clock;
  readonly order: FairOrder<Entry<Place>>;
  waiting: number;
  running: number;
  /** The duration of an answer, averaged over the last ones. */
  holdMs: number;
}

/** An entry in the line. */
interface Entry<Place> {
  wanted: WaitRequest<Place>;
  avoid: ReadonlySet<Place>;
  position: number;
  admitTo(place: Place): void;
  refuse(error: AppError): void;
}

export function createQueue<Place>(options: QueueOptions<Place>): AdmissionQueue<Place> {
  const { places, queueLength, queueMs, clock = systemClock } = options;
  const order = createFairOrder<Entry<Place>>();
  const line: Line<Place> = {
    places,
    queueLength,
    clock,
    order,
    waiting: 0,
    running: 0,
    holdMs: HOLD_GUESS_MS,
  };
  return {
    checkRoom: (avoid) => checkRoom(line, avoid),
    admit: () => admit(line),
    state: () => ({ running: line.running, waiting: line.waiting }),
    async acquire(wanted) {
      wanted.signal.throwIfAborted();
      const ms = wanted.waitMaxMs ?? queueMs;
      if (ms <= 0) throw tooLong(line);
      if (!wanted.again) checkRoom(line, wanted.avoid);
      return waitForPlace(line, wanted, ms);
    },
  };
}

function checkRoom<Place>(line: Line<Place>, avoid: ReadonlySet<Place> = new Set()): void {
  if (line.waiting >= line.queueLength && !line.places.isFree(avoid))
    throw refusal(line, "Too many questions are waiting. Try again in a moment.");
}

function waitForPlace<Place>(
  line: Line<Place>,
  wanted: WaitRequest<Place>,
  ms: number,
): Promise<Slot<Place>> {
  return new Promise((resolve, reject) => {
    const { asker, signal, avoid = new Set<Place>(), again = false } = wanted;
    const since = line.clock();
    const leave = (reason: unknown) => {
      settle();
      line.waiting -= 1;
      line.order.leave(asker, entry);
      announce(line.order.list());
      reject(reason);
    };
    const onAbort = () => leave(signal.reason);
    const timer = setTimeout(() => leave(tooLong(line)), ms);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    const entry: Entry<Place> = {
      wanted,
      avoid,
      position: 0,
      admitTo(place) {
        settle();
        resolve(grant(line, place, asker, Math.max(0, line.clock() - since)));
      },
      refuse(error) {
        settle();
        reject(error);
      },
    };
    signal.addEventListener("abort", onAbort, { once: true });
    line.waiting += 1;
    if (again) line.order.rejoin(entry);
    else line.order.join(asker, entry);
    // A place may have become free without notice, because a rest has ended.
    admit(line);
  });
}

/** Gives places to waiting entries, and refuses those that will never get one. */
function admit<Place>(line: Line<Place>): void {
  if (line.waiting === 0) return;
  const entries = line.order.list();
  const before = line.waiting;
  for (const entry of entries) {
    const { asker } = entry.wanted;
    const place = line.places.take(entry.avoid, asker);
    if (place !== undefined) {
      line.waiting -= 1;
      line.order.begin(asker, entry);
      entry.admitTo(place);
      continue;
    }
    const problem = line.places.problem(entry.avoid);
    if (problem === undefined) continue;
    line.waiting -= 1;
    line.order.leave(asker, entry);
    entry.refuse(problem);
  }
  announce(line.waiting === before ? entries : line.order.list());
}

/** Reports positions that have changed. */
function announce<Place>(entries: Entry<Place>[]): void {
  for (const [index, entry] of entries.entries()) {
    if (entry.position === index + 1) continue;
    entry.position = index + 1;
    entry.wanted.onPosition?.(entry.position);
  }
}

function grant<Place>(line: Line<Place>, place: Place, asker: Asker, waitedMs: number): Slot<Place> {
  const since = line.clock();
  let held = true;
  line.running += 1;
  return {
    place,
    waitedMs,
    release() {
      if (!held) return;
      held = false;
      line.running -= 1;
      line.holdMs = line.holdMs * 0.8 + (line.clock() - since) * 0.2;
      line.places.give(place, asker);
      line.order.end(asker);
      admit(line);
    },
  };
}

const tooLong = <Place>(line: Line<Place>) =>
  refusal(line, "The question waited too long for the model. Try again in a moment.");

function refusal<Place>({ holdMs, waiting, places }: Line<Place>, message: string): AppError {
  const seconds = Math.ceil((holdMs * (waiting + 1)) / Math.max(1, places.count()) / 1000);
  return new AppError("unavailable", message, {
    hint: "raise queue_length, queue_seconds or model_slots",
    retryAfterSeconds: Math.min(RETRY_SECONDS_MAX, Math.max(1, seconds)),
  });
}

/** Makes `count` equal places. */
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
