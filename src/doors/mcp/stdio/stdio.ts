import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { createMcpServer, type McpDeps } from "../mcp.ts";
import { createLineTransport, type LineStreams } from "./line-transport.ts";

/**
 * Serves one client, line by line, until it closes its end or the signal aborts. Requests from before the end
 * are still answered. The client's first message decides the revision of the protocol.
 */
export async function serveStdio(deps: McpDeps, streams: LineStreams, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const stopped = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => stopped.resolve(), { once: true });
  const { transport, finished } = createLineTransport(streams);
  const connection = serveConnection(() => createMcpServer(deps), { transport });
  await Promise.race([stopped.promise, finished]);
  await connection.close();
}
