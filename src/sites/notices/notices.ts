import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import { noteConditions, toldSubjects } from "./note.ts";
import { isOfServer, type NoticeChannel, type NoticeDestination, type NoticeKind } from "./notice.ts";
import { noteSent, type SendDeps, sendDue } from "./send-due.ts";
import type { NoticeStore } from "./stores.ts";
import type { NoticeWay, Sent } from "./way.ts";

export { noticeDestinationJson } from "./json.ts";
export type { Condition, Looked } from "./note.ts";
export {
  isOfServer,
  isOnRequest,
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  type NoticeChannel,
  type NoticeDestination,
  type NoticeKind,
} from "./notice.ts";
export { noticePayloadSchema, noticeSiteSchema, payloadOf } from "./payload.ts";
export type { NoticeWay } from "./way.ts";

/** Of an organization, and of the server. */
const DESTINATIONS_MAX = 20;
const SECRET_PREFIX = "docent_whs_";
const SET_FIRST =
  "docs/notices.md says what is set first, for the server and for this command: hand_over_hosts, mail_server. docent config shows what is.";
/** What is told to whoever wants notices of a sealed server. */
export const PULLED_WHILE_SEALED =
  "Have a program inside of the network fetch what they would say: docent notices now, or GET /v1/admin/wrong-now. docs/sealed.md has an example.";

interface NoticesDeps {
  store: NoticeStore;
  ways: readonly NoticeWay[];
  /** Whether this process sends nothing at all, wherever to. */
  isSealed: boolean;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** A destination that somebody adds. */
export interface NewDestination {
  organizationId: string | undefined;
  name: string;
  channel: NoticeChannel;
  address: string;
  kinds: readonly NoticeKind[];
}

/** What is known of a destination beside what it is. */
export interface ShownDestination extends NoticeDestination {
  waiting: number;
  /** How many could not be delivered in the last thirty days. */
  givenUp: number;
  /** How the last try ended. */
  last: { isSent: boolean; says: string | undefined; at: number | undefined } | undefined;
  /** Why nothing can be sent there at the moment. */
  fault: string | undefined;
}

/** Tells people, and programs, of what needs them. */
export function createNotices(deps: NoticesDeps) {
  const { store } = deps;
  const sending: SendDeps = { ...deps, unnoted: new Map() };
  const find = async (id: string) => {
    const found = (await store.destinations()).find((each) => each.id === id);
    if (!found) throw new AppError("not_found", "Not found", { hint: "docent notices list" });
    return found;
  };

  return {
    list: () => listDestinations(deps),
    /** Raises `not_found`. */
    find,

    /** Adds a destination. Raises `invalid_request` for what nothing can be sent to, or may not be told there. */
    add: (input: NewDestination) => addDestination(deps, input),

    /** Gives one another name or other kinds. Where it leads stays: whoever may change that may as well add one. */
    async change(id: string, change: Partial<Pick<NoticeDestination, "name" | "kinds">>) {
      const changed = { ...(await find(id)), ...change };
      checkKinds(changed);
      if (!(await store.changeDestination(id, changed))) throw new AppError("not_found", "Not found");
      return changed;
    },

    async remove(id: string): Promise<void> {
      if (!(await store.removeDestination(id))) throw new AppError("not_found", "Not found");
    },

    /** Sends a sample at once, and says what came back. Nothing of it is kept. */
    try: async (id: string, signal: AbortSignal): Promise<Sent> => sendSample(deps, await find(id), signal),

    /** Whether anybody wants to be told of a kind. */
    async wants(kind: NoticeKind): Promise<boolean> {
      return (await store.destinations()).some(({ kinds }) => kinds.includes(kind));
    },

    /** Compares what was found with what is known to be wrong, and queues what is to be said of it. */
    note: noteConditions(deps),
    /** The subjects, of what was looked at, that were told of and are not over. */
    told: toldSubjects(deps),
    /** Sends what is due, until the signal. What is being sent then is not cut off, unless the server stops. */
    sendDue: (signal: AbortSignal, stops = signal) => sendDue(sending, { signal, stops }),
    /** Notes what was sent, and could not be noted then. */
    noteSent: () => noteSent(sending),
  };
}

export type Notices = ReturnType<typeof createNotices>;

async function listDestinations({ store, ways }: NoticesDeps): Promise<ShownDestination[]> {
  const records = new Map((await store.records()).map((each) => [each.destinationId, each]));
  return (await store.destinations()).map((destination) => {
    const { waiting = 0, givenUp = 0, last } = records.get(destination.id) ?? {};
    return {
      ...destination,
      waiting,
      givenUp,
      last:
        last?.triedAt === undefined
          ? undefined
          : { isSent: last.state === "sent", says: last.says, at: last.triedAt },
      fault: faultOf({ ways }, destination),
    };
  });
}

function faultOf(
  { ways }: Pick<NoticesDeps, "ways">,
  destination: Pick<NoticeDestination, "channel" | "address">,
): string | undefined {
  const way = ways.find(({ channels }) => channels.includes(destination.channel));
  return way ? way.fault(destination) : `nothing can be sent by ${destination.channel}`;
}

/** What is about the server is told to nobody but its own. */
function checkKinds({ organizationId, kinds }: Pick<NoticeDestination, "organizationId" | "kinds">): void {
  const foreign = organizationId === undefined ? undefined : kinds.find(isOfServer);
  if (foreign === undefined) return;
  throw new AppError(
    "invalid_request",
    `kinds: ${foreign} is about the server, and goes to its own destinations.`,
  );
}

async function addDestination(deps: NoticesDeps, input: NewDestination): Promise<NoticeDestination> {
  const { store, clock, ids } = deps;
  const secret = input.channel === "webhook" ? ids.secret(SECRET_PREFIX) : undefined;
  const destination = { ...input, id: ids.ulid(), secret, createdAt: clock() };
  checkKinds(destination);
  const fault = faultOf(deps, destination);
  if (fault !== undefined)
    throw new AppError("invalid_request", `address: ${fault}.`, {
      details: [{ path: "address", message: fault }],
      hint: deps.isSealed ? PULLED_WHILE_SEALED : SET_FIRST,
    });
  if (await store.addDestination(destination, DESTINATIONS_MAX)) return destination;
  throw new AppError("too_large", `There are ${DESTINATIONS_MAX} destinations already.`);
}

async function sendSample(
  { ways, clock, ids }: NoticesDeps,
  destination: NoticeDestination,
  signal: AbortSignal,
): Promise<Sent> {
  const sample = {
    id: ids.ulid(),
    kind: "test",
    state: "bad",
    site: undefined,
    title: "A notice from Docent, to try it out",
    text: `Notices for “${destination.name}” arrive here. There is nothing to do.`,
    url: undefined,
    at: clock(),
  } as const;
  const way = ways.find(({ channels }) => channels.includes(destination.channel));
  return way
    ? way.send(sample, destination, signal)
    : { isSent: false, says: `nothing can be sent by ${destination.channel}` };
}
