import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { Agents } from "@docent/people/identity/identity";
import { Elysia } from "elysia";
import { z } from "zod";
import { gives, noGuard, notFound, type Operation, operation, reply } from "../operation.ts";

/** How agents come to an access token, as RFC 9728 and the protocol's own specification have it. */
export interface ResourceOptions {
  /** Agents with access tokens; undefined where no provider gives them any. */
  agents: Agents | undefined;
  publicUrl: () => string;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The address of a site's server, by which clients and providers know it. */
export const resourceOf = (publicUrl: string, domain: string) =>
  new URL(`${publicUrl}/mcp/${encodeURIComponent(domain)}`).href;

/** What is said of every name, whether there is such a site or not. */
function metadataOf({ issuers, scopes }: Agents, publicUrl: string, domain: string) {
  return {
    resource: resourceOf(publicUrl, domain),
    authorization_servers: issuers,
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
    resource_name: `The documentation of ${domain}`,
  };
}

const metadataShape = z.lazy(() =>
  z
    .object({
      resource: z.string(),
      authorization_servers: z.array(z.string()),
      scopes_supported: z.array(z.string()).optional(),
      bearer_methods_supported: z.array(z.string()),
      resource_name: z.string(),
    })
    .meta({ id: "McpResourceMetadata" }),
);

/** Tells an agent where to get an access token. */
export function resourceOperation({ agents, publicUrl }: ResourceOptions): Operation {
  return operation({
    id: "getMcpResourceMetadata",
    method: "GET",
    path: `${WELL_KNOWN}/mcp/:domain`,
    tag: "MCP",
    guard: noGuard,
    summary: "Read where an agent gets an access token for a site",
    description:
      "Protected resource metadata (RFC 9728). It says the same of a site that does not exist. Without a provider that has " +
      "`mcp_audience` there is none.",
    replies: gives(200, "What the agent needs to know.", metadataShape),
    run({ param }) {
      const domain = param("domain");
      if (agents === undefined || domain === "") notFound();
      return reply(metadataOf(agents, publicUrl(), domain));
    },
  });
}

/**
 * The same at the place that RFC 9728 gives to it where the public address has a path: that path stands behind the
 * well-known part, outside of the base path. Programs of every origin may read it there as well.
 */
export function resourceAtRootPlugin({ agents, publicUrl }: ResourceOptions) {
  return new Elysia().onRequest(({ request }) => {
    const path = URL.parse(request.url)?.pathname ?? "";
    if (agents === undefined || !path.startsWith(`${WELL_KNOWN}/`)) return;
    const below = new URL(publicUrl()).pathname.replace(/\/$/, "");
    const place = `${WELL_KNOWN}${below}/mcp/`;
    const domain = decodePercent(path.slice(place.length));
    if (below === "" || !path.startsWith(place) || !/^[^/]+$/.test(domain)) return;
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: OPEN });
    if (!["GET", "HEAD"].includes(request.method)) return;
    return Response.json(metadataOf(agents, publicUrl(), domain), { headers: OPEN });
  });
}

const OPEN = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

/** What a refusal says in the header `www-authenticate`: where the metadata is, and whether a token was brought. */
export function challengeOf(
  { scopes }: Agents,
  publicUrl: string,
  { domain, hasToken }: { domain: string; hasToken: boolean },
): string {
  // Below the public address, which every proxy passes on.
  const metadata = new URL(`${publicUrl}${WELL_KNOWN}/mcp/${encodeURIComponent(domain)}`).href;
  const parts = [
    `resource_metadata="${metadata}"`,
    ...(hasToken ? ['error="invalid_token"'] : []),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
  ];
  return `Bearer ${parts.join(", ")}`;
}
