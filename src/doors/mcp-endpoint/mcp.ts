import { AppError } from "@docent/kernel/errors";
import { clientAddress } from "@docent/kernel/lib/address";
import { type Reader, readerOf } from "@docent/people/readers/readers";
import { isReadWithoutKey, type Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { errorShape } from "../error-shapes.ts";
import {
  bearer,
  checkSentHere,
  findSite,
  type GuardDeps,
  type HostMatcher,
  KEYED_ERRORS,
  type UnkeyedVisitor,
  unkeyedVisitor,
} from "../guard/guard.ts";
import type { McpDeps } from "../mcp/mcp.ts";
import { type ArrivedRequest, type Guard, gives, notFound, type Operation, operation } from "../operation.ts";
import { describedAs } from "../request/fields.ts";
import { challengeOf, type ResourceOptions, resourceOf, resourceOperation } from "./resource.ts";

export { resourceAtRootPlugin } from "./resource.ts";

export interface McpOptions extends ResourceOptions {
  guard: GuardDeps;
  /** The settings it reads, under their own names. */
  settings: { body_bytes: number };
  /** The host names under which it answers, besides those that were given to the site. */
  isNamedHost: HostMatcher;
  /** Opens what the tools of a site work with. */
  open(asked: Pick<McpDeps, "site" | "audience">): Omit<McpDeps, "count">;
}

/** No message of an agent is as long, and what is wrong with one is told by quoting it. */
const MESSAGE_BYTES_MAX = 50_000;

const messageShape = z.lazy(() => z.looseObject({ jsonrpc: z.literal("2.0") }).meta({ id: "McpMessage" }));
const messagesShape = z.lazy(() =>
  z.union([messageShape, z.array(messageShape)]).meta({ id: "McpMessages" }),
);
const faultShape = z.lazy(() => z.union([errorShape, messageShape]));
/** Anything: what is no message is answered with an error of the protocol's own, in a batch beside the other answers. */
const requestSchema = z.lazy(() =>
  describedAs(z.unknown(), z.union([messageShape, z.array(z.unknown())]).meta({ id: "McpRequest" })),
);

/** What is at the address of a site's server, and what tells where to get a token for it. */
export const mcpOperations = (options: McpOptions): Operation[] => [
  mcpOperation(options),
  resourceOperation(options),
];

/** Answers a client of the Model Context Protocol. There are no sessions, so nothing to listen to or end. */
function mcpOperation(options: McpOptions): Operation {
  return operation({
    id: "sendMcpMessage",
    method: "POST",
    path: "/mcp/:domain",
    tag: "MCP",
    guard: mcpGuard(options),
    summary: "Answer a message of the Model Context Protocol",
    description:
      "Streamable HTTP, answered with JSON. A batch is of revision 2025-03-26 alone. A public site needs no key, and neither " +
      "does a known reader of a site for readers who have signed in, or an agent with an access token of theirs.",
    body: requestSchema,
    bodyBytesMax: Math.min(options.settings.body_bytes, MESSAGE_BYTES_MAX),
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    replies: {
      ...gives(200, "The message that answers it, or those that answer a batch.", messagesShape),
      ...gives(202, "A message that needs no answer."),
      ...gives(400, "`invalid_request`, or what is no message of the protocol.", faultShape),
      ...gives(404, "`not_found`, or a method that the protocol does not have.", faultShape),
      ...gives(406, "`accept` does not take JSON.", messageShape),
    },
    async run({ request, body, site, reader, count, leave }) {
      try {
        const message = await body();
        // MCP takes long to load, and most servers never need it.
        const { answerMessage } = await import("../mcp/over-http.ts");
        const opened = options.open({ site, audience: reader.audience });
        return await answerMessage({ ...opened, count }, request, message);
      } finally {
        leave();
      }
    },
  });
}

interface McpGuarded extends Pick<UnkeyedVisitor, "count"> {
  site: Site;
  reader: Reader;
  leave: () => void;
}

/** Where it was sent comes first, then who asks, and for which site. */
function mcpGuard(options: McpOptions): Guard<McpGuarded> {
  return {
    opens: "public",
    errors: KEYED_ERRORS,
    async admit(sent) {
      const { request, params, peer } = sent;
      const domain = params["domain"] ?? "";
      checkSentHere(request, namedHosts(options, domain), options.publicUrl());
      const { enter, ...visitor } = await orChallenge(options, sent, domain, async () => {
        const agent = await readerOfAgent(options, request, domain);
        return admitVisitor(options.guard, request, { domain, peer: peer(), agent });
      });
      return { ...visitor, leave: enter() };
    },
  };
}

/** A host name that was given to a site is named for that site. */
function namedHosts({ isNamedHost, guard }: McpOptions, domain: string): HostMatcher {
  return (hostName) => isNamedHost(hostName) || guard.directory.byHostName(hostName)?.domain === domain;
}

/** An agent that was let in to a site. */
interface McpVisitor extends UnkeyedVisitor {
  site: Site;
  reader: Reader;
}

/**
 * Lets in whoever has a key for the site, and everyone where its content is public; where its readers sign in, known readers,
 * with a key or without, and agents with an access token. What the key opens comes first.
 */
async function admitVisitor(
  deps: GuardDeps,
  request: Request,
  { domain, peer = "", agent }: { domain: string; peer: string | undefined; agent: Reader | undefined },
): Promise<McpVisitor> {
  const { address } = clientAddress(peer, request.headers.get("x-forwarded-for"), deps.isProxy);
  const site = agent ? findReadSite(deps, domain) : await findOpenSite(deps, request, domain, address);
  const reader = agent ?? (await deps.readers.admit(request, site, peer));
  return { ...unkeyedVisitor(deps, request, { site, peer }), site, reader };
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
    if (error instanceof AppError && named && isReadWithoutKey(named)) return named;
    throw error;
  }
}

/** A site that needs no key. Any other one is not there for who has a token alone. */
function findReadSite({ directory }: GuardDeps, domain: string): Site {
  const named = directory.byDomain(domain);
  return named && isReadWithoutKey(named) ? named : notFound();
}

/** Docent's own keys, which no provider gives. */
const OWN_KEY = /^docent_/;

/** The token in the header. Nothing else is looked at: what stands in an address is kept by whoever passes it on. */
function accessTokenIn({ headers }: Request): string | undefined {
  const token = /^bearer +(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1];
  return token === undefined || OWN_KEY.test(token) ? undefined : token;
}

/** Whom an agent reads for; undefined where it brought no access token. Raises `unauthorized` for one that is not good. */
async function readerOfAgent(
  { agents, publicUrl }: ResourceOptions,
  request: Request,
  domain: string,
): Promise<Reader | undefined> {
  const token = accessTokenIn(request);
  if (agents === undefined || token === undefined) return undefined;
  return readerOf(await agents.identify(token, resourceOf(publicUrl(), domain)));
}

/** Lets in as `admit` does, and tells whoever is refused for want of a good token where to get one. */
async function orChallenge<Who>(
  { agents, publicUrl }: ResourceOptions,
  { request, replyHeaders }: Pick<ArrivedRequest, "request" | "replyHeaders">,
  domain: string,
  admit: () => Promise<Who>,
): Promise<Who> {
  try {
    return await admit();
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === "unauthorized";
    const hasToken = request.headers.has("authorization");
    if (isRefused && agents !== undefined)
      replyHeaders["www-authenticate"] = challengeOf(agents, publicUrl(), { domain, hasToken });
    throw error;
  }
}
