import { AppError, type ErrorCode } from "@docent/kernel/errors";
import {
  type AddressMatcher,
  clientAddress,
  countedAddress,
  matchAddresses,
} from "@docent/kernel/lib/address";
import type { Clock } from "@docent/kernel/lib/clock";
import { type Log, logFailure } from "@docent/kernel/lib/log";
import type { Caller, Keys } from "@docent/people/keys/keys";
import { type Concurrency, createConcurrency, type PlaceStore } from "@docent/people/limits/concurrency";
import { createLimits, type LimitStore, type Limits, type Meter } from "@docent/people/limits/limits";
import type { Reader } from "@docent/people/readers/readers";
import type { SiteDirectory } from "@docent/sites/site/directory";
import type { Site } from "@docent/sites/site/sites";
import type { Asked, Guard } from "../operation.ts";
import { type Admitted, createGate, overLimit } from "./gate.ts";
import { createMeters, type MeterSettings } from "./meters.ts";
import type { ReaderPasses } from "./reader-pass.ts";
import type { SiteReaders } from "./site-readers.ts";

export {
  type Admitted,
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
export { createSiteReaders, type ReaderSource, type SiteReaders } from "./site-readers.ts";
/** The kinds of requests that are counted, each by itself. All doors of one kind share its count. */
export type MeterName = "messages" | "searches" | "pages" | "feedback" | "events" | "handOvers" | "resumes";

/** What an organization's callers may do together, and what one address may. */
export interface Meters {
  organization: Meter;
  /** What a site's readers may do, as far as the site itself sets a limit within its organization's. */
  site?: Meter;
  address: Meter[];
  /** What takes the place of `address` where a server asks for its readers, all of them from one address. */
  ofServers?: { address: Meter[]; reader: Meter };
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
  readers: SiteReaders;
  log: Log;
}

/** The settings it reads, under their own names. */
interface GuardSettings extends MeterSettings {
  /** Addresses and networks whose X-Forwarded-For header is believed. */
  trusted_proxies: readonly string[];
  /** Answers that one address may be reading at the same time. 0 is no limit. */
  address_streams: number;
  /** Counters that are held in memory. */
  limit_subjects: number;
}

interface GuardOptions extends Pick<GuardDeps, "keys" | "directory" | "readerPasses" | "readers" | "log"> {
  settings: GuardSettings;
  store: LimitStore;
  /** Of several servers. */
  places: PlaceStore | undefined;
  clock: Clock;
}

/** Opens what guards count and ask. Raises `invalid_request` where the settings name a proxy that is no address. */
export function openGuard({ settings, store, places, clock, ...deps }: GuardOptions): GuardDeps {
  return {
    ...deps,
    limits: createLimits({ store, clock, maxSubjects: settings.limit_subjects }),
    concurrency: createConcurrency(settings.address_streams, {
      places,
      onFailure: (error) => logFailure(deps.log, "a place could not be given back", error),
    }),
    meters: createMeters(settings),
    isProxy: proxyMatcher(settings),
  };
}

/** Matches the addresses of the operator's proxies. */
function proxyMatcher({ trusted_proxies }: GuardSettings): AddressMatcher {
  const { matches, fault } = matchAddresses(trusted_proxies);
  if (fault === undefined) return matches;
  throw new AppError("invalid_request", `trusted_proxies: ${fault} is not an address or a network.`, {
    hint: "Write addresses and networks such as 10.0.0.7 or 10.0.0.0/8, with commas between them.",
  });
}

/** What an operation knows of who asks with an assistant key. */
export type Guarded = {
  caller: Caller;
  site: Site;
  reader: Reader;
  address: string;
  /** Headers that say where the caller stands with its limits. */
  limitHeaders: Record<string, string>;
} & Admitted;

/** What whoever uses an assistant key may be answered in place of a reply. */
export const KEYED_ERRORS: readonly ErrorCode[] = [
  ...(["invalid_request", "unauthorized", "forbidden", "not_found", "too_large"] as const),
  ...(["unsupported_media_type", "rate_limited", "internal", "unavailable"] as const),
];

/**
 * Key, then site, then who reads, then limits: a stranger learns nothing, not even whether a site exists. `notFound` is what is said of a
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
      // Before the limits: who may not read takes nothing from those who may.
      const reader = await deps.readers.admit(request, site, peer() ?? "");
      const limitHeaders: Record<string, string> = {};
      const say = (standing: Record<string, string>) => {
        Object.assign(replyHeaders, Object.assign(limitHeaders, standing));
      };
      const admitted = await gate.admit(visitor, say, site);
      return {
        caller: visitor.caller,
        site,
        reader,
        address: visitor.address,
        limitHeaders,
        ...admitted,
      };
    },
  };
}

/** Reads a body, and counts the request to the reader whom it names: one that is wrong counts as well. */
export async function countedBody<Body>(
  { body, countReader }: Pick<Asked<Admitted, Body, never>, "body" | "countReader">,
  signal: AbortSignal,
  fpIn: (body: Body) => string,
): Promise<Body> {
  const read = await body(signal).catch(async (error) => {
    await countReader();
    throw error;
  });
  await countReader(fpIn(read));
  return read;
}

/** Somebody at a door of one site that may be open without a key. */
export interface UnkeyedVisitor {
  address: string;
  /** Takes a place among the address's requests, and returns what gives it back. Raises `rate_limited`. */
  enter(): () => void;
  /** Counts one use to the site's organization and to the address. Raises `rate_limited`. */
  count(what: MeterName): Promise<void>;
}

/** Counts who is not known by a key as it counts everyone else. */
export function unkeyedVisitor(
  deps: Pick<GuardDeps, "limits" | "concurrency" | "meters" | "isProxy">,
  request: Request,
  { site, peer = "" }: { site: Site; peer: string | undefined },
): UnkeyedVisitor {
  const { address } = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
  const counted = countedAddress(address);
  return {
    address,
    enter() {
      const leave = deps.concurrency.enter(counted);
      if (leave) return leave;
      throw overLimit(1);
    },
    async count(what) {
      const meters = deps.meters[what];
      const standing = await deps.limits.take([
        { meter: meters.organization, subject: site.organizationId },
        ...meters.address.map((meter) => ({ meter, subject: counted })),
      ]);
      if (!standing.allowed) throw overLimit(standing.resetSeconds);
    },
  };
}
