import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { hashSecret } from "@docent/kernel/lib/secrets";
import { createDevices, type Devices } from "./devices.ts";
import { type Member, nameKeyOf } from "./member.ts";
import { endedLink, type Links } from "./members.ts";
import { checkPasswordAllowed, mayHavePassword, type PasswordSettings } from "./password-rule.ts";
import { argon2id, createPasswords, type Passwords } from "./passwords.ts";
import {
  createSessions,
  type SessionSettings,
  type Sessions,
  type SignedIn,
  type SignInPlace,
} from "./sessions.ts";
import type { MemberStore, SessionStore, StoredLink } from "./stores.ts";

export { type Arrivals, type Brought, createArrivals } from "./arrivals.ts";
export type { Devices } from "./devices.ts";
export type { Member } from "./member.ts";
export { givenPasswordSchema, newPasswordSchema } from "./passwords.ts";
export { type Sessions, type SignedIn, type SignInPlace, sessionJson } from "./sessions.ts";

/** An attempt that is counted, by what may be slowed down for it and for nobody else. */
export type Attempt =
  /** A name and a password. The name is a hash: what is typed for one may be a password. */
  | { kind: "password"; nameHash: string; address: string; deviceId: string | undefined }
  /** A link that opens nothing. */
  | { kind: "link"; address: string }
  /** The present password, by who is signed in. */
  | { kind: "session"; sessionId: string };

/** What a link is for. */
type LinkPurpose = "first" | "invited" | "reset";

interface SignInDeps {
  settings: PasswordSettings;
  store: MemberStore;
  sessions: Sessions;
  links: Links;
  passwords: Passwords;
  devices: Devices;
  /** Counts an attempt. Where there were too many: the seconds until the next one. By the rules of `running/doors/session.ts`. */
  countAttempt(attempt: Attempt): Promise<number | undefined>;
  /**
   * Told of a wrong password, and whose it would have been; of a name that nobody has, without the name. Nobody waits for
   * it: how long it takes would tell whether there is such a member.
   */
  noteFailure(member: Member | undefined): void;
  clock: Clock;
  ids: Ids;
}

/** Opens all that members of a server sign in with: sessions, the browsers that are known, and the ways in. */
export function openSignIn({
  settings,
  store,
  deviceSecret,
  isProvider,
  ...deps
}: Pick<SignInDeps, "links" | "countAttempt" | "noteFailure" | "clock" | "ids"> & {
  isProvider(name: string): boolean;
  settings: SessionSettings;
  store: { members: MemberStore; sessions: SessionStore };
  deviceSecret: string;
}) {
  const { clock, ids } = deps;
  const sessions = createSessions({ settings, store: store.sessions, isProvider, clock, ids });
  const devices = createDevices({ secret: deviceSecret, clock, ids });
  const passwords = createPasswords(argon2id);
  const signIn = createSignIn({ ...deps, settings, store: store.members, sessions, passwords, devices });
  return { sessions, devices, signIn };
}

/** Signs members in: by name and password, or by a link. Each gives the secret of a new session. */
export function createSignIn(deps: SignInDeps) {
  return {
    byPassword: (given: { name: string; password: string }, place: SignInPlace) =>
      byPassword(deps, given, place),

    /** What a link is for, and for whom. */
    async look(link: string, place: SignInPlace): Promise<LinkMeaning> {
      return describe(deps, await findLink(deps, link, place));
    },

    /** Uses a link up to choose a password. The first owner chooses a name too; that of others is known. */
    byLink: (given: { link: string; name: string | undefined; password: string }, place: SignInPlace) =>
      byLink(deps, given, place),

    /** Changes the password of a member who knows the present one. All sessions end; a new one begins. */
    changePassword: (signedIn: SignedIn, given: { current: string; password: string }, place: SignInPlace) =>
      changePassword(deps, signedIn, given, place),
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

interface LinkMeaning {
  purpose: LinkPurpose;
  name: string | undefined;
}

async function byPassword(
  deps: SignInDeps,
  { name, password }: { name: string; password: string },
  place: SignInPlace,
): Promise<string> {
  const { store, sessions, passwords, devices } = deps;
  const deviceId = devices.find(name, place.devices);
  const { address } = place;
  await checkAttempt(deps, { kind: "password", nameHash: hashSecret(nameKeyOf(name)), address, deviceId });
  const found = await store.findCredentials(nameKeyOf(name));
  const isRight = await passwords.verify(password, found?.passwordHash);
  // Asked behind the comparison, and answered as a wrong password is: nobody finds out who is kept for emergencies.
  const secret =
    isRight && found?.passwordHash !== undefined && mayHavePassword(deps.settings, name)
      ? await sessions.begin(found.member.id, { passwordHash: found.passwordHash }, place)
      : undefined;
  if (secret !== undefined) return secret;
  deps.noteFailure(found?.member);
  throw new AppError("unauthorized", `This name and this password do not belong together.${remedy(deps)}`);
}

const remedy = ({ settings }: SignInDeps) =>
  settings.passwords === "on"
    ? ""
    : " Passwords are for emergencies alone here: sign in with the account that the sign-in page names.";

async function byLink(
  deps: SignInDeps,
  { link: text, name, password }: { link: string; name: string | undefined; password: string },
  place: SignInPlace,
): Promise<string> {
  const { store, sessions, passwords } = deps;
  const link = await findLink(deps, text, place);
  const { purpose } = await describe(deps, link);
  if (purpose === "first" && name === undefined)
    throw new AppError("invalid_request", "name: Choose the name that you sign in with.");
  if (purpose === "first") checkPasswordAllowed(deps.settings, name ?? "");
  const passwordHash = await passwords.hash(password);
  const memberId = link.memberId ?? (await makeFirstOwner(deps, link, name ?? "", passwordHash));
  if (link.memberId !== undefined && !(await store.redeem(link, passwordHash))) endedLink();
  return (await sessions.begin(memberId, { passwordHash }, place)) ?? endedLink();
}

async function changePassword(
  deps: SignInDeps,
  { member, session }: SignedIn,
  { current, password }: { current: string; password: string },
  place: SignInPlace,
): Promise<string> {
  const { store, sessions, passwords } = deps;
  if (session === undefined || member.vouched !== undefined)
    throw new AppError("conflict", "You have no password here: you sign in with another account.");
  await checkAttempt(deps, { kind: "session", sessionId: session.id });
  const found = await store.findCredentials(nameKeyOf(member.name));
  const isRight = await passwords.verify(current, found?.passwordHash);
  if (!isRight || found?.passwordHash === undefined) throw wrongCurrent();
  const passwordHash = await passwords.hash(password);
  if (!(await store.changePassword(member.id, found.passwordHash, passwordHash))) throw wrongCurrent();
  return (await sessions.begin(member.id, { passwordHash }, place)) ?? endedLink();
}

/** Counts an attempt before any work is done: one too many is refused alike with a right password and with a wrong one. */
async function checkAttempt({ countAttempt }: SignInDeps, attempt: Attempt): Promise<void> {
  const retryAfterSeconds = await countAttempt(attempt);
  if (retryAfterSeconds === undefined) return;
  const wait = retryAfterSeconds === 1 ? "a second" : `${retryAfterSeconds} seconds`;
  throw new AppError("rate_limited", `Too many attempts to sign in. Please try again in ${wait}.`, {
    retryAfterSeconds,
  });
}

/** Finds a link. One that works is never counted: nobody guesses one. */
async function findLink(deps: SignInDeps, text: string, { address }: SignInPlace): Promise<StoredLink> {
  try {
    return await deps.links.find(text);
  } catch (error) {
    await checkAttempt(deps, { kind: "link", address });
    throw error;
  }
}

async function describe({ store, settings }: SignInDeps, link: StoredLink): Promise<LinkMeaning> {
  if (link.memberId === undefined)
    return (await store.hasServerOwner()) ? endedLink() : { purpose: "first", name: undefined };
  const member = (await store.find(link.memberId)) ?? endedLink();
  checkPasswordAllowed(settings, member.name);
  return { purpose: member.isActive ? "reset" : "invited", name: member.name };
}

async function makeFirstOwner(
  { store, ids, clock }: SignInDeps,
  link: StoredLink,
  name: string,
  passwordHash: string,
): Promise<string> {
  const owner: Member = {
    id: ids.ulid(),
    name,
    isServerOwner: true,
    roles: [],
    isActive: true,
    vouched: undefined,
    createdAt: clock(),
    lastSeenAt: undefined,
  };
  return (await store.redeemFirst(link, owner, nameKeyOf(name), passwordHash)) ? owner.id : endedLink();
}

function wrongCurrent(): AppError {
  const message = "This is not your present password.";
  return new AppError("invalid_request", `current: ${message}`, { details: [{ path: "current", message }] });
}
