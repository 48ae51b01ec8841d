import { type Clock, systemClock } from "../../src/kernel/lib/clock.ts";
import { createIds, systemRandomBytes } from "../../src/kernel/lib/ids.ts";
import { createLog } from "../../src/kernel/lib/log.ts";
import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import {
  type KeptState,
  openVouchers,
  type Provider,
  type SignInFile,
} from "../../src/people/identity/identity.ts";
import { fileFor, type LyingProvider, startLyingProvider } from "./lying-provider.ts";
import { memoryOnce } from "./memory-once.ts";

export const REDIRECT = "http://127.0.0.1:4747/v1/sign-in/company/callback";

/** Whom a file names. */
export function vouchersOf(
  file: SignInFile,
  clock: Clock = systemClock,
  write: (line: string) => void = () => {},
) {
  return openVouchers({
    seal: UNSEALED,
    file,
    secret: "secret",
    certificateAuthorities: [],
    once: memoryOnce(),
    clock,
    ids: createIds(clock, systemRandomBytes),
    log: createLog({ level: "debug", format: "json", clock, write }),
  });
}

/** The one provider of a sign-in file, at a provider that says what it is told to. The clock stands where it is moved to. */
export async function openProvider(more = "") {
  const time = { now: systemClock() };
  const clock = () => time.now;
  const lying = await startLyingProvider(clock);
  const logged: string[] = [];
  const vouchers = await vouchersOf(fileFor(lying.issuer, more), clock, (line) => logged.push(line));
  const provider = vouchers.provider("company");
  if (provider === undefined) throw new Error("the file has no provider");
  return {
    lying,
    provider,
    vouchers,
    logged,
    advance: (seconds: number) => {
      time.now += seconds * 1000;
    },
    begin: () => begin(provider, time.now),
    /** Signs in with what the provider says next. */
    signIn: (change: SignInChange = {}) => signIn(lying, provider, time.now, change),
    [Symbol.dispose]: () => lying.stop(),
  };
}

interface SignInChange {
  /** What the callback's address has besides or instead; null leaves it out. */
  callback?: Record<string, string | null>;
  kept?: Partial<KeptState>;
  /** Whether the ID token has the nonce that was asked for; otherwise that of the claims. */
  withNonce?: boolean;
}

async function begin(provider: Provider, now: number) {
  const { url, kept } = await provider.begin({ purpose: "member", returnTo: "/", redirectUri: REDIRECT });
  return { url: new URL(url), kept: { ...kept, until: now + 600_000 } };
}

async function signIn(
  lying: LyingProvider,
  provider: Provider,
  now: number,
  { callback = {}, kept = {}, withNonce = true }: SignInChange,
) {
  const begun = await begin(provider, now);
  if (withNonce) lying.claims = { ...lying.claims, nonce: begun.kept.nonce };
  const url = new URL(REDIRECT);
  const all = { code: "good", state: begun.kept.state, ...callback };
  for (const [name, value] of Object.entries(all)) if (value !== null) url.searchParams.set(name, value);
  return provider.finish(url, { ...begun.kept, ...kept });
}
