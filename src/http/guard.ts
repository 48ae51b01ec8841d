import { Elysia } from "elysia";
import { AppError } from "../errors.ts";
import type { Caller, Keys } from "../keys/keys.ts";
import { type AddressMatcher, clientAddress, countedAddress } from "../lib/address.ts";
import type { Log } from "../lib/log.ts";
import type { Concurrency } from "../limits/concurrency.ts";
import type { Limits, Meter, Standing } from "../limits/limits.ts";
import type { SiteDirectory } from "../sites/directory.ts";
import type { Site } from "../sites/sites.ts";

/** What is counted apart. Every door that does the same counts to the same. */
export type MeterName = "messages" | "searches" | "pages";

/** What an organization's callers may do together, and what one address may. */
export interface Meters {
  organization: Meter;
  address: Meter[];
}

export interface GuardDeps {
  keys: Keys;
  directory: SiteDirectory;
  limits: Limits;
  concurrency: Concurrency;
  meters: Record<MeterName, Meters>;
  isProxy: AddressMatcher;
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
 * by the route. It has no name, on purpose: Elysia merges plugins of one name, whatever they were given.
 */
export function guardPlugin(deps: GuardDeps, counting: MeterName) {
  const meters = deps.meters[counting];
  let warned = false;
  return new Elysia().derive({ as: "scoped" }, async ({ request, params, server, set }): Promise<Guarded> => {
    const peer = server?.requestIP(request)?.address ?? "";
    const from = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
    if (from.ignoredHeader && !warned) {
      warned = true;
      deps.log.warn("a forwarded header is not used: its sender is not in trusted_proxies", { peer });
    }
    const caller = await deps.keys.authenticate(bearer(request), from.address);
    const site = findSite(deps.directory, caller, params["domain"] ?? "");
    checkOrigin(site, request.headers.get("origin"));
    const counted = countedAddress(from.address);
    // The place before the count: a message that finds none is not counted.
    const leave = deps.concurrency.enter(counted);
    if (!leave) throw overLimit(1, "Too many answers are being read from your address at the same time.");
    try {
      const standing = await deps.limits.take([
        { meter: meters.organization, subject: site.organizationId },
        ...meters.address.map((meter) => ({ meter, subject: counted })),
      ]);
      const limitHeaders = showStanding(standing);
      Object.assign(set.headers, limitHeaders);
      if (!standing.allowed) throw overLimit(standing.resetSeconds);
      return { caller, site, address: from.address, limitHeaders, leave };
    } catch (error) {
      leave();
      throw error;
    }
  });
}

/** Some clients leave "Bearer " out. */
function bearer(request: Request): string | undefined {
  return (
    request.headers
      .get("authorization")
      ?.replace(/^bearer\s+/i, "")
      .trim() || undefined
  );
}

/** A site by its identifier, or by the host its docs are published under, within what the key may see. */
function findSite(directory: SiteDirectory, caller: Caller, domain: string): Site {
  const byDomain = directory.byDomain(domain);
  if (byDomain && caller.mayUse(byDomain)) return byDomain;
  const [byHost, another] = directory.byHost(domain.toLowerCase()).filter((site) => caller.mayUse(site));
  if (byHost && !another) return byHost;
  throw new AppError("not_found", "Not found");
}

function checkOrigin({ settings }: Site, origin: string | null): void {
  if (origin === null || settings.origins.length === 0 || settings.origins.includes(origin)) return;
  throw new AppError("forbidden", "This site's assistant may not be used from this origin.");
}

function showStanding({ limit, remaining, resetSeconds }: Standing): Record<string, string> {
  if (limit === 0) return {};
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  };
}

function overLimit(
  retryAfterSeconds: number,
  message = "Too many requests. Please try again later.",
): AppError {
  return new AppError("rate_limited", message, { retryAfterSeconds });
}
