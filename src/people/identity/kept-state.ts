import { type Clock, MINUTE_MS } from "@docent/kernel/lib/clock";
import { hashSecret, isSameSecret } from "@docent/kernel/lib/secrets";
import { z } from "zod";
import type { OnceStore } from "./stores.ts";

/** What somebody signs in for: the dashboard, or to read. */
export const PURPOSES = ["member", "reader"] as const;
export type Purpose = (typeof PURPOSES)[number];

const keptSchema = z.lazy(() =>
  z.strictObject({
    provider: z.string(),
    purpose: z.enum(PURPOSES),
    /** What the provider has to give back. */
    state: z.string().min(20),
    /** What its ID token has to hold. */
    nonce: z.string().min(20),
    /** What the code is exchanged with (PKCE). */
    codeVerifier: z.string().min(43),
    /** A path below the server's own address. */
    returnTo: z.string(),
    until: z.number(),
  }),
);

/** What a browser keeps between leaving for a provider and coming back from it. */
export type KeptState = z.output<typeof keptSchema>;

/**
 * Seals what a browser keeps, and lets it be used once. The browser's own cookie holds it, so that beginning costs the
 * server nothing however often strangers do; what was used is remembered in the store, which all servers share.
 */
export interface KeptStates {
  lifetimeMs: number;
  seal(kept: Omit<KeptState, "until">): string;
  /** Undefined for what is not sealed by this server, or too old. */
  open(sealed: string): KeptState | undefined;
  /** True for the first use. */
  use(kept: KeptState): Promise<boolean>;
}

const LIFETIME_MS = 10 * MINUTE_MS;
const SEALED_CHARACTERS_MAX = 4000;

interface KeptStatesDeps {
  secret: string;
  clock: Clock;
  once: OnceStore;
}

export function createKeptStates({ secret, clock, once }: KeptStatesDeps): KeptStates {
  const sign = (payload: string) =>
    new Bun.CryptoHasher("sha256", secret).update(JSON.stringify(["sign-in", payload])).digest("base64url");
  return {
    lifetimeMs: LIFETIME_MS,
    seal(kept) {
      const whole: KeptState = { ...kept, until: clock() + LIFETIME_MS };
      const payload = Buffer.from(JSON.stringify(whole)).toString("base64url");
      return `${payload}.${sign(payload)}`;
    },
    open(sealed) {
      const [payload = "", signature = "", more] = sealed.slice(0, SEALED_CHARACTERS_MAX).split(".", 3);
      if (more !== undefined || !isSameSecret(signature, sign(payload))) return undefined;
      const kept = keptSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
      return kept.until > clock() ? kept : undefined;
    },
    use: ({ state, until }) => once.use(hashSecret(`sign-in ${state}`), clock(), until),
  };
}
