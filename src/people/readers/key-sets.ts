import { AppError } from "@docent/kernel/errors";
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS, sinceMs } from "@docent/kernel/lib/clock";
import { keepLatest } from "@docent/kernel/lib/remember";
import { jsonIn } from "@docent/kernel/text/json";
import type { FlattenedJWSInput, JWK, JWSHeaderParameters } from "jose";
import { z } from "zod";

/** Reads what is at an address, up to so many bytes. */
export type ReadKeySet = (url: string, bytesMax: number) => Promise<Uint8Array>;

type PublicKeys = ReturnType<typeof import("jose").createLocalJWKSet>;

/** The public keys of sites that sign with keys of their own, by the address at which they are. */
export interface KeySets {
  /** The key that a token was signed with. Raises jose's errors, and `unavailable` where no keys can be had. */
  find(url: string, head: JWSHeaderParameters, token: FlattenedJWSInput): ReturnType<PublicKeys>;
}

/** A set of keys is a few kilobytes. */
const BYTES_MAX = 256_000;
const KEYS_MAX = 100;
/** More than 8192 bits take long to check with. */
const MODULUS_CHARACTERS_MAX = 1400;
/** A key that was taken away is believed as long as this at most. */
const FRESH_MS = 10 * MINUTE_MS;
/** Where its address is away, keys that were read before do for this long. */
const STALE_MS = HOUR_MS;
/** No token makes the server ask more often. */
const PAUSE_MS = 10 * SECOND_MS;
const SETS_KEPT = 500;

const setSchema = z.lazy(() => z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(KEYS_MAX) }));

interface Known {
  keys: PublicKeys | undefined;
  readAt: number;
  triedAt: number;
  reading: Promise<void> | undefined;
}

export function createKeySets({ readSet, clock }: { readSet: ReadKeySet; clock: Clock }): KeySets {
  const sets = new Map<string, Known>();
  return {
    async find(url, head, token) {
      const known = sets.get(url) ?? { keys: undefined, readAt: 0, triedAt: 0, reading: undefined };
      keepLatest(sets, url, known, SETS_KEPT);
      const isFresh = known.keys !== undefined && sinceMs(clock, known.readAt) < FRESH_MS;
      if (!isFresh) await refresh(known, url);
      const { keys } = known;
      if (keys === undefined || sinceMs(clock, known.readAt) > STALE_MS) throw away();
      try {
        return await keys(head, token);
      } catch (error) {
        // A key that is new is not in what was read before.
        if (!isFresh || !isMissing(error)) throw error;
        await refresh(known, url);
        return (known.keys ?? keys)(head, token);
      }
    },
  };

  function refresh(known: Known, url: string): Promise<void> {
    if (known.reading === undefined && sinceMs(clock, known.triedAt) < PAUSE_MS) return Promise.resolve();
    known.reading ??= read(known, url).finally(() => {
      known.reading = undefined;
    });
    return known.reading;
  }

  /** What cannot be read leaves what was read before. */
  async function read(known: Known, url: string): Promise<void> {
    known.triedAt = clock();
    try {
      const { createLocalJWKSet } = await import("jose");
      known.keys = createLocalJWKSet({ keys: publicKeysIn(await readSet(url, BYTES_MAX)) });
      known.readAt = clock();
    } catch (error) {
      if (known.keys === undefined) throw away(error);
    }
  }
}

/** Reads the keys of a set that only check: whoever reads a secret one could sign with it. */
function publicKeysIn(bytes: Uint8Array): JWK[] {
  const read = setSchema.safeParse(jsonIn(new TextDecoder().decode(bytes)));
  if (!read.success) throw new AppError("unavailable", "What is at the site's jwksUrl is no set of keys.");
  return read.data.keys.filter(({ kty, n }) => {
    const isBounded = typeof n !== "string" || n.length <= MODULUS_CHARACTERS_MAX;
    return kty !== "oct" && isBounded;
  });
}

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_JWKS_NO_MATCHING_KEY";

const away = (cause?: unknown) =>
  new AppError("unavailable", "Readers' tokens can't be checked at the moment. Try again later.", {
    hint: "The keys at the site's jwksUrl could not be read.",
    cause,
  });
