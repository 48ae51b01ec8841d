import { AppError } from "../errors.ts";
import { matchAddresses } from "../lib/address.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";

const ASSISTANT_KEY_PREFIX = "docent_dsc_";
const KEY_PATTERN = /^docent_dsc_[1-9A-HJ-NP-Za-km-z]{20,64}$/;
const DAY_MS = 24 * 3600 * 1000;

/** A public key, made to stand in a page's source. */
export interface AssistantKey {
  id: string;
  organizationId: string;
  name: string;
  key: string;
  /** Every site of the organization, those to come included; otherwise the ones in `siteIds` and no other. */
  allSites: boolean;
  siteIds: number[];
  /** Addresses and networks it may be used from. Empty: any. */
  addresses: string[];
  createdAt: number;
  expiresAt: number | undefined;
  revokedAt: number | undefined;
  lastUsedAt: number | undefined;
}

/** Keeps assistant keys. */
export interface KeyStore {
  add(key: AssistantKey): Promise<void>;
  list(): Promise<AssistantKey[]>;
  find(key: string): Promise<AssistantKey | undefined>;
  revoke(id: string, at: number): Promise<void>;
  /** Remembers when keys were last used. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** Who a request comes from, once its key is known to be good. */
export interface Caller {
  keyId: string;
  organizationId: string;
  mayUse(site: { id: number; organizationId: string }): boolean;
}

export interface KeyInput {
  organizationId: string;
  name: string;
  siteIds?: number[] | undefined;
  expiresDays?: number | undefined;
  addresses?: string[] | undefined;
}

/** What can be done with assistant keys. */
export function createKeys(deps: { store: KeyStore; clock: Clock; ids: Ids }) {
  const { store, clock, ids } = deps;
  const used = new Map<string, number>();

  return {
    async create(input: KeyInput): Promise<AssistantKey> {
      const { fault } = matchAddresses(input.addresses ?? []);
      if (fault !== undefined) {
        throw new AppError(
          "invalid_request",
          `${fault} is not an address or a network such as 192.0.2.0/24.`,
        );
      }
      const key: AssistantKey = {
        id: ids.ulid(),
        organizationId: input.organizationId,
        name: input.name,
        key: ids.key(ASSISTANT_KEY_PREFIX),
        allSites: input.siteIds === undefined,
        siteIds: [...new Set(input.siteIds)],
        addresses: input.addresses ?? [],
        createdAt: clock(),
        expiresAt: input.expiresDays === undefined ? undefined : clock() + input.expiresDays * DAY_MS,
        revokedAt: undefined,
        lastUsedAt: undefined,
      };
      await store.add(key);
      return key;
    },

    /** The caller behind a key. Raises `unauthorized`, or `forbidden` for an address the key is not meant for. */
    async authenticate(key: string | undefined, address: string): Promise<Caller> {
      if (key === undefined) {
        throw new AppError(
          "unauthorized",
          "This needs an assistant key: send the header Authorization: Bearer docent_dsc_….",
        );
      }
      const found = KEY_PATTERN.test(key) ? await store.find(key) : undefined;
      const now = clock();
      if (!found || found.revokedAt !== undefined || (found.expiresAt ?? Number.POSITIVE_INFINITY) <= now) {
        throw new AppError(
          "unauthorized",
          "This assistant key is not valid: it is unknown, expired or revoked.",
        );
      }
      if (found.addresses.length > 0 && !matchAddresses(found.addresses).matches(address)) {
        throw new AppError("forbidden", "This assistant key may not be used from your address.");
      }
      used.set(found.id, now);
      return {
        keyId: found.id,
        organizationId: found.organizationId,
        mayUse: (site) =>
          site.organizationId === found.organizationId && (found.allSites || found.siteIds.includes(site.id)),
      };
    },

    list: () => store.list(),

    /** Revokes the key with that id or that name or that value. */
    async revoke(which: string): Promise<AssistantKey> {
      const all = await store.list();
      // What it is comes before what it is called: a name may be another key's id.
      const itself = all.filter((key) => key.id === which || key.key === which);
      const named = all.filter((key) => key.name === which && key.revokedAt === undefined);
      const [found, another] = itself.length > 0 ? itself : named;
      if (!found) throw new AppError("not_found", `There is no key ${which}.`, { hint: "docent keys list" });
      if (another) {
        throw new AppError("conflict", `Several keys are named ${which}.`, {
          hint: "Revoke it by its id: docent keys list",
        });
      }
      await store.revoke(found.id, clock());
      return { ...found, revokedAt: found.revokedAt ?? clock() };
    },

    /** Writes down what is only in memory: when keys were last used. A write on every request would cost more. */
    async flush(): Promise<void> {
      if (used.size === 0) return;
      const uses = new Map(used);
      used.clear();
      await store.touch(uses);
    },
  };
}

export type Keys = ReturnType<typeof createKeys>;
