import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import { createMcpServer, type McpDeps } from "./mcp-server.ts";

/** Where a client's messages come from, and where answers go. */
export interface StdioStreams {
  input: Readable;
  output: Writable;
}

/**
 * Serves one client, line by line, until it closes its end or the signal says so. What it asked for before it closed
 * its end is answered.
 */
export async function serveStdio(
  deps: McpDeps,
  { input, output }: StdioStreams,
  signal: AbortSignal,
): Promise<void> {
  const server = createMcpServer(deps);
  const transport = new StdioServerTransport(input, output);
  const stopped = happens(signal, "abort");
  const ended = Promise.race(["end", "close", "error"].map((event) => happens(input, event)));
  if (signal.aborted) return;
  await server.connect(transport);
  const answered = watchAnswers(transport);
  await Promise.race([stopped, ended.then(answered)]);
  await server.close();
}

function happens(source: Readable | AbortSignal, event: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if ("once" in source) source.once(event, () => resolve());
  else source.addEventListener(event, () => resolve(), { once: true });
  return promise;
}

/** Waits until every request that came has its answer, or was taken back. */
function watchAnswers(transport: Transport): () => Promise<void> {
  const { onmessage, send } = transport;
  const open = new Set<RequestId>();
  let wake = () => {};
  const close = (id: unknown) => {
    if ((typeof id === "string" || typeof id === "number") && open.delete(id)) wake();
  };
  transport.onmessage = (message, extra) => {
    if ("method" in message && "id" in message) open.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled")
      close(message.params?.["requestId"]);
    onmessage?.(message, extra);
  };
  transport.send = async (message, options) => {
    await send.call(transport, message, options);
    if (!("method" in message) && "id" in message) close(message.id);
  };
  return async () => {
    while (open.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
  };
}
