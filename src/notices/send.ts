import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { NoticeDestination } from "./notice.ts";
import type { NoticeStore, NoticeTry, QueuedNotice } from "./stores.ts";
import type { NoticeWay, Sent } from "./way.ts";

/** How long is waited after each try that failed. After the last one it is given up. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
/** So many are sent in one round; the next is a minute away. */
const SENT_AT_ONCE = 100;
/** How long what was sent, or given up, can still be looked at. */
const KEPT_MS = 30 * DAY_MS;
const REMOVED_AT_ONCE = 500;

export interface SendDeps {
  store: NoticeStore;
  ways: readonly NoticeWay[];
  clock: Clock;
  log: Log;
}

/** Sends what is due, one after the other. */
export async function sendDue(deps: SendDeps, signal: AbortSignal): Promise<void> {
  const { store, clock } = deps;
  const due = await store.due(clock(), SENT_AT_ONCE);
  const destinations = new Map((await store.destinations()).map((each) => [each.id, each]));
  // One that did not answer is not waited for again and again in one round.
  const silent = new Set<string>();
  for (const queued of due) {
    signal.throwIfAborted();
    const destination = destinations.get(queued.destinationId);
    if (destination === undefined || silent.has(destination.id)) continue;
    if (!(await sendOne(deps, queued, destination, signal))) silent.add(destination.id);
  }
  await store.removeOlder(clock() - KEPT_MS, REMOVED_AT_ONCE);
}

async function sendOne(
  { store, ways, clock, log }: SendDeps,
  queued: QueuedNotice,
  destination: NoticeDestination,
  signal: AbortSignal,
): Promise<boolean> {
  const tries = queued.tries + 1;
  // Noted first: a server that is killed while it sends tries again later, and not at once.
  await store.setTry(queued.id, after(tries, clock(), { isSent: false, says: "the server ended meanwhile" }));
  const way = ways.find(({ channels }) => channels.includes(destination.channel));
  const sent = way
    ? await way.send(queued.notice, destination, signal)
    : { isSent: false, says: `nothing can be sent by ${destination.channel}` };
  if (!sent.isSent && signal.aborted) {
    // It was cut off by this server, and is no try.
    await store.setTry(queued.id, queued);
    signal.throwIfAborted();
  }
  const outcome = after(tries, clock(), sent);
  await store.setTry(queued.id, outcome);
  const about = { destination: destination.name, kind: queued.notice.kind, says: sent.says, tries };
  if (sent.isSent) log.debug("a notice was sent", about);
  else log.warn(outcome.state === "failed" ? "a notice was given up" : "a notice could not be sent", about);
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
