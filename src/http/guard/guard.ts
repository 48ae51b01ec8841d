import type { ErrorCode } from "../../errors.ts";
import type { Caller, Keys } from "../../keys/keys.ts";
import type { AddressMatcher } from "../../lib/address.ts";
import type { Log } from "../../lib/log.ts";
import type { Concurrency } from "../../limits/concurrency.ts";
import type { Limits, Meter } from "../../limits/limits.ts";
import type { SiteDirectory } from "../../sites/directory.ts";
import type { Site } from "../../sites/sites.ts";
import type { Guard } from "../operation.ts";
import { createGate } from "./gate.ts";
import type { ReaderPasses } from "./reader-pass.ts";

export { corsPlugin } from "./cors.ts";
export {
  bearer,
  createGate,
  findSite,
  type Gate,
  isOpenTo,
  overLimit,
  siteCharges,
  type Visitor,
} from "./gate.ts";
export {
  checkOwnPage,
  checkSentHere,
  createHostMatcher,
  type HostMatcher,
  hostNameOf,
  refuseOtherSites,
} from "./host-check.ts";
export { createReaderPasses, type ReaderPasses } from "./reader-pass.ts";
export { type UnkeyedVisitor, unkeyedVisitor } from "./unkeyed-visitor.ts";

/** The kinds of requests that are counted, each by itself. All doors of one kind share its count. */
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

/** What an operation knows of who asks with an assistant key. */
export type Guarded = {
  caller: Caller;
  site: Site;
  address: string;
  /** Headers that say where the caller stands with its limits. */
  limitHeaders: Record<string, string>;
  /** Gives back the place among the address's streams. */
  leave: () => void;
};

/** What whoever uses an assistant key may be answered in place of a reply. */
export const KEYED_ERRORS: readonly ErrorCode[] = [
  ...(["invalid_request", "unauthorized", "forbidden", "not_found", "too_large"] as const),
  ...(["unsupported_media_type", "rate_limited", "internal", "unavailable"] as const),
];

/**
 * Key, then site, then limits: a stranger learns nothing, not even whether a site exists. `notFound` is what is said of a
 * site that is not there, for an operation that says the same of something else.
 */
export function siteGuard(deps: GuardDeps, counting: MeterName, notFound?: string): Guard<Guarded> {
  const gate = createGate(deps, counting, notFound);
  return {
    opens: "assistant",
    errors: KEYED_ERRORS,
    async admit({ request, params, peer, replyHeaders }) {
      const visitor = await gate.identify(request, peer());
      const site = gate.siteFor(visitor, params["domain"] ?? "");
      const limitHeaders: Record<string, string> = {};
      const say = (standing: Record<string, string>) => {
        Object.assign(replyHeaders, Object.assign(limitHeaders, standing));
      };
      const leave = await gate.admit(visitor, say, site);
      return { caller: visitor.caller, site, address: visitor.address, limitHeaders, leave };
    },
  };
}
