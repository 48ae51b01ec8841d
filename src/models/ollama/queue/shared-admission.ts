import type { ModelLine, ModelTicket, SharedTicket } from "@docent/answering/answer/model-line";
import { type AppError, toAppError } from "@docent/kernel/errors";
import type { Log } from "@docent/kernel/lib/log";
import { type Admission, announce, type Entry } from "./admission.ts";
import { assignPlaces, inTurn, isPlaceFree } from "./assign.ts";
import type { SharedPlaces } from "./queue.ts";

/** How often who waits looks whether it was served: what frees a place is another server's affair. */
const LOOK_MS = 100;
/** How long it waits after a look that failed: twice as long each time, where nobody waits for the next one. */
const PAUSE_MS = 1000;
const PAUSE_MS_MAX = 10_000;

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
  /** How often somebody came or left here, and how much of that the line was told. */
  changes: number;
  toldChanges: number;
}

/** Gives places in a fair order to all who wait, on whichever server. */
export function createSharedAdmission<Place>(options: SharedAdmissionOptions<Place>): Admission<Place> {
  const state: State<Place> = {
    ...options,
    present: new Map(),
    lastNumber: 0,
    seen: [],
    changes: 0,
    toldChanges: 0,
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
      state.changes += 1;
      void look();
    },
    leave(entry) {
      remove(state, entry);
      void look();
    },
  };
}

const NOBODY = { siteId: 0, reader: "" };

const hasWaiting = <Place>({ present }: State<Place>) =>
  [...present.values()].some(({ address }) => address === undefined);

function remove<Place>(state: State<Place>, entry: Entry<Place>): void {
  if (state.present.delete(entry)) state.changes += 1;
}

const waitingIn = (tickets: readonly SharedTicket[]) =>
  tickets.filter(({ address, endedAt }) => address === undefined && endedAt === undefined);

/**
 * Looks at the line now, and again as long as somebody waits, or the line was not told who is here: the others keep a place
 * for whoever they know of. One look at a time. What it returns resolves when the line has been looked at, or could not be.
 */
function createLooking<Place>(state: State<Place>): () => Promise<void> {
  let looking: Promise<void> | undefined;
  let isWanted = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    clearTimeout(timer);
    let hasFailed = false;
    while (isWanted && !hasFailed) {
      isWanted = false;
      try {
        if (await exchange(state)) isWanted = true;
        failures = 0;
      } catch (error) {
        refuseNewcomers(state, error);
        failures += 1;
        hasFailed = true;
      }
    }
    looking = undefined;
    const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (failures - 1));
    if (hasWaiting(state)) timer = setTimeout(want, hasFailed ? PAUSE_MS : LOOK_MS);
    else if (state.toldChanges !== state.changes) timer = setTimeout(want, pauseMs);
    timer?.unref();
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
  const { changes } = state;
  const tickets = await state.line.update(
    told.map((each) => ticketOf(state, each)),
    assignPlaces,
  );
  state.seen = tickets;
  state.toldChanges = changes;
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
function refuseTheHopeless<Place>(state: State<Place>): void {
  for (const { entry, address } of [...state.present.values()]) {
    const problem = address === undefined ? state.places.problem(entry.avoid) : undefined;
    if (problem === undefined) continue;
    remove(state, entry);
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
    // The server of the place cannot answer any more: the place is given back, and another one waited for.
    present.number = ++state.lastNumber;
    state.changes += 1;
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
      remove(state, entry);
      entry.refuse(state.tooMany());
    } else here.push({ entry, position });
  }
  announce(here);
}

/** Newcomers are told what is wrong; those who wait go on waiting. */
function refuseNewcomers<Place>(state: State<Place>, error: unknown): void {
  state.log.debug("the line before the models cannot be read", { error });
  for (const { entry, isKnown } of [...state.present.values()]) {
    if (isKnown) continue;
    remove(state, entry);
    entry.refuse(toAppError(error));
  }
}
