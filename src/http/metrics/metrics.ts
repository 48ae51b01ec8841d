import { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import type { Log } from "../../lib/log.ts";
import { METRICS_CONTENT_TYPE, type Metrics } from "../../lib/metrics.ts";
import { errorPlugin } from "../errors.ts";

/** `GET /metrics`: what was measured, as Prometheus reads it. `check` raises where a request may not read it. */
export function metricsRoutes(
  metrics: Pick<Metrics, "render">,
  check: (request: Request) => void = () => {},
) {
  return new Elysia().get("/metrics", async ({ request }) => {
    check(request);
    return new Response(await metrics.render(), {
      headers: { "content-type": METRICS_CONTENT_TYPE, "cache-control": "no-store" },
    });
  });
}

/** Where metrics are read apart from everything else. */
export interface MetricsListener {
  url: string;
  close(): Promise<void>;
}

/** Serves `/metrics` alone. Raises `conflict` where the address cannot be listened on. */
export function listenForMetrics(
  metrics: Pick<Metrics, "render">,
  { hostname, port }: { hostname: string; port: number },
  log: Log,
): MetricsListener {
  const app = new Elysia().use(errorPlugin(log)).use(metricsRoutes(metrics));
  try {
    app.listen({ hostname, port, reusePort: false, development: false });
  } catch (cause) {
    throw new AppError("conflict", `Docent cannot listen on ${hostname} port ${port} for metrics.`, {
      hint: "Another program may be using that port: name another one in the setting metrics_address.",
      cause,
    });
  }
  const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${shown}:${app.server?.port}`,
    async close() {
      await app.server?.stop(true);
    },
  };
}
