import { join } from "node:path";
import type { Asked } from "./connection.ts";
import { type Measure, percentile, show } from "./figures.ts";
import { loadRequests, type Program, using } from "./processes.ts";
import { post, prepareSite, UNHINDERED } from "./site.ts";

const CONNECTIONS = 16;
const SECONDS = 3;
const RUNS = 3;

export async function measureGuard(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "guard");
  const key = await prepareSite(program, data);
  return using(program.serve(data, UNHINDERED), async ({ url }) => {
    const passed = post(url, key, {});
    const refused = post(url, "docent_dsc_0000000000000000000000000000", {});
    const health: Asked = { url: `${url}/health/live`, method: "GET", headers: {}, body: "" };
    const known = await repeat(passed, "400");
    const unknown = await repeat(refused, "401");
    const bare = await repeat(health, "200");
    return {
      title: "The guard alone",
      how: `${CONNECTIONS} open connections, each sending one request after the other, ${RUNS} runs of ${SECONDS} seconds. A request with a known key passes the checks of key, site and limits, all counted, and its empty body is then refused with 400. An unknown key is refused with 401. \`/health/live\` has no guard and shows how long the server itself takes.`,
      figures: [
        { name: "Requests with a known key", unit: "per second", values: known.rates },
        { name: "Requests with an unknown key", unit: "per second", values: unknown.rates },
        { name: "Requests of /health/live", unit: "per second", values: bare.rates },
        {
          name: "Reply to a known key",
          unit: "ms",
          values: known.latencies,
          shown: `p50 ${show(percentile(known.latencies, 50))}, p99 ${show(percentile(known.latencies, 99))}`,
        },
      ],
    };
  });
}

async function repeat(asked: Asked, status: string): Promise<{ rates: number[]; latencies: number[] }> {
  const rates: number[] = [];
  const latencies: number[] = [];
  // The first run only warms up.
  for (let run = -1; run < RUNS; run++) {
    const { seconds, statuses, latenciesMs } = await loadRequests({
      asked,
      connections: CONNECTIONS,
      seconds: run < 0 ? 1 : SECONDS,
    });
    const count = statuses[status] ?? 0;
    if (count !== latenciesMs.length)
      throw new Error(`the replies were ${JSON.stringify(statuses)}, not ${status}`);
    if (run < 0) continue;
    rates.push(count / seconds);
    // Not spread into one call, because there are more values than a call may have arguments.
    for (const latency of latenciesMs) latencies.push(latency);
  }
  return { rates, latencies };
}
