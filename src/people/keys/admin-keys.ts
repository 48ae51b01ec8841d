import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { createLastUses, type LastUses } from "@docent/kernel/lib/last-uses";
import { hashSecret } from "@docent/kernel/lib/secrets";
import { type Lifetime, lifetimeJson, newLifetime, revokeKey, stateOf } from "./lifetime.ts";

const ADMIN_KEY_PREFIX = "docent_adm_";
const KEY_PATTERN = /^docent_adm_[1-9A-HJ-NP-Za-km-z]{20,64}$/;

/** A secret key for owners and programs. What it is, is known only to whoever it was shown to when it was made. */
export interface AdminKey extends Lifetime {
  id: string;
  name: string;
  /** The organization it opens; undefined: the whole server. */
  organizationId: string | undefined;
  mayWrite: boolean;
}

/** Keeps admin keys, by the hash of what they are. */
export interface AdminKeyStore {
  add(key: AdminKey, hash: string): Promise<void>;
  list(): Promise<AdminKey[]>;
  find(hash: string): Promise<AdminKey | undefined>;
  revoke(id: string, at: number): Promise<void>;
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}

interface AdminKeyInput {
  name: string;
  organizationId: string | undefined;
  mayWrite: boolean;
  expiresDays?: number | undefined;
}

interface AdminKeysDeps {
  store: AdminKeyStore;
  clock: Clock;
  ids: Ids;
}

/** What can be done with admin keys. */
export function createAdminKeys(deps: AdminKeysDeps) {
  const { store, clock } = deps;
  const uses = createLastUses((each) => store.touch(each));
  return {
    /** Makes a key. Its text is nowhere to be had again. */
    create: (input: AdminKeyInput) => create(deps, input),
    /** The admin behind a key. Raises `unauthorized`. */
    authenticate: (text: string | undefined) => authenticate(deps, uses, text),
    list: () => store.list(),
    /** Revokes the key with that id or that name. */
    revoke: (which: string) =>
      revokeKey(store, which, clock(), {
        isItself: (key) => key.id === which,
        kind: "admin key",
        listing: "docent admin-keys list",
      }),
    /** Writes down when keys were last used. */
    flush: uses.flush,
  };
}

export type AdminKeys = ReturnType<typeof createAdminKeys>;

async function create(
  { store, clock, ids }: AdminKeysDeps,
  { name, organizationId, mayWrite, expiresDays }: AdminKeyInput,
): Promise<{ key: AdminKey; text: string }> {
  const text = ids.key(ADMIN_KEY_PREFIX);
  const key = { id: ids.ulid(), name, organizationId, mayWrite, ...newLifetime(clock(), expiresDays) };
  await store.add(key, hashSecret(text));
  return { key, text };
}

async function authenticate(
  { store, clock }: AdminKeysDeps,
  uses: LastUses,
  text: string | undefined,
): Promise<Admin> {
  const found = text !== undefined && KEY_PATTERN.test(text) ? await store.find(hashSecret(text)) : undefined;
  const now = clock();
  if (!found || stateOf(found, now) !== "active")
    throw new AppError("unauthorized", "This needs an admin key: Authorization: Bearer docent_adm_….");
  const { id, name, organizationId, mayWrite } = found;
  uses.note(id, now);
  const sees = (of: string) => organizationId === undefined || organizationId === of;
  const mayChange = (of: string) => mayWrite && sees(of);
  const isServer = organizationId === undefined;
  return createAdmin({ kind: "key", id, name, isServer, mayWrite, sees, mayChange });
}

/** Who manages: a program with an admin key, or a member who is signed in. */
export interface Admin {
  kind: "key" | "member";
  /** The key's id, or the member's. */
  id: string;
  name: string;
  /** Manages the server itself, and every organization. */
  isServer: boolean;
  /** May change something, and not only see it. */
  mayWrite: boolean;
  /** Whether an organization and what it has is shown. What is not shown is not there. */
  sees(organizationId: string): boolean;
  mayChange(organizationId: string): boolean;
  /** What an operation may work with: in one that changes things, what may be changed; in another, what is seen. */
  manages(organizationId: string): boolean;
}

/** An admin with those rights, before an operation that reads. */
export function createAdmin(rights: Omit<Admin, "manages">): Admin {
  return { ...rights, manages: rights.sees };
}

/** The same admin before an operation that changes things. */
export function forWriting(admin: Admin): Admin {
  return { ...admin, manages: admin.mayChange };
}

/** An admin key as the CLI and the admin API show it: of what it is, nobody is told again. */
export function adminKeyJson(key: AdminKey, now: number) {
  const { id, name, organizationId, mayWrite } = key;
  return { id, name, organizationId: organizationId ?? null, mayWrite, ...lifetimeJson(key, now) };
}
