import type { CryptoKey, JSONWebKeySet, JWTPayload, JWTVerifyGetKey, ProtectedHeaderParameters } from "jose";
import { z } from "zod";
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS, sinceMs } from "../../lib/clock.ts";
import { ASYMMETRIC_ALGORITHMS } from "../algorithms.ts";
import { SignInFault } from "../sign-in-fault.ts";

const FRESH_MS = 10 * MINUTE_MS;
/** Where the provider does not answer, its keys are believed for so long. */
const KEPT_MS = 24 * HOUR_MS;
const KEYS_MAX = 100;
/** How often, in so long, the keys are read again because a token names one that is not among them. */
const AGAIN_MAX = 5;
const AGAIN_MS = 30 * SECOND_MS;
const TOKEN_CHARACTERS_MAX = 50_000;

const jwksSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(KEYS_MAX),
});

/** What a token has to be, besides signed by the provider. */
export interface TokenBounds {
  issuer: string;
  audience: string | string[];
  requiredClaims: string[];
  clockTolerance: number;
  /** Seconds since it was made. */
  maxTokenAge?: number;
}

/** A token that was believed. */
export interface ReadToken {
  payload: JWTPayload;
  header: ProtectedHeaderParameters;
}

/** A provider's keys. */
export interface ProviderKeys {
  /** Reads a token that the provider signed. Throws what jose throws, and a SignInFault where the keys cannot be had. */
  verify(token: string, bounds: TokenBounds): Promise<ReadToken>;
}

interface KeysDeps {
  /** Fetches the keys as the provider publishes them. */
  load(): Promise<unknown>;
  clock: Clock;
}

interface Loaded {
  keys: JWTVerifyGetKey;
  at: number;
}

/**
 * Keeps a provider's keys. A token that names a key which is not among them has them read again at once: keys change while
 * tokens of the new one arrive already. Strangers could name keys that never were, so that this is done so often and no more.
 */
export function createProviderKeys({ load, clock }: KeysDeps): ProviderKeys {
  const state: { loaded?: Loaded; loading?: Promise<Loaded> | undefined; again: number[] } = { again: [] };

  async function read(): Promise<Loaded> {
    const { createLocalJWKSet } = await import("jose");
    const { success, data } = jwksSchema.safeParse(await load());
    if (!success) throw new SignInFault("unavailable", "the provider's keys are no JWKS");
    const jwks: JSONWebKeySet = {
      keys: data.keys.filter((key) => key.kty !== "oct" && key["use"] !== "enc"),
    };
    state.loaded = { keys: createLocalJWKSet(jwks), at: clock() };
    return state.loaded;
  }

  function reload(): Promise<Loaded> {
    state.loading ??= read().finally(() => {
      state.loading = undefined;
    });
    return state.loading;
  }

  async function current(): Promise<Loaded> {
    const { loaded } = state;
    if (loaded === undefined) return reload();
    const age = sinceMs(clock, loaded.at);
    if (age < FRESH_MS) return loaded;
    return reload().catch((fault) => {
      if (age > KEPT_MS) throw fault;
      return loaded;
    });
  }

  /** The keys as they are now; undefined where that was asked too often. */
  async function afresh(before: Loaded): Promise<Loaded | undefined> {
    // Somebody else has read them again meanwhile.
    if (state.loaded !== undefined && state.loaded !== before) return state.loaded;
    if (state.loading !== undefined) return state.loading;
    state.again = state.again.filter((at) => sinceMs(clock, at) < AGAIN_MS);
    if (state.again.length >= AGAIN_MAX) return undefined;
    state.again.push(clock());
    return reload();
  }

  return {
    async verify(token, bounds) {
      const { errors } = await import("jose");
      if (token.length > TOKEN_CHARACTERS_MAX) throw new errors.JWTInvalid("the token is too long");
      const loaded = await current();
      try {
        return await verifyWith(loaded.keys, token, bounds, clock);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        const next = await afresh(loaded);
        if (next === undefined) throw error;
        return await verifyWith(next.keys, token, bounds, clock);
      }
    },
  };
}

async function verifyWith(
  keys: JWTVerifyGetKey,
  token: string,
  bounds: TokenBounds,
  clock: Clock,
): Promise<ReadToken> {
  const { errors, jwtVerify } = await import("jose");
  const options = { ...bounds, algorithms: [...ASYMMETRIC_ALGORITHMS], currentDate: new Date(clock()) };
  const verify = async (key: JWTVerifyGetKey | CryptoKey): Promise<ReadToken> => {
    const read =
      typeof key === "function" ? await jwtVerify(token, key, options) : await jwtVerify(token, key, options);
    return { payload: read.payload, header: read.protectedHeader };
  };
  try {
    return await verify(keys);
  } catch (error) {
    // A token that names no key, of a provider that has several: one of them has to fit.
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await verify(key);
      } catch (fault) {
        if (!(fault instanceof errors.JWSSignatureVerificationFailed)) throw fault;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
