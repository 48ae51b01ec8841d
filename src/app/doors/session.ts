import manifest from "../../../package.json" with { type: "json" };
import { type SessionOptions, sessionCookies } from "../../http/session/session.ts";
import { SECOND_MS } from "../../lib/clock.ts";
import { createDevices } from "../../members/devices.ts";
import { argon2id, createPasswords } from "../../members/passwords.ts";
import { createSessions } from "../../members/sessions.ts";
import { createSignIn } from "../../members/sign-in.ts";
import type { Shared } from "./doors.ts";
import { countAttempt } from "./sign-in-attempts.ts";

/** What members sign in with. */
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
  const sessions = createSessions({
    store: storage.people.sessions,
    clock,
    ids,
    idleMs: config.session_idle_seconds * SECOND_MS,
    lifetimeMs: config.session_seconds * SECOND_MS,
  });
  const devices = createDevices({
    secret: storage.meta.getOrAdd("device_secret", () => ids.key("")),
    clock,
    ids,
  });
  const signIn = createSignIn({
    store: storage.people.members,
    sessions,
    passwords: createPasswords(argon2id),
    devices,
    clock,
    ids,
    links: people.memberLinks,
    countAttempt: (attempt) => countAttempt(config, guard.limits, attempt),
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
      bodyMs: config.body_seconds * SECOND_MS,
    },
    signIn,
    devices,
    sites: people.sites,
    version: manifest.version,
  };
}
