import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { createLastUses, type LastUses } from "@docent/kernel/lib/last-uses";
import { hashSecret } from "@docent/kernel/lib/secrets";
import type { Identity } from "../identity/identity.ts";
import type { EndedAtProvider, ReaderSession, ReaderSessionStore } from "./stores.ts";

const SECRET_PREFIX = "docent_rse_";
const SECRET_PATTERN = /^docent_rse_[1-9A-HJ-NP-Za-km-z]{33}$/;
/** How far apart the uses are that are written down. */
const USE_MS = MINUTE_MS;
/** How many sessions a reader may have: the oldest ends where there would be more. */
const SESSIONS_PER_READER_MAX = 50;

/** The settings it reads, under their own names. */
interface ReaderSessionSettings {
  /** How long a session lasts at all. */
  reader_session_seconds: number;
  /** How long it lasts without being used. */
  reader_session_idle_seconds: number;
}

interface ReaderSessionsDeps {
  settings: ReaderSessionSettings;
  store: ReaderSessionStore;
  clock: Clock;
  ids: Ids;
}

/** How a reader has signed in. */
interface SignedInWith {
  /** The name of the provider. */
  provider: string;
  /** What the provider calls its own session; undefined where it does not say. */
  sid?: string | undefined;
  /** When the provider wants it to end, where that is sooner. */
  expiresAt?: number | undefined;
}

/** What can be done with the sessions of readers. */
export function createReaderSessions(deps: ReaderSessionsDeps) {
  const { settings, store, clock, ids } = deps;
  const uses = createLastUses((each) => store.touch(each));
  const lifetimeMs = settings.reader_session_seconds * SECOND_MS;

  /** The session, if it goes on. */
  function going(found: ReaderSession | undefined): ReaderSession | undefined {
    if (found === undefined || hasEnded(deps, uses, found)) return undefined;
    const now = clock();
    if (now - lastUseOf(uses, found) >= USE_MS) uses.note(found.id, now);
    return found;
  }

  return {
    lifetimeMs,
    /** Begins a session. What it returns is for the reader's browser alone. */
    async begin(identity: Identity, { provider, sid, expiresAt }: SignedInWith): Promise<string> {
      const secret = ids.key(SECRET_PREFIX);
      const now = clock();
      const session: ReaderSession = {
        id: ids.ulid(),
        identity,
        provider,
        sid,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: Math.min(now + lifetimeMs, expiresAt ?? Number.POSITIVE_INFINITY),
      };
      const usedAfter = usedAfterOf(deps);
      await store.add(session, hashSecret(secret), { most: SESSIONS_PER_READER_MAX, now, usedAfter });
      return secret;
    },
    /** The session of a browser; undefined for a secret that is unknown or whose session has ended. */
    async authenticate(secret: string | undefined): Promise<ReaderSession | undefined> {
      if (secret === undefined || !SECRET_PATTERN.test(secret)) return undefined;
      return going(await store.find(hashSecret(secret)));
    },
    /** The session of that id, which opens nothing by itself: for what the server has signed with it. */
    ofId: async (id: string) => going(await store.findById(id)),
    end: (id: string) => store.end(id),
    /** Ends what a provider has ended. Returns how many sessions there were. */
    async endOf(ended: EndedAtProvider): Promise<number> {
      const namesSome = ended.sid !== undefined || ended.subject !== undefined;
      return namesSome ? store.endOf(ended) : 0;
    },
    /** Writes down when sessions were last used. */
    flush: uses.flush,
  };
}

export type ReaderSessions = ReturnType<typeof createReaderSessions>;

const usedAfterOf = ({ settings, clock }: ReaderSessionsDeps) =>
  clock() - settings.reader_session_idle_seconds * SECOND_MS;

function hasEnded(deps: ReaderSessionsDeps, uses: LastUses, session: ReaderSession): boolean {
  const now = deps.clock();
  // A session that was made or used while the clock was ahead would last until then.
  const isAhead = Math.max(session.createdAt, lastUseOf(uses, session)) > now + DAY_MS;
  return isAhead || session.expiresAt <= now || lastUseOf(uses, session) <= usedAfterOf(deps);
}

const lastUseOf = (uses: LastUses, { id, lastUsedAt }: ReaderSession) =>
  Math.max(lastUsedAt, uses.of(id) ?? 0);
