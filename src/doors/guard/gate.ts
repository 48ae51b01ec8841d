import { AppError } from "@docent/kernel/errors";
import { clientAddress, countedAddress } from "@docent/kernel/lib/address";
import { hashSecret } from "@docent/kernel/lib/secrets";
import type { Caller } from "@docent/people/keys/keys";
import type { Charge, Standing } from "@docent/people/limits/limits";
import type { SiteDirectory } from "@docent/sites/site/directory";
import type { Site } from "@docent/sites/site/sites";
import type { GuardDeps, MeterName, Meters } from "./guard.ts";

/** Who asks: known by the key, before anything else is. */
export interface Visitor {
  caller: Caller;
  address: string;
  /** Of the page that asks, where a browser says so. */
  origin: string | null;
  /** What was asked for. */
  url: string;
  /** A server asks, for readers of whom only it knows how many they are: the address is that of all of them. */
  isServer: boolean;
}

/** What whoever was let in has taken. */
export interface Admitted {
  /** Gives back the place among the address's streams. */
  leave: () => void;
  /**
   * Counts a request that a server sends to the reader for whom it does: the body names them. Called once, before the
   * request costs more, also where its body is wrong. Raises `rate_limited`. Of everyone else nothing is left to count.
   */
  countReader(fp?: string): Promise<void>;
}

/** Hears the headers that say where a sender stands with the limits. */
type Say = (headers: Record<string, string>) => void;

/** The steps of the guard, one by one: for doors that learn from the body which site is meant. */
export interface Gate {
  /** Raises `unauthorized` for a stranger. */
  identify(request: Request, peer: string | undefined): Promise<Visitor>;
  /** The site of that domain. What the visitor may not use does not exist. */
  siteFor(visitor: Visitor, domain: string): Site;
  /**
   * Takes a place among the address's streams, and counts the request. `say` hears where the sender stands with the limits,
   * also where it is over one. Where the site is known only later, `admitTo` counts the request to its own limit.
   */
  admit(visitor: Visitor, say: Say, site?: Site): Promise<Admitted>;
  admitTo(site: Site, say: Say): Promise<void>;
}

/** The gate before requests that count to that meter. */
export function createGate(deps: GuardDeps, counted: MeterName, notFound?: string): Gate {
  const meters = deps.meters[counted];
  let warned = false;
  const counting = createCounting(deps, meters);
  return {
    async identify(request, peer = "") {
      const from = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
      if (from.ignoredHeader && !warned) {
        warned = true;
        deps.log.warn("a forwarded header is not used: its sender is not in trusted_proxies", { peer });
      }
      const caller = await deps.keys.authenticate(bearer(request), from.address);
      const isServer = caller.isServers || deps.isProxy(from.address) || !isBrowsers(request);
      return {
        caller,
        address: from.address,
        origin: request.headers.get("origin"),
        url: request.url,
        isServer,
      };
    },

    siteFor({ caller, origin, url }, domain) {
      const site = findSite(deps.directory, (each) => caller.mayUse(each), domain, notFound);
      if (isOpenTo(site, origin) || deps.readerPasses.isFromReader(site, origin, url)) return site;
      throw new AppError("forbidden", "This site's assistant may not be used from this origin.");
    },

    async admit(visitor, say, site) {
      const address = countedAddress(visitor.address);
      // The place before the count: a message that finds none is not counted.
      const leave = await (counted === "messages"
        ? deps.concurrency.enterEverywhere(address)
        : deps.concurrency.enter(address));
      if (!leave) throw overLimit(1, "Too many answers are being read from your address at the same time.");
      try {
        return { leave, countReader: await counting.begin(visitor, address, say, site) };
      } catch (error) {
        leave();
        throw error;
      }
    },

    admitTo: (site, say) => counting.count(siteCharges(meters, site), say),
  };
}

/** Counts requests to what limits them. */
function createCounting({ limits }: Pick<GuardDeps, "limits">, meters: Meters) {
  const obey = (standing: Standing, say: Say): void => {
    say(showStanding(standing));
    if (!standing.allowed) throw overLimit(standing.resetSeconds);
  };
  const count = async (charges: Charge[], say: Say) => obey(await limits.take(charges), say);
  return {
    count,
    /** Counts a request, and gives what is left to do when its body has been read. */
    async begin(
      { caller, isServer }: Visitor,
      address: string,
      say: Say,
      site: Site | undefined,
    ): Promise<Admitted["countReader"]> {
      const ofServers = isServer ? meters.ofServers : undefined;
      const charges = [
        { meter: meters.organization, subject: caller.organizationId },
        ...siteCharges(meters, site),
        ...(ofServers ?? meters).address.map((meter) => ({ meter, subject: address })),
      ];
      if (ofServers === undefined) {
        await count(charges, say);
        return async () => {};
      }
      // Whoever is over a limit is told so before the body is read.
      obey(await limits.check(charges), say);
      const ofReader = (fp: string) => ({ meter: ofServers.reader, subject: readerSubject(address, fp) });
      return (fp) => count(fp === undefined ? charges : [...charges, ofReader(fp)], say);
    },
  };
}

/** What a site's own limit counts, where it has one. */
export function siteCharges({ site: meter }: Meters, site: Site | undefined): Charge[] {
  const limit = site?.settings.hourlyMessages ?? 0;
  if (meter === undefined || site === undefined || limit === 0) return [];
  return [{ meter: { ...meter, limit }, subject: String(site.id) }];
}

/** Whether pages of that origin may use the site. What is no page has no origin. */
export const isOpenTo = ({ settings }: Site, origin: string | null) =>
  origin === null || settings.origins.length === 0 || settings.origins.includes(origin);

/** Pages can leave neither out; programs need not send them. */
const isBrowsers = ({ headers }: Request) => headers.has("origin") || headers.has("sec-fetch-mode");

/** Whom a server asks for: of their name nothing is kept. */
const readerSubject = (address: string, fp: string) => hashSecret(JSON.stringify([address, fp]));

/** Some clients leave "Bearer " out. */
export function bearer(request: Request): string | undefined {
  return (
    request.headers
      .get("authorization")
      ?.replace(/^bearer\s+/i, "")
      .trim() || undefined
  );
}

/** A site by its identifier, or by the host its docs are published under, within what the key may see. */
export function findSite(
  directory: SiteDirectory,
  isSeen: (site: Site) => boolean,
  domain: string,
  notFound = "Not found",
): Site {
  const byDomain = directory.byDomain(domain);
  if (byDomain && isSeen(byDomain)) return byDomain;
  const [byHost, another] = directory.byHost(domain.toLowerCase()).filter(isSeen);
  if (byHost && !another) return byHost;
  throw new AppError("not_found", notFound);
}

function showStanding({ limit, remaining, resetSeconds }: Standing): Record<string, string> {
  if (limit === 0) return {};
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  };
}

/** What is said to whoever has asked too often. */
export function overLimit(
  retryAfterSeconds: number,
  message = "Too many requests. Please try again later.",
): AppError {
  return new AppError("rate_limited", message, { retryAfterSeconds });
}
