import { createDevices } from "../../src/people/members/devices.ts";
import { createLinks, createMembers } from "../../src/people/members/members.ts";
import { createPasswords, type Hasher } from "../../src/people/members/passwords.ts";
import { createSessions, type SignInPlace } from "../../src/people/members/sessions.ts";
import { type Attempt, createSignIn } from "../../src/people/members/sign-in.ts";
import { fakeClock } from "./fake-clock.ts";
import { addSite } from "./site-data.ts";
import { testIds } from "./test-ids.ts";
import { openTestStorage } from "./test-storage.ts";

export const PASSWORD = "correct horse battery";
export const HERE: SignInPlace = { address: "192.0.2.7", agent: "Firefox", devices: [] };
export const IDLE_MS = 3_600_000;
export const LIFETIME_MS = 10 * IDLE_MS;
export const LINK_MS = 60_000;

/** A hasher whose hashes hide nothing, which tells what it was asked for. */
export function countingHasher() {
  const asked: string[] = [];
  const hasher: Hasher = {
    async hash(password) {
      asked.push("hash");
      return `hash of ${password}`;
    },
    async verify(password, hash) {
      asked.push("verify");
      return hash === `hash of ${password}`;
    },
  };
  return { hasher, asked };
}

/** Members on a real store, with time that stands still and hashes that cost nothing. */
export async function openMembers() {
  const storage = await openTestStorage();
  await addSite(storage.sites);
  const { clock, advance } = fakeClock();
  const ids = testIds(clock);
  const { hasher, asked } = countingHasher();
  const attempts: Attempt[] = [];
  const limit = { retrySeconds: undefined as number | undefined };
  const settings = {
    member_link_seconds: LINK_MS / 1000,
    session_idle_seconds: IDLE_MS / 1000,
    session_seconds: LIFETIME_MS / 1000,
    passwords: "on" as "on" | "emergency",
    emergency_member: "",
  };
  const providers = new Set(["company"]);
  const links = createLinks({ settings, store: storage.members, clock, ids });
  const sessions = createSessions({
    settings,
    store: storage.sessions,
    isProvider: (name) => providers.has(name),
    clock,
    ids,
  });
  const devices = createDevices({ secret: "secret", clock, ids });
  const members = createMembers({ settings, store: storage.members, links, clock, ids });
  const signIn = createSignIn({
    settings,
    noteFailure() {},
    store: storage.members,
    sessions,
    links,
    passwords: createPasswords(hasher),
    devices,
    clock,
    ids,
    async countAttempt(attempt) {
      attempts.push(attempt);
      return limit.retrySeconds;
    },
  });

  /** The first owner, with the secret of the session that began. */
  async function first(name = "Ada"): Promise<string> {
    const link = await members.firstLink();
    return signIn.byLink({ link: link?.text ?? "", name, password: PASSWORD }, HERE);
  }

  return {
    storage,
    members,
    sessions,
    signIn,
    devices,
    clock,
    advance,
    asked,
    attempts,
    limit,
    settings,
    providers,
    first,
    /** Whose session a secret is. */
    who: async (secret: string | undefined) => (await sessions.authenticate(secret))?.member.name,
    [Symbol.dispose]: storage[Symbol.dispose],
  };
}
