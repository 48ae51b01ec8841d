import manifest from "../../package.json" with { type: "json" };
import type { Parts, Surroundings } from "../app.ts";
import type { Config } from "../config/settings.ts";
import { deviceCookie, sessionCookie } from "../http/session/cookie.ts";
import type { SessionDoor } from "../http/session/guard.ts";
import { SESSION_PREFIX, type SessionOptions } from "../http/session/session.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Limits } from "../limits/limits.ts";
import { createDevices } from "../members/devices.ts";
import { createLinks } from "../members/links.ts";
import { createMembers } from "../members/members.ts";
import { argon2id, createPasswords } from "../members/passwords.ts";
import { createSessions } from "../members/sessions.ts";
import { createSignIn } from "../members/sign-in.ts";
import type { Storage } from "../storage/storage.ts";
import { normalizeBasePath } from "./addresses.ts";
import { countAttempt } from "./doors/sign-in-attempts.ts";
import { proxies } from "./settings.ts";

const SECOND_MS = 1000;

interface LinkParts {
  config: Config;
  storage: Pick<Storage, "people">;
  clock: Clock;
  ids: Ids;
}

const openLinks = ({ config, storage, clock, ids }: LinkParts) =>
  createLinks({
    store: storage.people.members,
    clock,
    ids,
    lifetimeMs: config.member_link_seconds * SECOND_MS,
  });

/** Members, as the CLI and a server manage them. */
export function openMembers(parts: LinkParts) {
  const { storage, clock, ids } = parts;
  return createMembers({ store: storage.people.members, links: openLinks(parts), clock, ids });
}

interface Doors extends Pick<SessionDoor, "publicUrl" | "isNamedHost"> {
  limits: Limits;
}

/** What a server signs members in with. */
export function openSignIn(
  { config, clock }: Surroundings,
  { storage, ids, sites }: Pick<Parts, "storage" | "ids" | "sites">,
  { limits, publicUrl, isNamedHost }: Doors,
): SessionOptions {
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
    links: openLinks({ config, storage, clock, ids }),
    countAttempt: (attempt) => countAttempt(config, limits, attempt),
  });
  const basePath = normalizeBasePath(config.base_path);
  return {
    door: {
      sessions,
      publicUrl,
      isNamedHost,
      isProxy: proxies(config),
      cookie: () => sessionCookie(publicUrl(), basePath, sessions.lifetimeMs),
      devices: () => deviceCookie(publicUrl(), `${basePath}${SESSION_PREFIX}`, devices.lifetimeMs),
      bodyMs: config.body_seconds * SECOND_MS,
    },
    signIn,
    devices,
    sites,
    version: manifest.version,
  };
}
