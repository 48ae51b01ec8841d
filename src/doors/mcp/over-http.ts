import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { answerBatch, refused } from "./batch.ts";
import { createMcpServer, type McpDeps } from "./mcp.ts";

/** The revision of a request that names none: later ones must be named. */
const UNNAMED_REVISION = "2025-03-26";
const NOT_ACCEPTABLE = 406;
/** Only the log sees it: the connection is closed. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Answers a post to the streamable HTTP transport, in the revision of the request itself. Nothing is kept
 * between requests: there are no sessions.
 */
export async function answerMessage(deps: McpDeps, request: Request, message: unknown): Promise<Response> {
  if (!takesJson(request.headers.get("accept")))
    return refused("Not Acceptable: answers are application/json.", NOT_ACCEPTABLE);
  if (Array.isArray(message)) {
    const revision = request.headers.get("mcp-protocol-version") ?? UNNAMED_REVISION;
    return answerBatch(message, revision, (each) => answerWithSession(deps, request, each));
  }
  return (await isLegacyRequest(request, message))
    ? answerWithSession(deps, request, message)
    : answerAlone(deps, request, message);
}

/**
 * Answers a message of the revisions from 2026-07-28 on, which contains everything that a session would know.
 */
async function answerAlone(deps: McpDeps, request: Request, message: unknown): Promise<Response> {
  let fault: Error | undefined;
  const { fetch: handle, close } = createMcpHandler(() => createMcpServer(deps), {
    legacy: "reject",
    onerror: (error) => {
      fault = error;
    },
  });
  try {
    const response = await handle(request, { parsedBody: message });
    if (response.status >= 500) deps.log.error("an MCP request failed", { error: fault });
    return response;
  } finally {
    await close();
  }
}

/** Answers a message of a revision with sessions, which the transport lets a server do without. */
async function answerWithSession(deps: McpDeps, request: Request, message: unknown): Promise<Response> {
  const server = createMcpServer(deps);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const gone = Promise.withResolvers<Response>();
  const leave = () => gone.resolve(new Response(null, { status: CLIENT_CLOSED_REQUEST }));
  request.signal.addEventListener("abort", leave, { once: true });
  if (request.signal.aborted) leave();
  try {
    const answered = transport.handleRequest(acceptingBoth(request), { parsedBody: message });
    return await Promise.race([answered, gone.promise]);
  } finally {
    request.signal.removeEventListener("abort", leave);
    await server.close();
  }
}

/** The transport requires clients to accept an event stream too, although it is told to answer with JSON. */
function acceptingBoth({ url, method, headers }: Request): Request {
  const both = new Headers(headers);
  both.set("accept", "application/json, text/event-stream");
  return new Request(url, { method, headers: both });
}

/** Whether a client accepts JSON. One without an accept header accepts anything. */
function takesJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === "") return true;
  return accept
    .split(",")
    .map((range) => range.split(";")[0]?.trim().toLowerCase() ?? "")
    .some((type) => ["application/json", "application/*", "*/*"].includes(type));
}
