import type { Config } from "../../config/settings.ts";
import { AppError } from "../../errors.ts";
import type { MetricsListener } from "../../http/metrics.ts";
import type { createServer } from "../../http/server.ts";
import { boundHost } from "../addresses.ts";

/** A server that takes requests. */
export interface Listening {
  port(): number | undefined;
  /** Of metrics that have an address of their own. */
  metrics: MetricsListener | undefined;
}

/**
 * Lets a server take requests, and metrics be read where they have an address of their own. Raises `conflict` where
 * another program has one of the ports.
 */
export function listen(
  server: ReturnType<typeof createServer>,
  listenForMetrics: (() => MetricsListener) | undefined,
  config: Config,
): Listening {
  const metrics = listenForMetrics?.();
  try {
    server.listen({
      hostname: boundHost(config),
      port: config.port,
      idleTimeout: config.connection_idle_seconds,
      // Elysia shares the port with whoever has it already: each would then get a part of the requests.
      reusePort: false,
      // Bun's page for a developer shows the source of what failed.
      development: false,
      // Bodies are bounded where they are read, with an answer that says so.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
    return { port: () => server.server?.port, metrics };
  } catch (cause) {
    metrics?.close();
    throw new AppError("conflict", `Docent cannot listen on ${config.host} port ${config.port}.`, {
      hint: "Another program may be using that port: name another one with --port, or stop that program.",
      cause,
    });
  }
}
