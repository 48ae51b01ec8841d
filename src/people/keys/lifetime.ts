import { AppError } from "@docent/kernel/errors";
import { DAY_MS } from "@docent/kernel/lib/clock";
import { isoTime } from "@docent/kernel/lib/iso-time";

/** From when to when a key opens something. */
export interface Lifetime {
  createdAt: number;
  expiresAt: number | undefined;
  revokedAt: number | undefined;
  lastUsedAt: number | undefined;
}

/** The lifetime of a key that is made now. */
export function newLifetime(now: number, expiresDays: number | undefined): Lifetime {
  const expiresAt = expiresDays === undefined ? undefined : now + expiresDays * DAY_MS;
  return { createdAt: now, expiresAt, revokedAt: undefined, lastUsedAt: undefined };
}

/** Whether a key opens anything at that time, and why not. */
export function stateOf({ revokedAt, expiresAt }: Lifetime, now: number): "active" | "revoked" | "expired" {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
}

interface NamedKey extends Lifetime {
  id: string;
  name: string;
}

/** Revokes the key that `which` is, or names. `kind` and `listing` are what messages call it, and what lists its like. */
export async function revokeKey<K extends NamedKey>(
  store: { list(): Promise<K[]>; revoke(id: string, at: number): Promise<void> },
  which: string,
  now: number,
  { isItself, kind, listing }: { isItself: (key: K) => boolean; kind: string; listing: string },
): Promise<K> {
  const all = await store.list();
  // What it is comes before what it is called: a name may be another key's id.
  const itself = all.filter(isItself);
  const named = all.filter((key) => key.name === which && key.revokedAt === undefined);
  const [found, another] = itself.length > 0 ? itself : named;
  if (!found) throw new AppError("not_found", `There is no ${kind} ${which}.`, { hint: listing });
  if (another)
    throw new AppError("conflict", `Several ${kind}s are named ${which}.`, {
      hint: `Revoke it by its id: ${listing}`,
    });
  await store.revoke(found.id, now);
  return { ...found, revokedAt: found.revokedAt ?? now };
}

/** A lifetime as the CLI and the admin API show it. */
export function lifetimeJson(key: Lifetime, now: number) {
  return {
    state: stateOf(key, now),
    createdAt: isoTime(key.createdAt),
    expiresAt: isoTime(key.expiresAt),
    revokedAt: isoTime(key.revokedAt),
    lastUsedAt: isoTime(key.lastUsedAt),
  };
}
