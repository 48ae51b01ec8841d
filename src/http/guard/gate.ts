import { AppError } from "../../errors.ts";
import type { Caller } from "../../keys/keys.ts";
import { clientAddress, countedAddress } from "../../lib/address.ts";
import type { Charge, Standing } from "../../limits/limits.ts";
import type { SiteDirectory } from "../../sites/directory.ts";
import type { Site } from "../../sites/sites.ts";
import type { GuardDeps, MeterName, Meters } from "./guard.ts";

/** Who asks: known by the key, before anything else is. */
export interface Visitor {
  caller: Caller;
  address: string;
  /** Of the page that asks, where a browser says so. */
  origin: string | null;
  /** What was asked for. */
  url: string;
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
   * Takes a place among the address's streams, counts the request, and returns what gives the place back. `say` hears
   * where the sender stands with the limits, also where it is over one. Where the site is known only later, `admitTo`
   * counts the request to its own limit.
   */
  admit(visitor: Visitor, say: Say, site?: Site): Promise<() => void>;
  admitTo(site: Site, say: Say): Promise<void>;
}

/** The gate before requests that count to that meter. */
export function createGate(deps: GuardDeps, counting: MeterName, notFound?: string): Gate {
  const meters = deps.meters[counting];
  let warned = false;
  const count = async (charges: Charge[], say: Say): Promise<void> => {
    const standing = await deps.limits.take(charges);
    say(showStanding(standing));
    if (!standing.allowed) throw overLimit(standing.resetSeconds);
  };
  return {
    async identify(request, peer = "") {
      const from = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
      if (from.ignoredHeader && !warned) {
        warned = true;
        deps.log.warn("a forwarded header is not used: its sender is not in trusted_proxies", { peer });
      }
      const caller = await deps.keys.authenticate(bearer(request), from.address);
      return { caller, address: from.address, origin: request.headers.get("origin"), url: request.url };
    },

    siteFor({ caller, origin, url }, domain) {
      const site = findSite(deps.directory, (each) => caller.mayUse(each), domain, notFound);
      if (isOpenTo(site, origin) || deps.readerPasses.isFromReader(site, origin, url)) return site;
      throw new AppError("forbidden", "This site's assistant may not be used from this origin.");
    },

    async admit({ caller, address }, say, site) {
      const counted = countedAddress(address);
      // The place before the count: a message that finds none is not counted.
      const leave = deps.concurrency.enter(counted);
      if (!leave) throw overLimit(1, "Too many answers are being read from your address at the same time.");
      try {
        const charges = [
          { meter: meters.organization, subject: caller.organizationId },
          ...siteCharges(meters, site),
          ...meters.address.map((meter) => ({ meter, subject: counted })),
        ];
        await count(charges, say);
        return leave;
      } catch (error) {
        leave();
        throw error;
      }
    },

    admitTo: (site, say) => count(siteCharges(meters, site), say),
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
