import type { ModelChoice, ModelLine } from "@docent/answering/answer/model-line";
import type { Asker } from "@docent/answering/answer/responder";
import { AppError } from "@docent/kernel/errors";
import { type Clock, systemClock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { Admission, Counts, Entry } from "./admission.ts";
import { createOwnAdmission } from "./own-admission.ts";
import { createSharedAdmission } from "./shared-admission.ts";

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

/** Places that others fill as well: who gets which is agreed on with them. */
export interface SharedPlaces<Place> extends Places<Place> {
  /** What could serve this asker, except those to avoid: the best first of those of a rank. */
  choices(avoid: ReadonlySet<Place>, asker: Asker): { place: Place; choice: ModelChoice }[];
  /** Takes this place, which was agreed on. */
  takeThis(place: Place): void;
}

export interface QueueOptions<Place> {
  places: Places<Place>;
  /** How many may wait for a place. */
  queueLength: number;
  queueMs: number;
  clock?: Clock;
}

interface SharedQueueOptions<Place> extends Omit<QueueOptions<Place>, "places"> {
  places: SharedPlaces<Place>;
  line: ModelLine;
  log: Log;
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
  checkRoom(avoid?: ReadonlySet<Place>): Promise<void>;
  /** Admits those who can be served now, because the places may have changed. */
  admit(): void;
  state(): { running: number; waiting: number };
}

/** The line before the places, and those who run. */
interface Line<Place> extends Counts {
  readonly places: Places<Place>;
  readonly clock: Clock;
  readonly admission: Admission<Place>;
}

const noneYet = (): Counts => ({ waiting: 0, running: 0, holdMs: HOLD_GUESS_MS });

/** One line before places that nobody else fills. */
export function createQueue<Place>(options: QueueOptions<Place>): AdmissionQueue<Place> {
  const { places, queueLength, clock = systemClock } = options;
  const counts = noneYet();
  const admission = createOwnAdmission({
    places,
    queueLength,
    counts,
    tooMany: () => tooMany(counts, places),
  });
  return openQueue(Object.assign(counts, { places, clock, admission }), options.queueMs);
}

/** One line before places that others fill, too: those who wait there wait in the same line. */
export function createSharedQueue<Place>(options: SharedQueueOptions<Place>): AdmissionQueue<Place> {
  const { places, queueLength, line, log, clock = systemClock } = options;
  const counts = noneYet();
  const admission = createSharedAdmission({
    places,
    queueLength,
    line,
    log,
    tooMany: () => tooMany(counts, places),
  });
  return openQueue(Object.assign(counts, { places, clock, admission }), options.queueMs);
}

function openQueue<Place>(line: Line<Place>, queueMs: number): AdmissionQueue<Place> {
  return {
    async checkRoom(avoid = new Set()) {
      if (await line.admission.isFull(avoid)) throw tooMany(line, line.places);
    },
    admit: () => line.admission.admit(),
    state: () => ({ running: line.running, waiting: line.waiting }),
    async acquire(wanted) {
      wanted.signal.throwIfAborted();
      const ms = wanted.waitMaxMs ?? queueMs;
      if (ms <= 0) throw tooLong(line, line.places);
      return waitForPlace(line, wanted, ms);
    },
  };
}

function waitForPlace<Place>(
  line: Line<Place>,
  wanted: WaitRequest<Place>,
  ms: number,
): Promise<Slot<Place>> {
  return new Promise((resolve, reject) => {
    const { signal, avoid = new Set<Place>() } = wanted;
    const since = line.clock();
    const leave = (reason: unknown) => {
      settle();
      line.admission.leave(entry);
      reject(reason);
    };
    const onAbort = () => leave(signal.reason);
    const timer = setTimeout(() => leave(tooLong(line, line.places)), ms);
    const settle = () => {
      line.waiting -= 1;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    const entry: Entry<Place> = {
      wanted,
      avoid,
      position: 0,
      admitTo(place) {
        settle();
        resolve(grant(line, { entry, place, waitedMs: Math.max(0, line.clock() - since) }));
      },
      refuse(error) {
        settle();
        reject(error);
      },
    };
    signal.addEventListener("abort", onAbort, { once: true });
    line.waiting += 1;
    line.admission.join(entry);
  });
}

function grant<Place>(
  line: Line<Place>,
  { entry, place, waitedMs }: { entry: Entry<Place>; place: Place; waitedMs: number },
): Slot<Place> {
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
      line.places.give(place, entry.wanted.asker);
      line.admission.leave(entry, place);
    },
  };
}

const tooMany = (counts: Counts, places: Pick<Places<unknown>, "count">) =>
  refusal(counts, places, "Too many questions are waiting. Try again in a moment.");

const tooLong = (counts: Counts, places: Pick<Places<unknown>, "count">) =>
  refusal(counts, places, "The question waited too long for the model. Try again in a moment.");

function refusal(
  { holdMs, waiting }: Counts,
  places: Pick<Places<unknown>, "count">,
  message: string,
): AppError {
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
