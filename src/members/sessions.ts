import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { hashSecret } from "../lib/secrets.ts";
import type { Member } from "./member.ts";

const SECRET_PREFIX = "docent_ses_";
const SECRET_PATTERN = /^docent_ses_[1-9A-HJ-NP-Za-km-z]{33}$/;
/** A use is written down when the last one that was is older than this. */
const USE_MS = 60_000;
/** The oldest of a member's sessions ends where there would be more. */
const SESSIONS_PER_MEMBER_MAX = 50;
const AGENT_CHARACTERS_MAX = 300;

/** A browser that is signed in. */
export interface Session {
  id: string;
  memberId: string;
  createdAt: number;
  lastUsedAt: number;
  address: string;
  /** What the browser calls itself. */
  agent: string;
}

/** Where somebody signs in from. */
export interface Place {
  address: string;
  agent: string;
  /** The tokens by which the browser is known from before. */
  devices: readonly string[];
}

/** Sessions that began, or were used, before these moments have ended. */
export interface SessionBounds {
  createdAfter: number;
  usedAfter: number;
}

/** Keeps sessions, by the hash of their secrets. */
export interface SessionStore {
  /**
   * Adds a session, ends all of the member beyond `most`, and removes those that ended by themselves. False where the
   * member's password is not that one any more.
   */
  add(
    session: Session,
    secretHash: string,
    given: { passwordHash: string; most: number; bounds: SessionBounds },
  ): Promise<boolean>;
  find(secretHash: string): Promise<{ session: Session; member: Member } | undefined>;
  /** The member's, the last used one first. */
  list(memberId: string): Promise<Session[]>;
  /** False where the member has none of that id. */
  end(memberId: string, id: string): Promise<boolean>;
  /** Remembers when sessions, and so their members, were last seen. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** Who is signed in, and in which browser. */
export interface SignedIn {
  session: Session;
  member: Member;
}

/** What can be done with sessions. */
export function createSessions(deps: {
  store: SessionStore;
  clock: Clock;
  ids: Ids;
  /** How long one lasts without being used, and how long at all. */
  idleMs: number;
  lifetimeMs: number;
}) {
  const { store, clock, ids, idleMs, lifetimeMs } = deps;
  const used = new Map<string, number>();
  const bounds = (): SessionBounds => ({ createdAfter: clock() - lifetimeMs, usedAfter: clock() - idleMs });

  function hasEnded({ id, createdAt, lastUsedAt }: Session): boolean {
    const { createdAfter, usedAfter } = bounds();
    return createdAt <= createdAfter || Math.max(lastUsedAt, used.get(id) ?? 0) <= usedAfter;
  }

  return {
    lifetimeMs,

    /** Begins a session of a member whose password is that. Undefined where it has been changed meanwhile. */
    async begin(
      memberId: string,
      passwordHash: string,
      { address, agent }: Place,
    ): Promise<string | undefined> {
      const secret = ids.key(SECRET_PREFIX);
      const session: Session = {
        id: ids.ulid(),
        memberId,
        createdAt: clock(),
        lastUsedAt: clock(),
        address,
        agent: agent.slice(0, AGENT_CHARACTERS_MAX),
      };
      const given = { passwordHash, most: SESSIONS_PER_MEMBER_MAX, bounds: bounds() };
      return (await store.add(session, hashSecret(secret), given)) ? secret : undefined;
    },

    /** Who a secret was given to; undefined for one that is unknown or has ended. */
    async authenticate(secret: string | undefined): Promise<SignedIn | undefined> {
      if (secret === undefined || !SECRET_PATTERN.test(secret)) return undefined;
      const found = await store.find(hashSecret(secret));
      if (!found || hasEnded(found.session)) return undefined;
      const { session } = found;
      const now = clock();
      if (now - Math.max(session.lastUsedAt, used.get(session.id) ?? 0) >= USE_MS) used.set(session.id, now);
      return found;
    },

    async list(memberId: string): Promise<Session[]> {
      return (await store.list(memberId)).filter((session) => !hasEnded(session));
    },

    end: (memberId: string, id: string) => store.end(memberId, id),

    /** Writes down when sessions were last used. */
    async flush(): Promise<void> {
      if (used.size === 0) return;
      const uses = new Map(used);
      used.clear();
      await store.touch(uses);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
