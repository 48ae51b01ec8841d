import { createFront } from "@docent/doors/front";
import type { MetricsListener } from "@docent/doors/metrics";
import { AppError } from "@docent/kernel/errors";
import { boundHost } from "@docent/kernel/lib/host-name";
import type { Shared } from "./doors.ts";
import type { Routes } from "./routes.ts";

/** A server that takes requests. */
export interface Listening {
  server: Bun.Server<undefined>;
  /** Present where metrics have their own address. */
  metrics: MetricsListener | undefined;
}

/**
 * Starts to take requests, for metrics too where they have their own address. Raises `conflict` when another
 * program has one of the ports.
 */
export async function listen(shared: Shared, open: () => Promise<Routes>): Promise<Listening> {
  const { config, metrics, log } = shared;
  const metricsListener = await metrics?.listen(log);
  try {
    const server: Listening["server"] = Bun.serve({
      hostname: boundHost(config.host),
      port: config.port,
      idleTimeout: config.connection_idle_seconds,
      // Reuse would share a port that another program has: each would get some of the requests.
      reusePort: false,
      // Bun's error page for developers shows source code.
      development: false,
      // Bodies are bounded where they are read, with a proper error.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: createFront({
        ...shared,
        ids: shared.parts.ids,
        observeReply: metrics?.replies.observeReply,
        async open() {
          const routes = await open();
          // Elysia asks it who is at the other end of a connection.
          routes.server.server = server;
          return routes.server.fetch;
        },
      }),
    });
    return { server, metrics: metricsListener };
  } catch (cause) {
    await metricsListener?.close();
    throw new AppError("conflict", `Docent cannot listen on ${config.host} port ${config.port}.`, {
      hint: "Another program may be using that port: name another one with --port, or stop that program.",
      cause,
    });
  }
}
