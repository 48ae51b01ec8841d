import { Elysia } from "elysia";
import type { z } from "zod";
import type { Site } from "../../sites/sites.ts";
import { type GuardDeps, guardPlugin, type MeterName } from "../guard/guard.ts";
import { readBody } from "../request/body.ts";

/** What the small public operations on a site need. */
export interface LookupOptions {
  guard: GuardDeps;
  bodyBytesMax: number;
  bodyMs: number;
}

/** Who asks. */
export interface LookupCaller {
  keyId: string;
  address: string;
}

/** One operation that answers at once. */
export interface Lookup<Body> {
  path: string;
  meter: MeterName;
  schema: z.ZodType<Body>;
  /** What the reply holds, as JSON; undefined where it says no more than that it is done. */
  run(site: Site, body: Body, caller: LookupCaller): Promise<unknown>;
}

/** The route of a small public operation: key, site and limits first, then its body. */
export function lookupRoute<Body>(options: LookupOptions, lookup: Lookup<Body>) {
  const { bodyBytesMax: bytesMax, bodyMs: milliseconds } = options;
  return new Elysia().use(guardPlugin(options.guard, lookup.meter)).post(
    lookup.path,
    async ({ request, site, caller, address, leave }) => {
      try {
        const { signal } = request;
        const body = await readBody(request, lookup.schema, { bytesMax, milliseconds, signal });
        const result = await lookup.run(site, body, { keyId: caller.keyId, address });
        const headers = { "cache-control": "no-store" };
        return result === undefined
          ? new Response(null, { status: 204, headers })
          : Response.json(result, { headers });
      } finally {
        leave();
      }
    },
    { parse: "none" },
  );
}
