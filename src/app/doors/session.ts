import manifest from "../../../package.json" with { type: "json" };
import { type SessionOptions, sessionCookies } from "../../http/session/session.ts";
import { logFailure } from "../../lib/log.ts";
import { openSignIn } from "../../members/sign-in.ts";
import type { Shared } from "./doors.ts";
import { countAttempt } from "./sign-in-attempts.ts";
import { noteFailure } from "./sign-in-failures.ts";

/** The deps of the sign-in routes. */
export function openSession({
  config,
  clock,
  log,
  parts,
  guard,
  basePath,
  publicUrl,
  isNamedHost,
}: Shared): SessionOptions {
  const { storage, ids, people } = parts;
  const { sessions, devices, signIn } = openSignIn({
    settings: config,
    store: storage.people,
    deviceSecret: people.deviceSecret,
    links: people.memberLinks,
    countAttempt: (attempt) => countAttempt(config, guard.limits, attempt),
    // Behind the reply, which is the same at the same time whosever name was given.
    noteFailure: (member) =>
      void setImmediate(() =>
        noteFailure(people.audit, guard.limits, member).catch((error) =>
          logFailure(log, "a failed sign-in could not be noted", error),
        ),
      ),
    clock,
    ids,
  });
  return {
    door: {
      sessions,
      publicUrl,
      isNamedHost,
      isProxy: guard.isProxy,
      ...sessionCookies(publicUrl, basePath, {
        sessionMs: sessions.lifetimeMs,
        deviceMs: devices.lifetimeMs,
      }),
    },
    signIn,
    devices,
    audit: people.audit,
    sites: people.sites,
    version: manifest.version,
  };
}
