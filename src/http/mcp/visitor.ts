import { AppError } from "../../errors.ts";
import { clientAddress } from "../../lib/address.ts";
import type { Site } from "../../sites/sites.ts";
import { bearer, findSite } from "../guard/gate.ts";
import type { GuardDeps } from "../guard/guard.ts";
import { type UnkeyedVisitor, unkeyedVisitor } from "../guard/unkeyed-visitor.ts";

/** An agent at a site's door. */
export interface McpVisitor extends UnkeyedVisitor {
  site: Site;
}

/** Lets in whoever has a key for the site, and everyone where its content is public. What the key opens comes first. */
export async function admitVisitor(
  deps: GuardDeps,
  request: Request,
  { domain, peer = "" }: { domain: string; peer: string | undefined },
): Promise<McpVisitor> {
  const { address } = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
  const site = await findOpenSite(deps, request, domain, address);
  return { site, ...unkeyedVisitor(deps, request, { site, peer }) };
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
