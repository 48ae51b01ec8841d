import { type Clock, DAY_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { isSameSecret } from "@docent/kernel/lib/secrets";
import { nameKeyOf } from "./member.ts";

/**
 * Knows the browsers in which somebody has signed in under a name before. Whoever tries that name from elsewhere does not
 * slow them down. A token opens nothing: the password is asked for all the same.
 */
export interface Devices {
  /** The token for a browser in which that name has just been signed in, with those that it has. */
  remember(name: string, tokens: readonly string[]): string[];
  /** What the browser is counted as, if one of its tokens is for that name. */
  find(name: string, tokens: readonly string[]): string | undefined;
  lifetimeMs: number;
}

const LIFETIME_MS = 365 * DAY_MS;
/** How many people may share the browser. */
const TOKENS_MAX = 5;

export function createDevices({ secret, clock, ids }: { secret: string; clock: Clock; ids: Ids }): Devices {
  const sign = (name: string, id: string, until: number) =>
    new Bun.CryptoHasher("sha256", secret)
      .update(JSON.stringify(["device", nameKeyOf(name), id, until]))
      .digest("base64url");

  /** The device's id, where the token is one that was given for that name. */
  function read(name: string, token: string): string | undefined {
    const [id = "", until = "", signature = ""] = token.split(".", 3);
    const end = Number(until);
    const isGiven =
      Number.isSafeInteger(end) && end > clock() && isSameSecret(signature, sign(name, id, end));
    return isGiven ? id : undefined;
  }

  return {
    lifetimeMs: LIFETIME_MS,
    remember(name, tokens) {
      const known = tokens.find((token) => read(name, token) !== undefined);
      const id = known?.split(".", 1)[0] ?? ids.ulid();
      const until = clock() + LIFETIME_MS;
      const others = tokens.filter((token) => token !== known);
      return [`${id}.${until}.${sign(name, id, until)}`, ...others].slice(0, TOKENS_MAX);
    },
    find: (name, tokens) => tokens.slice(0, TOKENS_MAX).flatMap((token) => read(name, token) ?? [])[0],
  };
}
