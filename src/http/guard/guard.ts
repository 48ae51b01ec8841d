import { Elysia } from "elysia";
import type { Caller, Keys } from "../../keys/keys.ts";
import type { AddressMatcher } from "../../lib/address.ts";
import type { Log } from "../../lib/log.ts";
import type { Concurrency } from "../../limits/concurrency.ts";
import type { Limits, Meter } from "../../limits/limits.ts";
import type { SiteDirectory } from "../../sites/directory.ts";
import type { Site } from "../../sites/sites.ts";
import { createGate } from "./gate.ts";
import type { ReaderPasses } from "./reader-pass.ts";

/** What is counted apart. Every door that does the same counts to the same. */
export type MeterName = "messages" | "searches" | "pages" | "feedback" | "events";

/** What an organization's callers may do together, and what one address may. */
export interface Meters {
  organization: Meter;
  /** What a site's readers may do, as far as the site itself sets a limit within its organization's. */
  site?: Meter;
  address: Meter[];
}

export interface GuardDeps {
  keys: Keys;
  directory: SiteDirectory;
  limits: Limits;
  concurrency: Concurrency;
  meters: Record<MeterName, Meters>;
  isProxy: AddressMatcher;
  /** The built-in reader may use a site that names the origins it is open to. */
  readerPasses: ReaderPasses;
  log: Log;
}

/** What a guarded route knows of who asks. */
export type Guarded = {
  caller: Caller;
  site: Site;
  address: string;
  /** Headers that say where the caller stands with its limits. */
  limitHeaders: Record<string, string>;
  /** Gives back the place among the address's streams. */
  leave: () => void;
};

/**
 * Key, then site, then limits: a stranger learns nothing, not even whether a site exists. The body is read after it,
 * by the route. It has no name, on purpose: Elysia merges plugins of one name, whatever they were given. `notFound` is
 * what is said of a site that is not there, for a route that says the same of something else.
 */
export function guardPlugin(deps: GuardDeps, counting: MeterName, notFound?: string) {
  const gate = createGate(deps, counting, notFound);
  return new Elysia().derive({ as: "scoped" }, async ({ request, params, server, set }): Promise<Guarded> => {
    const visitor = await gate.identify(request, server?.requestIP(request)?.address);
    const site = gate.siteFor(visitor, params["domain"] ?? "");
    const limitHeaders: Record<string, string> = {};
    const say = (standing: Record<string, string>) => {
      Object.assign(set.headers, Object.assign(limitHeaders, standing));
    };
    const leave = await gate.admit(visitor, say, site);
    return { caller: visitor.caller, site, address: visitor.address, limitHeaders, leave };
  });
}
