import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpServer, type McpDeps } from "./mcp-server.ts";

/** Answers one message of the streamable HTTP transport. Nothing is kept from one to the next: there are no sessions. */
export async function answerMessage(deps: McpDeps, request: Request, message: unknown): Promise<Response> {
  const server = createMcpServer(deps);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const gone = Promise.withResolvers<Response>();
  const leave = () => gone.resolve(new Response(null, { status: 499 }));
  request.signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: message }), gone.promise]);
  } finally {
    request.signal.removeEventListener("abort", leave);
    await server.close();
  }
}
