import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { hashSecret } from "../lib/secrets.ts";
import { type Admin, createAdmin } from "./admin.ts";

const ADMIN_KEY_PREFIX = "docent_adm_";
const KEY_PATTERN = /^docent_adm_[1-9A-HJ-NP-Za-km-z]{20,64}$/;
const DAY_MS = 24 * 3600 * 1000;

/** A secret key for owners and programs. What it is, is known only to whoever it was shown to when it was made. */
export interface AdminKey {
  id: string;
  name: string;
  /** The organization it opens; undefined: the whole server. */
  organizationId: string | undefined;
  mayWrite: boolean;
  createdAt: number;
  expiresAt: number | undefined;
  revokedAt: number | undefined;
  lastUsedAt: number | undefined;
}

/** Keeps admin keys, by the hash of what they are. */
export interface AdminKeyStore {
  add(key: AdminKey, hash: string): Promise<void>;
  list(): Promise<AdminKey[]>;
  find(hash: string): Promise<AdminKey | undefined>;
  revoke(id: string, at: number): Promise<void>;
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}

export interface AdminKeyInput {
  name: string;
  organizationId: string | undefined;
  mayWrite: boolean;
  expiresDays?: number | undefined;
}

/** What can be done with admin keys. */
export function createAdminKeys(deps: { store: AdminKeyStore; clock: Clock; ids: Ids }) {
  const { store, clock, ids } = deps;
  const used = new Map<string, number>();

  return {
    /** Makes a key. Its text is nowhere to be had again. */
    async create(input: AdminKeyInput): Promise<{ key: AdminKey; text: string }> {
      const { name, organizationId, mayWrite, expiresDays } = input;
      const text = ids.key(ADMIN_KEY_PREFIX);
      const key: AdminKey = {
        id: ids.ulid(),
        name,
        organizationId,
        mayWrite,
        createdAt: clock(),
        expiresAt: expiresDays === undefined ? undefined : clock() + expiresDays * DAY_MS,
        revokedAt: undefined,
        lastUsedAt: undefined,
      };
      await store.add(key, hashSecret(text));
      return { key, text };
    },

    /** The admin behind a key. Raises `unauthorized`. */
    async authenticate(text: string | undefined): Promise<Admin> {
      const found =
        text !== undefined && KEY_PATTERN.test(text) ? await store.find(hashSecret(text)) : undefined;
      const now = clock();
      if (!found || found.revokedAt !== undefined || (found.expiresAt ?? Number.POSITIVE_INFINITY) <= now) {
        throw new AppError("unauthorized", "This needs an admin key: Authorization: Bearer docent_adm_….");
      }
      used.set(found.id, now);
      const { id, organizationId, mayWrite } = found;
      const sees = (of: string) => organizationId === undefined || organizationId === of;
      const mayChange = (of: string) => mayWrite && sees(of);
      return createAdmin({
        kind: "key",
        id,
        isServer: organizationId === undefined,
        mayWrite,
        sees,
        mayChange,
      });
    },

    list: () => store.list(),

    /** Revokes the key with that id or that name. */
    async revoke(which: string): Promise<AdminKey> {
      const all = await store.list();
      // Its id comes before its name: a name may be another key's id.
      const itself = all.filter((key) => key.id === which);
      const named = all.filter((key) => key.name === which && key.revokedAt === undefined);
      const [found, another] = itself.length > 0 ? itself : named;
      if (!found) {
        throw new AppError("not_found", `There is no admin key ${which}.`, {
          hint: "docent admin-keys list",
        });
      }
      if (another) {
        throw new AppError("conflict", `Several admin keys are named ${which}.`, {
          hint: "Revoke it by its id: docent admin-keys list",
        });
      }
      await store.revoke(found.id, clock());
      return { ...found, revokedAt: found.revokedAt ?? clock() };
    },

    /** Writes down when keys were last used. A write on every request would cost more. */
    async flush(): Promise<void> {
      if (used.size === 0) return;
      const uses = new Map(used);
      used.clear();
      await store.touch(uses);
    },
  };
}

export type AdminKeys = ReturnType<typeof createAdminKeys>;
