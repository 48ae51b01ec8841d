import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { createLastUses, type LastUses } from "@docent/kernel/lib/last-uses";
import { hashSecret } from "@docent/kernel/lib/secrets";
import type { Member } from "./member.ts";
import { mayHavePassword, type PasswordSettings } from "./password-rule.ts";
import type { ProvidedSession, Session, SessionBounds, SessionProof, SessionStore } from "./stores.ts";

const SECRET_PREFIX = "docent_ses_";
const SECRET_PATTERN = /^docent_ses_[1-9A-HJ-NP-Za-km-z]{33}$/;
/** How far apart the uses are that are written down. */
const USE_MS = MINUTE_MS;
/** How many sessions a member may have: the oldest ends where there would be more. */
const SESSIONS_PER_MEMBER_MAX = 50;
const AGENT_CHARACTERS_MAX = 300;

/** The browser and address that a member signs in from. */
export interface SignInPlace {
  address: string;
  agent: string;
  /** The tokens by which the browser is known from before. */
  devices: readonly string[];
}

/** The member who is signed in, and the session of their browser; a proxy that signs in has none. */
export interface SignedIn {
  session: Session | undefined;
  member: Member;
}

/** The settings it reads, under their own names. */
export interface SessionSettings extends PasswordSettings {
  /** How long a session lasts without being used. */
  session_idle_seconds: number;
  /** How long it lasts at all. */
  session_seconds: number;
}

interface SessionsDeps {
  settings: SessionSettings;
  store: SessionStore;
  /** Whether the sign-in file names that provider: sessions by one that it names no more have ended. */
  isProvider(name: string): boolean;
  clock: Clock;
  ids: Ids;
}

/** How a session begins: by a password, or by a provider. */
type Beginning = SessionProof & { provided?: ProvidedSession };

/** What can be done with sessions. */
export function createSessions(deps: SessionsDeps) {
  const { settings, store } = deps;
  const uses = createLastUses((each) => store.touch(each));
  return {
    lifetimeMs: settings.session_seconds * SECOND_MS,
    /** Begins a session. Undefined where the member, or what they came by, has gone meanwhile. */
    begin: (memberId: string, beginning: Beginning, place: SignInPlace) =>
      begin(deps, memberId, beginning, place),
    /** Who a secret was given to; undefined for one that is unknown or has ended. */
    authenticate: (secret: string | undefined) => authenticate(deps, uses, secret),
    async list(memberId: string): Promise<Session[]> {
      return (await store.list(memberId)).filter((session) => !hasEnded(deps, uses, session));
    },
    end: (memberId: string, id: string) => store.end(memberId, id),
    /** Ends those that a provider has ended. */
    endProvided: store.endProvided,
    /** Writes down when sessions were last used. */
    flush: uses.flush,
  };
}

export type Sessions = ReturnType<typeof createSessions>;

async function begin(
  deps: SessionsDeps,
  memberId: string,
  { provided, ...proof }: Beginning,
  { address, agent }: SignInPlace,
): Promise<string | undefined> {
  const { store, clock, ids } = deps;
  const secret = ids.key(SECRET_PREFIX);
  const session: Session = {
    id: ids.ulid(),
    memberId,
    createdAt: clock(),
    lastUsedAt: clock(),
    address,
    agent: agent.slice(0, AGENT_CHARACTERS_MAX),
    provided,
  };
  const given = { proof, most: SESSIONS_PER_MEMBER_MAX, bounds: boundsOf(deps) };
  return (await store.add(session, hashSecret(secret), given)) ? secret : undefined;
}

async function authenticate(
  deps: SessionsDeps,
  uses: LastUses,
  secret: string | undefined,
): Promise<SignedIn | undefined> {
  if (secret === undefined || !SECRET_PATTERN.test(secret)) return undefined;
  const found = await deps.store.find(hashSecret(secret));
  if (!found || hasEnded(deps, uses, found.session)) return undefined;
  const { session, member } = found;
  if (session.provided === undefined && !mayHavePassword(deps.settings, member.name)) return undefined;
  const now = deps.clock();
  if (now - lastUseOf(uses, session) >= USE_MS) uses.note(session.id, now);
  return found;
}

function hasEnded(deps: SessionsDeps, uses: LastUses, session: Session): boolean {
  const { createdAfter, usedAfter, now } = boundsOf(deps);
  const { provided } = session;
  if (provided !== undefined && (provided.endsAt <= now || !deps.isProvider(provided.provider))) return true;
  // A session that was made or used while the clock was ahead would last until then.
  const isAhead = Math.max(session.createdAt, lastUseOf(uses, session)) > now + DAY_MS;
  return isAhead || session.createdAt <= createdAfter || lastUseOf(uses, session) <= usedAfter;
}

const boundsOf = ({ settings, clock }: SessionsDeps): SessionBounds => ({
  createdAfter: clock() - settings.session_seconds * SECOND_MS,
  usedAfter: clock() - settings.session_idle_seconds * SECOND_MS,
  now: clock(),
});

const lastUseOf = (uses: LastUses, { id, lastUsedAt }: Session) => Math.max(lastUsedAt, uses.of(id) ?? 0);

/** A session as its member is shown it. */
export function sessionJson(
  { id, createdAt, lastUsedAt, address, agent }: Session,
  currentId: string | undefined,
) {
  return {
    id,
    isCurrent: id === currentId,
    address,
    agent,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
  };
}
