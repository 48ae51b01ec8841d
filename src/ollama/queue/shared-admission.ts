import type { ModelLine, ModelTicket, SharedTicket } from "../../answer/model-line.ts";
import { type AppError, toAppError } from "../../errors.ts";
import type { Log } from "../../lib/log.ts";
import { type Admission, announce, type Entry } from "./admission.ts";
import { assignPlaces, inTurn, isPlaceFree } from "./assign.ts";
import type { SharedPlaces } from "./queue.ts";

/** How often who waits looks whether it was served: what frees a place is another server's affair. */
const LOOK_MS = 100;
/** With nobody here, the line is told so again so many times; then the next who comes tells it. */
const FAILURES_MAX = 60;
/** How long it waits after a look that failed. */
const PAUSE_MS = 1000;

interface SharedAdmissionOptions<Place> {
  places: SharedPlaces<Place>;
  /** How many may wait in the whole line. */
  queueLength: number;
  line: ModelLine;
  /** What somebody is told for whom there is no room. */
  tooMany(): AppError;
  log: Log;
}

/** One who waits here, or has a place. */
interface Present<Place> {
  number: number;
  entry: Entry<Place>;
  /** Where it is served; undefined while it waits. */
  address: string | undefined;
  /** The line knows of it. */
  isKnown: boolean;
}

interface State<Place> extends SharedAdmissionOptions<Place> {
  present: Map<Entry<Place>, Present<Place>>;
  lastNumber: number;
  /** The line as it was seen last. */
  seen: readonly SharedTicket[];
}

/** Gives places in a fair order to all who wait, on whichever server. */
export function createSharedAdmission<Place>(options: SharedAdmissionOptions<Place>): Admission<Place> {
  const state: State<Place> = {
    ...options,
    present: new Map(),
    lastNumber: 0,
    seen: [],
  };
  const look = createLooking(state);
  return {
    admit() {
      if (hasWaiting(state)) void look();
    },
    async isFull(avoid) {
      // What was seen while nobody waited here is old.
      if (!hasWaiting(state)) await look();
      if (waitingIn(state.seen).length < state.queueLength) return false;
      const choices = state.places.choices(avoid, NOBODY).map(({ choice }) => choice);
      return !isPlaceFree(state.seen, choices);
    },
    join(entry) {
      state.lastNumber += 1;
      state.present.set(entry, { number: state.lastNumber, entry, address: undefined, isKnown: false });
      void look();
    },
    leave(entry) {
      state.present.delete(entry);
      void look();
    },
  };
}

const NOBODY = { siteId: 0, reader: "" };

const hasWaiting = <Place>({ present }: State<Place>) =>
  [...present.values()].some(({ address }) => address === undefined);

const waitingIn = (tickets: readonly SharedTicket[]) =>
  tickets.filter(({ address, endedAt }) => address === undefined && endedAt === undefined);

/**
 * Looks at the line now, and again as long as somebody waits: one look at a time. What it returns resolves when the line has
 * been looked at, or could not be.
 */
function createLooking<Place>(state: State<Place>): () => Promise<void> {
  let looking: Promise<void> | undefined;
  let isWanted = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    clearTimeout(timer);
    let pauseMs: number | undefined;
    while (isWanted && pauseMs === undefined) {
      isWanted = false;
      try {
        if (await exchange(state)) isWanted = true;
        failures = 0;
      } catch (error) {
        pauseMs = failed(state, error);
        failures += 1;
      }
    }
    looking = undefined;
    if (state.present.size === 0 && failures > FAILURES_MAX) return;
    if (pauseMs === undefined && !hasWaiting(state)) return;
    timer = setTimeout(want, pauseMs ?? LOOK_MS);
    timer.unref();
  }

  function want(): Promise<void> {
    isWanted = true;
    looking ??= look();
    return looking;
  }

  return want;
}

/** Tells the line who is here, and serves those whose turn it is. Returns whether somebody it was told of is here no more. */
async function exchange<Place>(state: State<Place>): Promise<boolean> {
  refuseTheHopeless(state);
  const told = [...state.present.values()];
  const tickets = await state.line.update(
    told.map((each) => ticketOf(state, each)),
    assignPlaces,
  );
  state.seen = tickets;
  const own = new Map(tickets.filter(({ isOwn }) => isOwn).map((ticket) => [ticket.number, ticket]));
  for (const present of told) admitAsAgreed(state, present, own.get(present.number)?.address);
  tellPositions(state, told);
  for (const present of told) present.isKnown = true;
  return told.some(({ entry }) => !state.present.has(entry));
}

const ticketOf = <Place>(state: State<Place>, { number, entry, address }: Present<Place>): ModelTicket => {
  const { asker, again = false } = entry.wanted;
  const choices = state.places.choices(entry.avoid, asker).map(({ choice }) => choice);
  // Readers are told apart by their address: it is not handed on as it is.
  const reader = Bun.hash(asker.reader).toString(36);
  return { number, asker: { ...asker, reader }, again, choices, address };
};

/** Refuses those for whom no place will ever be free. */
function refuseTheHopeless<Place>({ present, places }: State<Place>): void {
  for (const { entry, address } of [...present.values()]) {
    const problem = address === undefined ? places.problem(entry.avoid) : undefined;
    if (problem === undefined) continue;
    present.delete(entry);
    entry.refuse(problem);
  }
}

function admitAsAgreed<Place>(
  state: State<Place>,
  present: Present<Place>,
  address: string | undefined,
): void {
  const { entry } = present;
  // Who has left meanwhile gives its place back with the next look.
  if (address === undefined || present.address !== undefined || !state.present.has(entry)) return;
  const found = state.places
    .choices(entry.avoid, entry.wanted.asker)
    .find(({ choice }) => choice.address === address);
  if (found === undefined) {
    // That server cannot answer any more: the place is given back, and another one waited for.
    present.number = ++state.lastNumber;
    return;
  }
  present.address = address;
  state.places.takeThis(found.place);
  entry.admitTo(found.place);
}

/** Tells those who wait where they stand, and refuses newcomers for whom the line is too long. */
function tellPositions<Place>(state: State<Place>, told: readonly Present<Place>[]): void {
  const waiting = inTurn(state.seen).filter(({ address }) => address === undefined);
  const own = waiting
    .map((ticket, index) => ({ ...ticket, position: index + 1 }))
    .filter(({ isOwn }) => isOwn);
  const positions = new Map(own.map(({ number, position }) => [number, position]));
  const here: { entry: Entry<Place>; position: number }[] = [];
  for (const { entry, number, isKnown } of told) {
    const position = state.present.has(entry) ? positions.get(number) : undefined;
    if (position === undefined) continue;
    if (position > state.queueLength && !isKnown && !entry.wanted.again) {
      state.present.delete(entry);
      entry.refuse(state.tooMany());
    } else here.push({ entry, position });
  }
  announce(here);
}

/** Newcomers are told what is wrong; those who wait go on waiting. Returns when to look again. */
function failed<Place>(state: State<Place>, error: unknown): number {
  state.log.debug("the line before the models cannot be read", { error });
  for (const { entry, isKnown } of [...state.present.values()]) {
    if (isKnown) continue;
    state.present.delete(entry);
    entry.refuse(toAppError(error));
  }
  return PAUSE_MS;
}
