import manifest from "../../package.json" with { type: "json" };
import type { Parts, Surroundings } from "../app.ts";
import type { Config } from "../config/settings.ts";
import { sessionCookie } from "../http/session/cookie.ts";
import type { SessionDoor } from "../http/session/operation.ts";
import type { SessionOptions } from "../http/session/routes.ts";
import { countedAddress } from "../lib/address.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Limits, Meter } from "../limits/limits.ts";
import { createLinks } from "../members/links.ts";
import { createMembers } from "../members/members.ts";
import { argon2id, createPasswords } from "../members/passwords.ts";
import { createSessions } from "../members/sessions.ts";
import { type Attempt, createSignIn } from "../members/sign-in.ts";
import type { Storage } from "../storage/storage.ts";
import { normalizeBasePath } from "./addresses.ts";
import { proxies } from "./settings.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

interface LinkParts {
  config: Config;
  storage: Pick<Storage, "members">;
  clock: Clock;
  ids: Ids;
}

const openLinks = ({ config, storage, clock, ids }: LinkParts) =>
  createLinks({ store: storage.members, clock, ids, lifetimeMs: config.member_link_seconds * SECOND_MS });

/** Members, as the CLI and a server manage them. */
export function openMembers(parts: LinkParts) {
  const { storage, clock, ids } = parts;
  return createMembers({ store: storage.members, links: openLinks(parts), clock, ids });
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
    ...{ store: storage.sessions, clock, ids },
    idleMs: config.session_idle_seconds * SECOND_MS,
    lifetimeMs: config.session_seconds * SECOND_MS,
  });
  const signIn = createSignIn({
    ...{ store: storage.members, sessions, passwords: createPasswords(argon2id), clock, ids },
    links: openLinks({ config, storage, clock, ids }),
    countAttempt: (attempt) => countAttempt(config, limits, attempt),
  });
  const basePath = normalizeBasePath(config.base_path);
  return {
    door: {
      ...{ sessions, publicUrl, isNamedHost, isProxy: proxies(config) },
      cookie: () => sessionCookie(publicUrl(), basePath, sessions.lifetimeMs),
      bodyMs: config.body_seconds * SECOND_MS,
    },
    ...{ signIn, sites, version: manifest.version },
  };
}

/** Counts against the name and the address; where one of them has no room, against none, and says when there is. */
async function countAttempt(
  config: Config,
  limits: Limits,
  { nameHash, address }: Attempt,
): Promise<number | undefined> {
  const byAddress = hourly("address-hour-sign-ins", config.address_sign_ins_per_hour);
  const byName = hourly("name-hour-sign-ins", config.name_sign_ins_per_hour);
  const { allowed, resetSeconds } = await limits.take([
    { meter: byAddress, subject: countedAddress(address) },
    ...(nameHash === undefined ? [] : [{ meter: byName, subject: nameHash }]),
  ]);
  return allowed ? undefined : resetSeconds;
}

const hourly = (name: string, limit: number): Meter => ({
  ...{ name, windowMs: HOUR_MS, sliceMs: MINUTE_MS, limit },
});
