import { isoTime } from "../lib/iso-time.ts";
import type { AdminKey } from "./admin-keys.ts";
import type { AssistantKey } from "./keys.ts";
import { type Lifetime, stateOf } from "./lifetime.ts";

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

/** An admin key as the CLI and the admin API show it: of what it is, nobody is told again. */
export function adminKeyJson(key: AdminKey, now: number) {
  const { id, name, organizationId, mayWrite } = key;
  return { id, name, organizationId: organizationId ?? null, mayWrite, ...lifetimeJson(key, now) };
}

function lifetimeJson(key: Lifetime, now: number) {
  return {
    state: stateOf(key, now),
    createdAt: isoTime(key.createdAt),
    expiresAt: isoTime(key.expiresAt),
    revokedAt: isoTime(key.revokedAt),
    lastUsedAt: isoTime(key.lastUsedAt),
  };
}
