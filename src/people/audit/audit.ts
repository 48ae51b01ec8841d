import { type Clock, DAY_MS } from "@docent/kernel/lib/clock";
import { readCursor, writeCursor } from "@docent/kernel/lib/cursor";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Ids } from "@docent/kernel/lib/ids";
import { z } from "zod";
import type { AuditAbout, AuditActor, AuditEvent } from "./events.ts";
import type { AuditEntry, AuditFilter, AuditPeriod, AuditPlace, AuditStore } from "./stores.ts";

export { ACTOR_KINDS, AUDIT_KINDS, type AuditActor, type AuditEvent, type AuditKind } from "./events.ts";

/** One look: a few milliseconds in which nobody else is served. */
const LOOKED_AT_ONCE = 500;
/** What one request looks at. Who wants to see further asks on with the cursor. */
const LOOKED_AT_MAX = 20_000;
/** How many are removed in one short write. */
const REMOVED_AT_ONCE = 500;
/** A name or an address of a source may be longer, and is known from its beginning. */
const NAME_CHARACTERS_MAX = 500;

interface AuditDeps {
  store: AuditStore;
  /** Nothing can be kept: what changes something has failed before it would be. */
  isReadOnly: boolean;
  clock: Clock;
  ids: Ids;
}

/** Which part of the log is asked for. */
interface PartQuery {
  limit: number;
  cursor?: string | undefined;
}

/** The log of what was done to the server and its sites, and by whom. */
export function createAudit(deps: AuditDeps) {
  const { store, clock } = deps;
  /** What was removed by work that then failed, so that nobody was told of it. */
  let untold = 0;
  return {
    /** Keeps what was done. Called behind a change and before anyone is told that it is made. */
    async record(actor: AuditActor, event: AuditEvent): Promise<void> {
      if (!deps.isReadOnly) await store.add(entryOf(deps, actor, event));
    },

    /** A part of the log, the newest entry first. */
    list: (period: AuditPeriod, filter: AuditFilter, part: PartQuery, signal: AbortSignal) =>
      list(store, period, filter, part, signal),

    /** Every entry of a period, the oldest first. */
    entries: (period: AuditPeriod, filter: AuditFilter, signal: AbortSignal) =>
      entries(store, period, filter, signal),

    /** Removes what is older than so many days; 0 keeps everything. Returns how many entries since it last succeeded. */
    async removeOlder(days: number, signal: AbortSignal): Promise<number> {
      for (let now = -1; days > 0 && now !== 0; untold += now) {
        signal.throwIfAborted();
        now = await store.removeOlder(clock() - days * DAY_MS, REMOVED_AT_ONCE);
        await letOthersRun();
      }
      const removed = untold;
      untold = 0;
      return removed;
    },
  };
}

export type Audit = ReturnType<typeof createAudit>;

/** Keeps what a known somebody did. */
export type Recorder = (event: AuditEvent) => Promise<void>;

/** What an entry about a site says of it. */
export const aboutSite = ({ domain, organizationId }: { domain: string; organizationId: string }) =>
  ({ site: domain, organizationIds: [organizationId] }) satisfies AuditAbout;

/** What an entry about a key says of it; that of a key of the server is for owners of the server. */
export const aboutKey = ({ id, name, organizationId }: NamedKey) =>
  ({
    subject: { id, name },
    organizationIds: organizationId === undefined ? [] : [organizationId],
  }) satisfies AuditAbout;

/** A new admin key, with how far it reaches. */
export const adminKeyCreated = (key: NamedKey & { mayWrite: boolean; expiresAt: number | undefined }) =>
  ({
    kind: "admin-key.created",
    ...aboutKey(key),
    details: {
      scope: key.organizationId === undefined ? "server" : "organization",
      write: key.mayWrite,
      expires: key.expiresAt !== undefined,
    },
  }) satisfies AuditEvent;

interface NamedKey {
  id: string;
  name: string;
  organizationId: string | undefined;
}

/** What an entry about a destination of notices says of it; one of the server's is for owners of the server. */
export const aboutDestination = (destination: NamedKey) => aboutKey(destination);

/** What an entry about a member says of them: owners of every organization that they belong to may read it. */
export const aboutMember = ({ id, name, roles }: NamedMember) =>
  ({
    subject: { id, name },
    organizationIds: roles.map(({ organizationId }) => organizationId),
  }) satisfies AuditAbout;

interface NamedMember {
  id: string;
  name: string;
  roles: readonly { organizationId: string }[];
}

/** What an entry about a source says of it, besides its site. */
export const aboutSource = ({ id, location }: { id: number; location: string }) =>
  ({ subject: { id: String(id), name: location } }) satisfies AuditAbout;

function entryOf({ clock, ids }: AuditDeps, actor: AuditActor, event: AuditEvent): AuditEntry {
  const { kind, organizationIds = [], site, subject = {}, details = {} } = event;
  const [actorId, actorName] = "id" in actor ? [actor.id, actor.name] : [];
  return {
    id: ids.ulid(),
    at: clock(),
    kind,
    actorKind: actor.kind,
    actorId,
    actorName,
    organizationIds: [...new Set(organizationIds)],
    site,
    subjectId: subject.id,
    subjectName: subject.name?.slice(0, NAME_CHARACTERS_MAX).toWellFormed(),
    details,
  };
}

const placeSchema = z
  .tuple([z.int().nonnegative(), z.string().max(100)])
  .transform(([at, id]): AuditPlace => ({ at, id }));

async function list(
  store: AuditStore,
  period: AuditPeriod,
  filter: AuditFilter,
  { limit, cursor }: PartQuery,
  signal: AbortSignal,
) {
  const found: AuditEntry[] = [];
  let behind = cursor === undefined ? undefined : readCursor(placeSchema, cursor);
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += LOOKED_AT_ONCE) {
    signal.throwIfAborted();
    const more = limit + 1 - found.length;
    const look = { order: "newest", behind, limit: more, lookedAtMax: LOOKED_AT_ONCE } as const;
    const next = await store.look(period, filter, look);
    found.push(...next.found);
    if (found.length > limit) return toPart(found.slice(0, limit), found[limit - 1]);
    if (next.lookedAt === undefined) return toPart(found, undefined);
    behind = next.lookedAt;
    await letOthersRun();
  }
  return toPart(found, behind);
}

/** `last` is where the next part begins, where there may be one. */
function toPart(found: AuditEntry[], last: AuditPlace | undefined) {
  return {
    entries: found.map(auditEntryJson),
    nextCursor: last === undefined ? null : writeCursor([last.at, last.id]),
    hasMore: last !== undefined,
  };
}

async function* entries(store: AuditStore, period: AuditPeriod, filter: AuditFilter, signal: AbortSignal) {
  let behind: AuditPlace | undefined;
  do {
    signal.throwIfAborted();
    const look = { order: "oldest", behind, limit: LOOKED_AT_ONCE, lookedAtMax: LOOKED_AT_ONCE } as const;
    const { found, lookedAt } = await store.look(period, filter, look);
    yield* found;
    behind = lookedAt;
  } while (behind !== undefined);
}

/** An entry as the admin API and the CLI show it. */
export function auditEntryJson(entry: AuditEntry) {
  const { id, at, kind, actorKind, actorId, actorName, site, subjectId, subjectName, details } = entry;
  return {
    id,
    at: new Date(at).toISOString(),
    kind,
    actor: { kind: actorKind, id: actorId ?? null, name: actorName ?? null },
    site: site ?? null,
    subject: { id: subjectId ?? null, name: subjectName ?? null },
    details,
  };
}
