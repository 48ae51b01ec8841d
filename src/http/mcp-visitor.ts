import { AppError } from "../errors.ts";
import { clientAddress, countedAddress } from "../lib/address.ts";
import type { Site } from "../sites/sites.ts";
import { bearer, findSite } from "./gate.ts";
import type { GuardDeps, MeterName } from "./guard.ts";

/** An agent at a site's door. */
export interface McpVisitor {
  site: Site;
  /** Takes a place among the address's requests, and returns what gives it back. */
  enter(): () => void;
  /** Counts one use of a tool. Raises `rate_limited`. */
  count(what: MeterName): Promise<void>;
}

/** Lets in whoever has a key for the site, and everyone where its content is public. What the key opens comes first. */
export async function admitVisitor(
  deps: GuardDeps,
  request: Request,
  { domain, peer = "" }: { domain: string; peer: string | undefined },
): Promise<McpVisitor> {
  const { address } = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
  const site = await findOpenSite(deps, request, domain, address);
  const counted = countedAddress(address);
  return {
    site,
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

async function findOpenSite(
  deps: GuardDeps,
  request: Request,
  domain: string,
  address: string,
): Promise<Site> {
  try {
    const caller = await deps.keys.authenticate(bearer(request), address);
    return findSite(deps.directory, (site) => caller.mayUse(site), domain);
  } catch (error) {
    // Only then: another organization's site may be called as the host of the one that the key is for.
    const named = deps.directory.byDomain(domain);
    if (error instanceof AppError && named?.settings.public) return named;
    throw error;
  }
}

const overLimit = (retryAfterSeconds: number) =>
  new AppError("rate_limited", "Too many requests. Please try again later.", { retryAfterSeconds });
