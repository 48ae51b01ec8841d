import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import { offWhileSealed, type Seal } from "@docent/kernel/lib/seal/seal";
import { type Agents, createAgents } from "./agents.ts";
import { createKeptStates, type KeptStates } from "./kept-state.ts";
import type { Provider } from "./providers.ts";
import { createProxy, type SignInProxy } from "./proxy.ts";
import type { SignInFile } from "./sign-in-file.ts";
import type { OnceStore } from "./stores.ts";

export type { Agents } from "./agents.ts";
export { ASYMMETRIC_ALGORITHMS } from "./algorithms.ts";
export type { KeptState, KeptStates, Purpose } from "./kept-state.ts";
export { PURPOSES } from "./kept-state.ts";
export type { MemberRules } from "./member-rules.ts";
export { grantedBy } from "./member-rules.ts";
export type { Provided, Provider, ReaderSessions } from "./providers.ts";
export { SignInFault } from "./sign-in-fault.ts";
export { readSignInFile, type SignInFile } from "./sign-in-file.ts";

/** Somebody, as a provider, a proxy or a site's own token knows them. */
export interface Identity {
  /** Who vouches for them. With `subject` it tells them from everybody else. */
  issuer: string;
  subject: string;
  /** What they are called; undefined where nobody says. */
  name: string | undefined;
  groups: readonly string[];
}

/** Whoever the operator named to say who somebody is. */
export interface Vouchers {
  providers: readonly Provider[];
  /** The provider of that name. */
  provider(name: string): Provider | undefined;
  /** Agents with access tokens of the providers, where one gives them any. */
  agents: Agents | undefined;
  /** The proxy that signs in, where there is one. */
  proxy: SignInProxy | undefined;
  /** What a browser keeps between leaving for a provider and coming back. */
  states: KeptStates;
  /** Remembers what may be used once. */
  once: OnceStore;
}

interface VouchersOptions {
  file: SignInFile;
  /** Signs what browsers keep. */
  secret: string;
  /** Certificate authorities (PEM) that are trusted besides the usual ones. */
  certificateAuthorities: readonly string[];
  seal: Seal;
  once: OnceStore;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/**
 * Opens all that the sign-in file names. Nothing is asked of a provider before somebody comes by it; in a sealed process,
 * which cannot ask, there is none.
 */
export async function openVouchers(options: VouchersOptions): Promise<Vouchers> {
  const { once, clock, secret, log, seal } = options;
  const file = seal.isSealed ? { ...options.file, providers: [] } : options.file;
  if (file.providers.length < options.file.providers.length)
    log.warn(offWhileSealed("providers of sign_in_file are"), {
      providers: options.file.providers.map(({ name }) => name),
    });
  // Most servers have none, and load nothing of it.
  const open = file.providers.length === 0 ? undefined : (await import("./oidc/oidc.ts")).createProvider;
  const providers =
    open === undefined ? [] : file.providers.map((each) => open({ ...options, settings: each }));
  const byName = new Map(providers.map((each) => [each.name, each]));
  return {
    providers,
    provider: (name) => byName.get(name),
    agents: createAgents(providers),
    proxy: file.proxy === undefined ? undefined : createProxy(file.proxy, log),
    states: createKeptStates({ secret, clock, once }),
    once,
  };
}
