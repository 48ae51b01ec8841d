import { Elysia } from "elysia";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { clientAddress } from "../../lib/address.ts";
import type { McpDeps } from "../../mcp/mcp.ts";
import type { Site } from "../../sites/sites.ts";
import { bearer, findSite } from "../guard/gate.ts";
import type { GuardDeps } from "../guard/guard.ts";
import { checkSentHere, type HostMatcher } from "../guard/host-check.ts";
import { type UnkeyedVisitor, unkeyedVisitor } from "../guard/unkeyed-visitor.ts";
import { readBody } from "../request/body.ts";

export interface McpRouteOptions {
  guard: GuardDeps;
  bodyBytesMax: number;
  bodyMs: number;
  /** The host names under which it answers, besides those that were given to the site. */
  isNamedHost: HostMatcher;
  publicUrl: () => string;
  /** What the tools of a site work with. */
  open(site: Site): Omit<McpDeps, "count">;
}

/** No message of an agent is as long, and what is wrong with one is told by quoting it. */
const MESSAGE_BYTES_MAX = 50_000;

/** `POST /mcp/{domain}`: what a client of the Model Context Protocol asks. There are no sessions, so nothing to listen to or end. */
export function mcpRoutes(options: McpRouteOptions) {
  const { guard, bodyMs: milliseconds } = options;
  const bytesMax = Math.min(options.bodyBytesMax, MESSAGE_BYTES_MAX);
  return new Elysia().post(
    "/mcp/:domain",
    async ({ request, params: { domain }, server }) => {
      checkSentHere(request, namedHosts(options, domain), options.publicUrl());
      const peer = server?.requestIP(request)?.address;
      const { site, enter, count } = await admitVisitor(guard, request, { domain, peer });
      const leave = enter();
      try {
        const bounds = { bytesMax, milliseconds, signal: request.signal };
        const message = await readBody(request, z.unknown(), bounds);
        // It takes long to load, and most servers never need it.
        const { answerMessage } = await import("../../mcp/over-http.ts");
        return await answerMessage({ ...options.open(site), count }, request, message);
      } finally {
        leave();
      }
    },
    { parse: "none" },
  );
}

/** A host name that was given to a site is named for that site. */
function namedHosts({ isNamedHost, guard }: McpRouteOptions, domain: string): HostMatcher {
  return (hostName) => isNamedHost(hostName) || guard.directory.byHostName(hostName)?.domain === domain;
}

/** An agent at a site's door. */
interface McpVisitor extends UnkeyedVisitor {
  site: Site;
}

/** Lets in whoever has a key for the site, and everyone where its content is public. What the key opens comes first. */
async function admitVisitor(
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
