import { type SessionDoor, type SessionOptions, sessionCookies } from "@docent/doors/session/session";
import type { SignInOptions } from "@docent/doors/sign-in/sign-in";
import type { Config } from "@docent/kernel/config/settings";
import { countedAddress, networkOf } from "@docent/kernel/lib/address";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, logFailure } from "@docent/kernel/lib/log";
import { VERSION_NUMBER } from "@docent/kernel/version";
import { type Audit, aboutMember } from "@docent/people/audit/audit";
import type { Vouchers } from "@docent/people/identity/identity";
import type { Charge, Limits, Meter } from "@docent/people/limits/limits";
import { type Attempt, type Member, openSignIn, type SignedIn } from "@docent/people/members/sign-in";
import type { Shared } from "./doors.ts";

/** The deps of the routes by which members sign in, with a password or with a provider. */
export function openSession({
  config,
  clock,
  log,
  parts,
  guard,
  readers,
  signInParts,
  basePath,
  publicUrl,
  isNamedHost,
}: Shared): { session: SessionOptions; signIn: SignInOptions } {
  const { storage, ids, people } = parts;
  const { vouchers, arrivals, proxied } = signInParts;
  // Behind the reply, which is the same at the same time whosever name was given.
  const noted = (member: Member | undefined) =>
    void setImmediate(() =>
      noteFailure(people.audit, guard.limits, member).catch((error) =>
        logFailure(log, "a failed sign-in could not be noted", error),
      ),
    );
  const { sessions, devices, signIn } = openSignIn({
    settings: config,
    store: storage.people,
    deviceSecret: people.deviceSecret,
    links: people.memberLinks,
    countAttempt: (attempt) => countAttempt(config, guard.limits, attempt),
    isProvider: (name) => vouchers.provider(name) !== undefined,
    noteFailure: noted,
    clock,
    ids,
  });
  const lifetimes = { sessionMs: sessions.lifetimeMs, deviceMs: devices.lifetimeMs };
  const door: SessionDoor = {
    sessions,
    publicUrl,
    isNamedHost,
    isProxy: guard.isProxy,
    proxied,
    ...sessionCookies(publicUrl, basePath, lifetimes),
  };
  const { audit, sites } = people;
  const common = { settings: config, vouchers, arrivals, audit, noteFailure: noted, basePath, clock, log };
  return {
    session: {
      door,
      signIn,
      devices,
      audit,
      sites,
      version: VERSION_NUMBER,
      logoutUrl: (session) => logoutUrl(vouchers, session, `${publicUrl()}/sign-in`, log),
    },
    signIn: { door, readers: readers.sessions, ...common },
  };
}

/** Where the browser goes to sign out where it signed in. Here it has signed out already, whatever the provider does. */
async function logoutUrl(
  { provider, proxy }: Vouchers,
  session: SignedIn["session"],
  returnTo: string,
  log: Log,
): Promise<string | undefined> {
  if (session === undefined) return proxy?.logoutUrl;
  const { provided } = session;
  if (provided === undefined) return undefined;
  try {
    return await provider(provided.provider)?.logoutUrl({ idToken: provided.idToken, returnTo });
  } catch (error) {
    const reason = error instanceof Error ? error.message : undefined;
    log.warn("a provider was not told of a sign-out", { provider: provided.provider, reason });
    return undefined;
  }
}

/** Strangers fill no log: of each member so many failures are listed, and as many of all names that nobody has. */
const LISTED: Meter = { name: "listed-sign-in-failures", windowMs: HOUR_MS, sliceMs: MINUTE_MS, limit: 20 };

/**
 * Keeps in the audit log that somebody could not sign in: under a member's name or under none, as what is typed for a name
 * may be a password.
 */
async function noteFailure(
  audit: Pick<Audit, "record">,
  limits: Pick<Limits, "take">,
  member: Member | undefined,
): Promise<void> {
  const { allowed, remaining } = await limits.take([{ meter: LISTED, subject: member?.id ?? "nobody" }]);
  if (!allowed) return;
  const details = { lastListed: remaining === 0 };
  const about = member === undefined ? {} : aboutMember(member);
  await audit.record({ kind: "nobody" }, { kind: "member.sign-in-failed", ...about, details });
}

/** The longest wait before the next attempt. */
const PAUSE_MS_MAX = 5 * MINUTE_MS;
/**
 * All networks together may try one name this many times as often as a single network before they are slowed
 * down.
 */
const NETWORKS = 3;

type AttemptSettings = Pick<Config, "name_sign_ins_per_hour" | "address_sign_ins_per_hour">;

/** Counts an attempt, or says how many seconds too early it is and counts nothing. */
export async function countAttempt(
  settings: AttemptSettings,
  limits: Pick<Limits, "take">,
  attempt: Attempt,
): Promise<number | undefined> {
  const { allowed, resetSeconds } = await limits.take(chargesOf(settings, attempt));
  return allowed ? undefined : resetSeconds;
}

/**
 * What slows an attempt down. A browser in which the name signed in before, and a signed-in member, are
 * slowed by their own attempts only; everyone else by those of their network under the name, all under the
 * name, and those of their address.
 */
function chargesOf(settings: AttemptSettings, attempt: Attempt): Charge[] {
  const perName = settings.name_sign_ins_per_hour;
  const perAddress = settings.address_sign_ins_per_hour;
  if (attempt.kind === "session") return [slowed("session-passwords", perName, attempt.sessionId)];
  const address = countedAddress(attempt.address);
  if (attempt.kind === "link") return [slowed("address-links", perAddress, address)];
  const { nameHash, deviceId } = attempt;
  if (deviceId !== undefined) return [slowed("device-sign-ins", perName, deviceId)];
  return [
    slowed("network-sign-ins", perName, `${nameHash} ${networkOf(attempt.address)}`),
    slowed("name-sign-ins", perName * NETWORKS, nameHash),
    slowed("address-sign-ins", perAddress, address),
  ];
}

/**
 * Allows this many attempts at once in an hour; each further one waits twice as long as the one before it.
 */
const slowed = (name: string, atOnce: number, subject: string): Charge => ({
  subject,
  meter: {
    name,
    windowMs: HOUR_MS,
    sliceMs: SECOND_MS,
    limit: atOnce === 0 ? 0 : Number.MAX_SAFE_INTEGER,
    pauseMs: (attempts) =>
      attempts < atOnce ? 0 : Math.min(PAUSE_MS_MAX, SECOND_MS * 2 ** (attempts - atOnce)),
  },
});
