import manifest from "../../../package.json" with { type: "json" };
import { type SessionOptions, sessionCookies } from "../../http/session/session.ts";
import { openSignIn } from "../../members/sign-in.ts";
import type { Shared } from "./doors.ts";
import { countAttempt } from "./sign-in-attempts.ts";

/** The deps of the sign-in routes. */
export function openSession({
  config,
  clock,
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
    sites: people.sites,
    version: manifest.version,
  };
}
