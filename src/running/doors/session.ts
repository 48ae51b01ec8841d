import { type SessionDoor, type SessionOptions, sessionCookies } from "@docent/doors/session/session";
import type { SignInOptions } from "@docent/doors/sign-in/sign-in";
import { type Log, logFailure } from "@docent/kernel/lib/log";
import { VERSION_NUMBER } from "@docent/kernel/version";
import type { Vouchers } from "@docent/people/identity/identity";
import { type Member, openSignIn, type SignedIn } from "@docent/people/members/sign-in";
import type { Shared } from "./doors.ts";
import { countAttempt } from "./sign-in-attempts.ts";
import { noteFailure } from "./sign-in-failures.ts";

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
