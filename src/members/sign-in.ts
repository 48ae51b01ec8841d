import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { hashSecret } from "../lib/secrets.ts";
import type { Devices } from "./devices.ts";
import { type createLinks, endedLink } from "./links.ts";
import { type Member, nameKeyOf } from "./member.ts";
import type { Passwords } from "./passwords.ts";
import type { Place, Sessions, SignedIn } from "./sessions.ts";
import type { MemberStore, StoredLink } from "./stores.ts";

/** An attempt that is counted, by what may be slowed down for it and for nobody else. */
export type Attempt =
  /** A name and a password. The name is a hash: what is typed for one may be a password. */
  | { kind: "password"; nameHash: string; address: string; deviceId: string | undefined }
  /** A link that opens nothing. */
  | { kind: "link"; address: string }
  /** The present password, by who is signed in. */
  | { kind: "session"; sessionId: string };

/** What a link is for. */
export type LinkPurpose = "first" | "invited" | "reset";

export interface SignInDeps {
  store: MemberStore;
  sessions: Sessions;
  links: ReturnType<typeof createLinks>;
  passwords: Passwords;
  devices: Devices;
  /** Counts an attempt. Where there were too many: the seconds until the next one. */
  countAttempt(attempt: Attempt): Promise<number | undefined>;
  clock: Clock;
  ids: Ids;
}

/** Signs members in: by name and password, or by a link. Each gives the secret of a new session. */
export function createSignIn(deps: SignInDeps) {
  const { store, sessions, links, passwords, devices, clock, ids } = deps;

  /** Before any work is done, so that an attempt too many is refused alike with a right password and with a wrong one. */
  async function checkAttempt(attempt: Attempt): Promise<void> {
    const retryAfterSeconds = await deps.countAttempt(attempt);
    if (retryAfterSeconds === undefined) return;
    const wait = retryAfterSeconds === 1 ? "a second" : `${retryAfterSeconds} seconds`;
    throw new AppError("rate_limited", `Too many attempts to sign in. Please try again in ${wait}.`, {
      retryAfterSeconds,
    });
  }

  /** A link that works is never counted: nobody guesses one. */
  async function findLink(text: string, { address }: Place): Promise<StoredLink> {
    try {
      return await links.find(text);
    } catch (error) {
      await checkAttempt({ kind: "link", address });
      throw error;
    }
  }

  async function describe(link: StoredLink): Promise<{ purpose: LinkPurpose; name: string | undefined }> {
    if (link.memberId === undefined)
      return (await store.hasServerOwner()) ? endedLink() : { purpose: "first", name: undefined };
    const member = (await store.find(link.memberId)) ?? endedLink();
    return { purpose: member.isActive ? "reset" : "invited", name: member.name };
  }

  async function makeFirstOwner(link: StoredLink, name: string, passwordHash: string): Promise<string> {
    const owner: Member = {
      id: ids.ulid(),
      name,
      isServerOwner: true,
      roles: [],
      isActive: true,
      createdAt: clock(),
      lastSeenAt: undefined,
    };
    return (await store.redeemFirst(link, owner, nameKeyOf(name), passwordHash)) ? owner.id : endedLink();
  }

  return {
    async byPassword({ name, password }: { name: string; password: string }, place: Place): Promise<string> {
      const deviceId = devices.find(name, place.devices);
      const { address } = place;
      await checkAttempt({ kind: "password", nameHash: hashSecret(nameKeyOf(name)), address, deviceId });
      const found = await store.findCredentials(nameKeyOf(name));
      const isRight = await passwords.verify(password, found?.passwordHash);
      const secret =
        isRight && found?.passwordHash !== undefined
          ? await sessions.begin(found.member.id, found.passwordHash, place)
          : undefined;
      if (secret !== undefined) return secret;
      throw new AppError("unauthorized", "This name and this password do not belong together.");
    },

    /** What a link is for, and for whom. */
    async look(link: string, place: Place): Promise<{ purpose: LinkPurpose; name: string | undefined }> {
      return describe(await findLink(link, place));
    },

    /** Uses a link up to choose a password. The first owner chooses a name too; that of others is known. */
    async byLink(
      { link: text, name, password }: { link: string; name: string | undefined; password: string },
      place: Place,
    ): Promise<string> {
      const link = await findLink(text, place);
      const { purpose } = await describe(link);
      if (purpose === "first" && name === undefined)
        throw new AppError("invalid_request", "name: Choose the name that you sign in with.");
      const passwordHash = await passwords.hash(password);
      const memberId = link.memberId ?? (await makeFirstOwner(link, name ?? "", passwordHash));
      if (link.memberId !== undefined && !(await store.redeem(link, passwordHash))) endedLink();
      return (await sessions.begin(memberId, passwordHash, place)) ?? endedLink();
    },

    /** Changes the password of a member who knows the present one. All sessions end; a new one begins. */
    async changePassword(
      { member, session }: SignedIn,
      { current, password }: { current: string; password: string },
      place: Place,
    ): Promise<string> {
      await checkAttempt({ kind: "session", sessionId: session.id });
      const found = await store.findCredentials(nameKeyOf(member.name));
      const isRight = await passwords.verify(current, found?.passwordHash);
      if (!isRight || found?.passwordHash === undefined) throw wrongCurrent();
      const passwordHash = await passwords.hash(password);
      if (!(await store.changePassword(member.id, found.passwordHash, passwordHash))) throw wrongCurrent();
      return (await sessions.begin(member.id, passwordHash, place)) ?? endedLink();
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

function wrongCurrent(): AppError {
  const message = "This is not your present password.";
  return new AppError("invalid_request", `current: ${message}`, { details: [{ path: "current", message }] });
}
