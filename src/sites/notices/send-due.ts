import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { NoticeDestination } from "./notice.ts";
import type { NoticeStore, NoticeTry, QueuedNotice } from "./stores.ts";
import type { NoticeWay, Sent } from "./way.ts";

/** How long is waited after each try that failed. After the last one it is given up. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
/** The most notices that are sent in one round; the next is a minute away. */
const SENT_AT_ONCE = 100;
/** How long what was sent, or given up, can still be looked at. */
const KEPT_MS = 30 * DAY_MS;
const REMOVED_AT_ONCE = 500;

export interface SendDeps {
  store: NoticeStore;
  ways: readonly NoticeWay[];
  clock: Clock;
  log: Log;
  /** How tries ended that could not be noted, by their notices: the database was away by then. */
  unnoted: Map<string, NoticeTry>;
}

/** What ends a round. */
interface Round {
  /** Nothing more is sent: the server stops, or another one sends now. */
  signal: AbortSignal;
  /** What is being sent is cut off, too. The other side may have it by then. */
  stops: AbortSignal;
}

/** Sends what is due, one after the other. */
export async function sendDue(deps: SendDeps, { signal, stops }: Round): Promise<void> {
  const { store, clock } = deps;
  await noteSent(deps);
  const due = await store.due(clock(), SENT_AT_ONCE);
  const destinations = new Map((await store.destinations()).map((each) => [each.id, each]));
  // One that did not answer is not waited for again and again in one round.
  const silent = new Set<string>();
  for (const queued of due) {
    signal.throwIfAborted();
    const destination = destinations.get(queued.destinationId);
    if (destination === undefined || silent.has(destination.id)) continue;
    if (!(await sendOne(deps, queued, destination, stops))) silent.add(destination.id);
  }
  await store.removeOlder(clock() - KEPT_MS, REMOVED_AT_ONCE);
}

/** Notes how tries ended. What is not noted in time is sent again. */
export async function noteSent({ store, unnoted }: SendDeps): Promise<void> {
  for (const [id, outcome] of unnoted) {
    await store.setTry(id, outcome);
    unnoted.delete(id);
  }
}

async function sendOne(
  deps: SendDeps,
  queued: QueuedNotice,
  destination: NoticeDestination,
  stops: AbortSignal,
): Promise<boolean> {
  const { store, ways, clock, log } = deps;
  const tries = queued.tries + 1;
  // Noted first: a server that is killed while it sends tries again later, and not at once.
  await store.setTry(queued.id, after(tries, clock(), { isSent: false, says: "the server ended meanwhile" }));
  const way = ways.find(({ channels }) => channels.includes(destination.channel));
  const sent = way
    ? await way.send(queued.notice, destination, stops)
    : { isSent: false, says: `nothing can be sent by ${destination.channel}` };
  if (!sent.isSent && stops.aborted) {
    // A delivery that this server cut off is no try.
    await store.setTry(queued.id, queued);
    stops.throwIfAborted();
  }
  const outcome = after(tries, clock(), sent);
  const about = { destination: destination.name, kind: queued.notice.kind, says: sent.says, tries };
  if (sent.isSent) log.debug("a notice was sent", about);
  else log.warn(outcome.state === "failed" ? "a notice was given up" : "a notice could not be sent", about);
  deps.unnoted.set(queued.id, outcome);
  await noteSent(deps);
  return sent.isSent;
}

function after(tries: number, now: number, { isSent, says }: Sent): NoticeTry {
  const waitMs = isSent ? undefined : WAITS_MS[tries - 1];
  return {
    tries,
    state: isSent ? "sent" : waitMs === undefined ? "failed" : "waiting",
    nextTryAt: waitMs === undefined ? undefined : now + waitMs,
    says,
    triedAt: now,
  };
}
