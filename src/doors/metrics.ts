import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import { METRICS_CONTENT_TYPE, type Metrics } from "@docent/kernel/lib/metrics";
import { Elysia } from "elysia";
import { errorPlugin } from "./errors.ts";
import { mount, type Operation, operation } from "./operation.ts";

const NO_BODY = { bytesMax: 0, milliseconds: 0 };

/** Gives what was measured, as Prometheus reads it. `check` raises where a request may not read it. */
export function metricsOperation(
  metrics: Pick<Metrics, "render">,
  check: (request: Request) => void = () => {},
): Operation {
  return operation({
    id: "getMetrics",
    method: "GET",
    path: "/metrics",
    tag: "Server",
    guard: {
      opens: "none",
      errors: ["forbidden", "internal"],
      admit({ request }) {
        check(request);
        return {};
      },
    },
    summary: "Give what was measured",
    replies: { 200: { description: "As Prometheus reads it.", contentType: "text/plain" } },
    run: async () =>
      new Response(await metrics.render(), {
        headers: { "content-type": METRICS_CONTENT_TYPE, "cache-control": "no-store" },
      }),
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
  const app = new Elysia().use(errorPlugin(log)).use(mount([metricsOperation(metrics)], NO_BODY));
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

/** A reply as its head left. The time until then is what a caller waits for a sign; a stream goes on after it. */
export interface Replied {
  method: string;
  /** The pattern of the path, without the base path; what no route was found for has none. */
  route: string;
  status: string;
  seconds: number;
}

/** What hears of replies, and what can be read of them where everything else is, unless it has an address of its own. */
export interface MeasuredReplies {
  observeReply(replied: Replied): void;
  here: Pick<Metrics, "render"> | undefined;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Tells of every reply. Nothing in it is the sender's own: patterns, and methods that there are. */
export function metricsPlugin(metrics: MeasuredReplies | undefined, clock: Clock, basePath: string) {
  if (metrics === undefined) return new Elysia();
  const startedAt = new WeakMap<Request, number>();
  return new Elysia()
    .onRequest(({ request }) => {
      startedAt.set(request, clock());
    })
    .onAfterResponse({ as: "global" }, ({ request, route, responseValue, set }) => {
      const began = startedAt.get(request);
      if (began === undefined) return;
      const status = responseValue instanceof Response ? responseValue.status : set.status;
      metrics.observeReply({
        method: METHODS.has(request.method) ? request.method : "other",
        route: route?.slice(basePath.length) || "none",
        status: String(status ?? 200),
        seconds: (clock() - began) / 1000,
      });
    });
}
