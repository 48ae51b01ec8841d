import type { Guarded } from "../guard/guard.ts";
import type { Asked } from "../operation.ts";

const HEADERS = { "cache-control": "no-store" };

/**
 * Runs an operation that answers at once: with what is returned as JSON, or without content where that is undefined. The
 * sender's place is given back however it ends.
 */
export function atOnce<Body>(run: (asked: Asked<Guarded, Body, never>) => Promise<unknown>) {
  return async (asked: Asked<Guarded, Body, never>): Promise<Response> => {
    try {
      const result = await run(asked);
      return result === undefined
        ? new Response(null, { status: 204, headers: HEADERS })
        : Response.json(result, { headers: HEADERS });
    } finally {
      asked.leave();
    }
  };
}
