import type { Config } from "../../config/settings.ts";
import { AppError } from "../../errors.ts";
import type { MetricsListener } from "../../http/metrics.ts";
import type { createServer } from "../../http/server.ts";
import { boundHost } from "../../lib/host-name.ts";

/** A server that takes requests. */
export interface Listening {
  port(): number | undefined;
  /** Present where metrics have their own address. */
  metrics: MetricsListener | undefined;
}

/**
 * Starts to take requests, for metrics too where they have their own address. Raises `conflict` when another
 * program has one of the ports.
 */
export function listen(
  server: ReturnType<typeof createServer>,
  listenForMetrics: (() => MetricsListener) | undefined,
  config: Config,
): Listening {
  const metrics = listenForMetrics?.();
  const others = process.listeners("beforeExit");
  try {
    server.listen({
      hostname: boundHost(config.host),
      port: config.port,
      idleTimeout: config.connection_idle_seconds,
      // Elysia would share a port that another program has: each would get some of the requests.
      reusePort: false,
      // Bun's error page for developers shows source code.
      development: false,
      // Bodies are bounded where they are read, with a proper error.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
    // Elysia's would stop the server at the end of the process, and hold it and all that it has until then. Whoever starts
    // one closes it.
    for (const own of process.listeners("beforeExit"))
      if (!others.includes(own)) process.off("beforeExit", own);
    return { port: () => server.server?.port, metrics };
  } catch (cause) {
    metrics?.close();
    throw new AppError("conflict", `Docent cannot listen on ${config.host} port ${config.port}.`, {
      hint: "Another program may be using that port: name another one with --port, or stop that program.",
      cause,
    });
  }
}
