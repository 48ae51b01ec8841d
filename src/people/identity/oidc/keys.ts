import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS, sinceMs } from "@docent/kernel/lib/clock";
import type { CryptoKey, JSONWebKeySet, JWTPayload, JWTVerifyGetKey, ProtectedHeaderParameters } from "jose";
import { z } from "zod";
import { ASYMMETRIC_ALGORITHMS } from "../algorithms.ts";
import { SignInFault } from "../sign-in-fault.ts";

const FRESH_MS = 10 * MINUTE_MS;
/** Where the provider does not answer, its keys are believed for so long. */
const KEPT_MS = 24 * HOUR_MS;
const KEYS_MAX = 100;
/** How long after the keys were read again for a token that names one which is not among them, they are for the next one. */
const AGAIN_MS = 5 * SECOND_MS;
/** How many tokens wait for that. */
const WAITING_MAX = 200;
const TOKEN_CHARACTERS_MAX = 50_000;

const jwksSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(KEYS_MAX),
});

/** What a token has to be, besides signed by the provider. */
interface TokenBounds {
  issuer: string;
  audience: string | string[];
  requiredClaims: string[];
  clockTolerance: number;
  /** Seconds since it was made. */
  maxTokenAge?: number;
}

/** A token that was believed. */
interface ReadToken {
  payload: JWTPayload;
  header: ProtectedHeaderParameters;
}

/** A provider's keys. */
export interface ProviderKeys {
  /** Reads a token that the provider signed. Throws what jose throws, and a SignInFault where the keys cannot be had. */
  verify(token: string, bounds: TokenBounds): Promise<ReadToken>;
  /** The same of a token that came from the provider itself: no stranger's tokens hold it up. */
  verifyOwn(token: string, bounds: TokenBounds): Promise<ReadToken>;
}

interface KeysDeps {
  /** Fetches the keys as the provider publishes them. */
  load(): Promise<unknown>;
  clock: Clock;
  /** Waits so long. */
  pause?: (milliseconds: number) => Promise<void>;
}

interface State {
  loaded?: Loaded;
  loading?: Promise<Loaded> | undefined;
  /** When the keys were last read for a token that names another one. */
  againAt: number;
  /** When they are read for the tokens that wait for it. */
  next?: Promise<Loaded> | undefined;
  waiting: number;
}

interface Loaded {
  keys: JWTVerifyGetKey;
  at: number;
}

/**
 * Keeps a provider's keys. A token that names a key which is not among them has them read again: keys change while tokens of
 * the new one arrive already. Strangers could name keys that never were, so that this is done so often and no more; a token
 * that comes in between waits for the next time, and nobody's is refused because of what strangers sent.
 */
export function createProviderKeys({ load, clock, pause = Bun.sleep }: KeysDeps): ProviderKeys {
  const state: State = { againAt: Number.NEGATIVE_INFINITY, waiting: 0 };

  function reload(): Promise<Loaded> {
    state.loading ??= readKeys(load, clock)
      .then((loaded) => {
        state.loaded = loaded;
        return loaded;
      })
      .finally(() => {
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

  /** The keys as they are now, or soon; undefined where too many wait for that. */
  async function afresh(before: Loaded): Promise<Loaded | undefined> {
    // Somebody else has read them again meanwhile.
    if (state.loaded !== undefined && state.loaded !== before) return state.loaded;
    if (state.loading !== undefined) return state.loading;
    if (state.waiting >= WAITING_MAX) return undefined;
    state.waiting += 1;
    state.next ??= readNext().finally(() => {
      state.next = undefined;
    });
    return state.next.finally(() => {
      state.waiting -= 1;
    });
  }

  async function readNext(): Promise<Loaded> {
    const left = state.againAt + AGAIN_MS - clock();
    // A clock that was set back makes nobody wait for longer.
    if (left > 0) await pause(Math.min(left, AGAIN_MS));
    state.againAt = clock();
    return reload();
  }

  return {
    verify: (token, bounds) => verifyToken(token, bounds, { current, readAgain: afresh, clock }),
    verifyOwn: (token, bounds) => {
      const readAgain = async (before: Loaded) =>
        state.loaded === undefined || state.loaded === before ? reload() : state.loaded;
      return verifyToken(token, bounds, { current, readAgain, clock });
    },
  };
}

/** The keys as the provider publishes them now. */
async function readKeys(load: KeysDeps["load"], clock: Clock): Promise<Loaded> {
  const { createLocalJWKSet } = await import("jose");
  const { success, data } = jwksSchema.safeParse(await load());
  if (!success) throw new SignInFault("unavailable", "the provider's keys are no JWKS");
  const jwks: JSONWebKeySet = {
    keys: data.keys.filter((key) => key.kty !== "oct" && key["use"] !== "enc"),
  };
  return { keys: createLocalJWKSet(jwks), at: clock() };
}

interface Reading {
  current(): Promise<Loaded>;
  /** The keys where a token names one that is not among them; undefined where they are not read again. */
  readAgain(before: Loaded): Promise<Loaded | undefined>;
  clock: Clock;
}

async function verifyToken(
  token: string,
  bounds: TokenBounds,
  { current, readAgain, clock }: Reading,
): Promise<ReadToken> {
  const { errors } = await import("jose");
  if (token.length > TOKEN_CHARACTERS_MAX) throw new errors.JWTInvalid("the token is too long");
  const loaded = await current();
  try {
    return await verifyWith(loaded.keys, token, bounds, clock);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    const next = await readAgain(loaded);
    if (next === undefined) throw error;
    return await verifyWith(next.keys, token, bounds, clock);
  }
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
    for (const claim of ["iat", "auth_time"])
      if (isAhead(read.payload[claim], bounds, clock))
        throw new errors.JWTClaimValidationFailed(
          `${claim} is in the future`,
          read.payload,
          claim,
          "check_failed",
        );
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

/** A time that its own clock, however far off it may be, has not come to yet. */
const isAhead = (seconds: unknown, { clockTolerance }: TokenBounds, clock: Clock) =>
  typeof seconds === "number" && seconds > clock() / SECOND_MS + clockTolerance;
