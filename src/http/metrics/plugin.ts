import { Elysia } from "elysia";
import type { Clock } from "../../lib/clock.ts";
import type { Metrics } from "../../lib/metrics.ts";

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
