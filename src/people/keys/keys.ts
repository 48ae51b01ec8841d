import { AppError } from "@docent/kernel/errors";
import { matchAddresses } from "@docent/kernel/lib/address";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { createLastUses, type LastUses } from "@docent/kernel/lib/last-uses";
import { type Lifetime, lifetimeJson, newLifetime, revokeKey, stateOf } from "./lifetime.ts";

const ASSISTANT_KEY_PREFIX = "docent_dsc_";
const KEY_PATTERN = /^docent_dsc_[1-9A-HJ-NP-Za-km-z]{20,64}$/;

/** A public key, made to stand in a page's source. */
export interface AssistantKey extends Lifetime {
  id: string;
  organizationId: string;
  name: string;
  key: string;
  /** Every site of the organization, those to come included; otherwise the ones in `siteIds` and no other. */
  allSites: boolean;
  siteIds: number[];
  /** Addresses and networks it may be used from. Empty: any. */
  addresses: string[];
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
  /** The key works from named addresses alone: it is a server's, whatever is between. */
  isServers: boolean;
  mayUse(site: { id: number; organizationId: string }): boolean;
}

export interface KeyInput {
  organizationId: string;
  name: string;
  siteIds?: number[] | undefined;
  expiresDays?: number | undefined;
  addresses?: string[] | undefined;
}

interface KeysDeps {
  store: KeyStore;
  clock: Clock;
  ids: Ids;
}

/** What can be done with assistant keys. */
export function createKeys(deps: KeysDeps) {
  const { store, clock } = deps;
  const uses = createLastUses((each) => store.touch(each));
  return {
    create: (input: KeyInput) => create(deps, input),
    /** The caller behind a key. Raises `unauthorized`, or `forbidden` for an address the key is not meant for. */
    authenticate: (key: string | undefined, address: string) => authenticate(deps, uses, key, address),
    list: () => store.list(),
    /** Revokes the key with that id or that name or that value. */
    revoke: (which: string) =>
      revokeKey(store, which, clock(), {
        isItself: (key) => key.id === which || key.key === which,
        kind: "key",
        listing: "docent keys list",
      }),
    /** Writes down when keys were last used. */
    flush: uses.flush,
  };
}

export type Keys = ReturnType<typeof createKeys>;

async function create({ store, clock, ids }: KeysDeps, input: KeyInput): Promise<AssistantKey> {
  const { fault } = matchAddresses(input.addresses ?? []);
  if (fault !== undefined)
    throw new AppError("invalid_request", `${fault} is not an address or a network such as 192.0.2.0/24.`);
  const key: AssistantKey = {
    id: ids.ulid(),
    organizationId: input.organizationId,
    name: input.name,
    key: ids.key(ASSISTANT_KEY_PREFIX),
    allSites: input.siteIds === undefined,
    siteIds: [...new Set(input.siteIds)],
    addresses: input.addresses ?? [],
    ...newLifetime(clock(), input.expiresDays),
  };
  await store.add(key);
  return key;
}

async function authenticate(
  { store, clock }: KeysDeps,
  uses: LastUses,
  key: string | undefined,
  address: string,
): Promise<Caller> {
  if (key === undefined)
    throw new AppError(
      "unauthorized",
      "This needs an assistant key: send the header Authorization: Bearer docent_dsc_….",
    );
  const found = KEY_PATTERN.test(key) ? await store.find(key) : undefined;
  const now = clock();
  if (!found || stateOf(found, now) !== "active")
    throw new AppError("unauthorized", "This assistant key is not valid: it is unknown, expired or revoked.");
  const { id: keyId, organizationId, allSites, siteIds, addresses } = found;
  if (addresses.length > 0 && !matchAddresses(addresses).matches(address))
    throw new AppError("forbidden", "This assistant key may not be used from your address.");
  uses.note(keyId, now);
  return {
    keyId,
    organizationId,
    isServers: addresses.length > 0,
    mayUse: (site) => site.organizationId === organizationId && (allSites || siteIds.includes(site.id)),
  };
}

/** An assistant key as the CLI and the admin API show it; `domains` are those of its sites, by their ids. */
export function assistantKeyJson(key: AssistantKey, domains: ReadonlyMap<number, string>, now: number) {
  const { id, name, organizationId, allSites, siteIds, addresses } = key;
  return {
    id,
    name,
    organizationId,
    key: key.key,
    sites: allSites ? null : siteIds.map((siteId) => domains.get(siteId) ?? ""),
    addresses,
    ...lifetimeJson(key, now),
  };
}
