import { AppError } from "@docent/kernel/errors";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { faultsIn } from "@docent/kernel/lib/schema-faults";
import { hashSecret } from "@docent/kernel/lib/secrets";
import { type Member, memberNameSchema, nameKeyOf, type Role } from "./member.ts";
import { checkNotForEmergencies, checkPasswordAllowed, type PasswordSettings } from "./password-rule.ts";
import type { MemberStore, StoredLink, TakenAway } from "./stores.ts";

/** Where a new member belongs: to an organization, or to the server. */
export type Belonging = { organizationId: string; role: Role } | { serverOwner: true };

interface MembersDeps {
  settings: PasswordSettings;
  store: MemberStore;
  links: Links;
  clock: Clock;
  ids: Ids;
}

/** What can be done with members. Who may do it is for the doors to know. */
export function createMembers(deps: MembersDeps) {
  const { store, links } = deps;

  async function get(id: string): Promise<Member> {
    return (await store.find(id)) ?? notFound();
  }

  return {
    list: () => store.list(),
    get,

    /** The member of that id or that name. Raises `not_found`. */
    async named(which: string): Promise<Member> {
      const found = (await store.find(which)) ?? (await store.findCredentials(nameKeyOf(which)))?.member;
      if (found) return found;
      throw new AppError("not_found", `There is no member ${which}.`, { hint: "docent members list" });
    },

    /** Adds a member, with the link by which they choose their password. */
    invite: (name: string, belonging: Belonging) => invite(deps, name, belonging),

    /** Gives a role in an organization, or takes it away. Nobody is left with nothing: they would be removed. */
    async setRole(id: string, organizationId: string, role: Role | undefined): Promise<Member> {
      checkGivenHere(await get(id));
      if (role === undefined) checkTaken(await store.takeRole(id, organizationId));
      else await store.giveRole(id, organizationId, role);
      return get(id);
    },

    /** Makes a member an owner of the server, or no owner any more. */
    async setServerOwner(id: string, isServerOwner: boolean): Promise<Member> {
      const member = await get(id);
      checkGivenHere(member);
      if (!isServerOwner) checkNotForEmergencies(deps.settings, member);
      checkTaken(await store.setServerOwner(id, isServerOwner));
      return get(id);
    },

    /** Removes a member. All their sessions end. */
    async remove(id: string): Promise<void> {
      checkNotForEmergencies(deps.settings, await get(id));
      checkTaken(await store.remove(id));
    },

    /** A link by which a member chooses a new password: for one that was lost, or an invitation that was. */
    async link(id: string): Promise<NewLink> {
      const member = await get(id);
      checkMayChoose(deps.settings, member);
      return links.make(member.id);
    },

    /** The link that makes the server's first owner, while there is none. */
    async firstLink(): Promise<NewLink | undefined> {
      return (await store.hasServerOwner()) ? undefined : links.make(undefined);
    },
  };
}

export type Members = ReturnType<typeof createMembers>;

async function invite(
  { settings, store, links, clock, ids }: MembersDeps,
  name: string,
  belonging: Belonging,
): Promise<{ member: Member; link: NewLink }> {
  const readable = readName(name);
  checkPasswordAllowed(settings, readable);
  const member: Member = {
    id: ids.ulid(),
    name: readable,
    isActive: false,
    vouched: undefined,
    createdAt: clock(),
    lastSeenAt: undefined,
    isServerOwner: "serverOwner" in belonging,
    roles: "serverOwner" in belonging ? [] : [belonging],
  };
  await store.add(member, nameKeyOf(member.name));
  return { member, link: await links.make(member.id) };
}

function readName(given: string): string {
  const { success, data, error } = memberNameSchema.safeParse(given);
  if (success) return data;
  const { details } = faultsIn(error);
  throw new AppError("invalid_request", `A member's name ${details[0]?.message}.`, {
    details: details.map(({ message }) => ({ path: "name", message })),
  });
}

/** Raises `conflict` for somebody whose roles are given elsewhere. */
function checkGivenHere({ name, vouched }: Member): void {
  if (vouched === undefined) return;
  throw new AppError(
    "conflict",
    `What ${name} may do comes from their groups at ${vouched.provider}: change it there. It counts from their next sign-in on.`,
  );
}

/** Raises an error for somebody who may not have a password. */
function checkMayChoose(settings: PasswordSettings, { name, vouched }: Member): void {
  if (vouched !== undefined)
    throw new AppError("conflict", `${name} signs in with ${vouched.provider}, and has no password.`);
  checkPasswordAllowed(settings, name);
}

function checkTaken(change: TakenAway): void {
  if (change === "missing") notFound();
  if (change === "last_owner")
    throw new AppError(
      "conflict",
      "This is the only owner of the server who can sign in. Name another one first.",
    );
  if (change === "left_with_nothing")
    throw new AppError(
      "conflict",
      "This member would be left without any role. Give them another one first, or remove them.",
    );
}

function notFound(): never {
  throw new AppError("not_found", "Not found");
}

const LINK_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{33}$/;

/** A link that was just made. Its text is nowhere to be had again. */
export interface NewLink {
  text: string;
  expiresAt: number;
}

interface LinksDeps {
  /** The settings it reads, under their own names. */
  settings: { member_link_seconds: number };
  store: Pick<MemberStore, "putLink" | "findLink">;
  clock: Clock;
  ids: Ids;
}

/** Makes links that are used once, and finds them. */
export function createLinks({ settings, store, clock, ids }: LinksDeps) {
  return {
    /** A link for a member; without one, for the server's first owner. The one before it ends. */
    async make(memberId: string | undefined): Promise<NewLink> {
      const text = ids.key("");
      const expiresAt = clock() + settings.member_link_seconds * SECOND_MS;
      await store.putLink({ hash: hashSecret(text), memberId, createdAt: clock(), expiresAt });
      return { text, expiresAt };
    },

    /** The link with that text. Raises `not_found` for one that is unknown, used or too old. */
    async find(text: string): Promise<StoredLink> {
      const found = LINK_PATTERN.test(text) ? await store.findLink(hashSecret(text), clock()) : undefined;
      return found ?? endedLink();
    },
  };
}

export type Links = ReturnType<typeof createLinks>;

/** The answer to every link that opens nothing, whatever it was. */
export function endedLink(): never {
  throw new AppError(
    "not_found",
    "This link does not work any more: it was used, is too old, or a newer one was made. Ask for a new one.",
  );
}
