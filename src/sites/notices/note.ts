import { type Clock, DAY_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import {
  isOfServer,
  type Notice,
  type NoticeDestination,
  type NoticeKind,
  type NoticeState,
} from "./notice.ts";
import type { BadSubject, NoticeStore, QueuedNotice } from "./stores.ts";

/** What is still wrong is said again after so long. */
const REPEAT_MS = DAY_MS;
/** A destination that cannot be reached for long must not fill the database. */
const WAITING_MAX = 100;

/** How something is at the moment. */
export interface Condition {
  /** What it is, among those of its kind and site. */
  subject: string;
  /** `unknown` changes nothing: as where a source is being read. What is in no list any more is forgotten. */
  state: "bad" | "well" | "unknown";
  title: string;
  text: string;
  url?: string | undefined;
  /** Whether it has happened and does not go on: it is told once, for as long as it is listed. */
  isOnce?: boolean;
  /** When it happened: a destination that was added later is not told of it. */
  happenedAt?: number;
  /** The state of its notice, where what it tells is neither wrong nor over. */
  tells?: Extract<NoticeState, "news" | "undone">;
  /** The whole of it, for programs. */
  report?: Notice["report"];
}

/** What was looked at, as a whole: one kind of a site, or of the server. */
export interface Looked {
  kind: NoticeKind;
  site: { id: number; organizationId: string; domain: string; name: string } | undefined;
}

interface NoteDeps {
  store: NoticeStore;
  clock: Clock;
  ids: Pick<Ids, "ulid">;
  log: Log;
}

/**
 * Keeps what is wrong, and queues a notice where that begins, is over, or was told of a day ago, in one write: what is
 * queued is neither lost nor queued twice by a server that ends.
 */
export const noteConditions =
  ({ store, clock, ids, log }: NoteDeps) =>
  async (looked: Looked, conditions: readonly Condition[]): Promise<void> => {
    const { kind, site } = looked;
    const now = clock();
    const known = new Map((await store.subjects(kind, site?.id)).map((each) => [each.id, each]));
    const change = compare(looked, known, conditions, now);
    if (change.bad.length + change.over.length === 0) return;
    const destinations = (await store.destinations()).filter((each) => isFor(each, looked));
    const queued = change.said.flatMap((condition) =>
      destinations
        .filter(({ createdAt }) => condition.happenedAt === undefined || createdAt < condition.happenedAt)
        .map((destination) => queue(condition, destination, { looked, now, id: ids.ulid() })),
    );
    const leftOut = await store.note(change, queued, WAITING_MAX);
    if (leftOut > 0)
      log.warn("notices were left out: too many wait at their destination", { kind, notices: leftOut });
  };

/** What is known of what was looked at. What of it is not listed when that is noted next is forgotten. */
export const toldSubjects =
  ({ store }: Pick<NoteDeps, "store">) =>
  async (looked: Looked): Promise<ReadonlySet<string>> => {
    const known = await store.subjects(looked.kind, looked.site?.id);
    return new Set(known.map(({ id }) => id.slice(idOf(looked, "").length)));
  };

const idOf = ({ kind, site }: Looked, subject: string) => `${kind}:${site?.id ?? "server"}:${subject}`;

function compare(
  looked: Looked,
  known: ReadonlyMap<string, BadSubject>,
  conditions: readonly Condition[],
  now: number,
): { bad: BadSubject[]; over: string[]; said: Condition[] } {
  const bad: BadSubject[] = [];
  const said: Condition[] = [];
  const listed = new Set<string>();
  const over: string[] = [];
  for (const condition of conditions) {
    const id = idOf(looked, condition.subject);
    const before = known.get(id);
    listed.add(id);
    if (condition.state === "well" && before !== undefined) {
      over.push(id);
      said.push(condition);
    }
    // A clock that was set back must not silence it.
    const isTold =
      before !== undefined && (condition.isOnce === true || Math.abs(now - before.toldAt) < REPEAT_MS);
    if (condition.state === "bad" && !isTold) {
      bad.push({ id, kind: looked.kind, siteId: looked.site?.id, since: before?.since ?? now, toldAt: now });
      said.push(condition);
    }
  }
  return { bad, over: [...over, ...[...known.keys()].filter((id) => !listed.has(id))], said };
}

/** An organization is told of its own sites alone, and the server's own people of everything. */
function isFor({ organizationId, kinds }: NoticeDestination, { kind, site }: Looked): boolean {
  if (!kinds.includes(kind)) return false;
  if (organizationId === undefined) return true;
  return !isOfServer(kind) && site?.organizationId === organizationId;
}

function queue(
  { state, title, text, url, tells, report }: Condition,
  { id: destinationId }: NoticeDestination,
  { looked, now, id }: { looked: Looked; now: number; id: string },
): QueuedNotice {
  const { kind, site } = looked;
  const notice: Notice = {
    id,
    kind,
    state: tells ?? (state === "well" ? "well" : "bad"),
    site: site && { domain: site.domain, name: site.name },
    title,
    text,
    url,
    at: now,
    ...(report === undefined ? {} : { report }),
  };
  return {
    id,
    destinationId,
    notice,
    madeAt: now,
    tries: 0,
    nextTryAt: now,
    state: "waiting",
    says: undefined,
    triedAt: undefined,
  };
}
