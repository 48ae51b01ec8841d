import { enrichmentJson } from "@docent/finding/enrich/enrich";
import type { EnrichmentMeasure } from "@docent/finding/enrich/stores";
import type { Site } from "@docent/sites/site/sites";
import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { enrichmentShape, removedEnrichmentShape } from "./shapes.ts";

/** What is known of a site's enrichment, and what an owner does with it. */
export interface SiteEnrichment {
  state(site: Site): Promise<Parameters<typeof enrichmentJson>[0]>;
  measure(site: Site, signal: AbortSignal): Promise<EnrichmentMeasure>;
  removeAll(site: Site, signal: AbortSignal): Promise<number>;
}

/** What models write for a site's passages. Whether they do is a setting of the site. */
export function enrichmentOperations(
  { enrichment }: Pick<AdminOptions, "enrichment">,
  guards: AdminGuards,
): Operation[] {
  const path = "/v1/admin/sites/:domain/enrichment";
  const tag = "Admin: pages";
  return [
    adminOperation({
      id: "readEnrichment",
      method: "GET",
      path,
      tag,
      guard: guards.reads,
      summary: "What the model has written for a site's passages, and what that is worth",
      replies: gives(200, "How much was written, what was measured, and some of it.", enrichmentShape),
      run: async ({ site }) => reply(enrichmentJson(await enrichment.state(site()))),
    }),
    adminOperation({
      id: "measureEnrichment",
      method: "POST",
      path: `${path}/measure`,
      tag,
      guard: guards.writes,
      summary: "Ask the kept questions with what the model has written and without it",
      description: "Takes a few seconds for each hundred questions.",
      replies: gives(200, "What is known now.", enrichmentShape),
      async run({ site, request }) {
        await enrichment.measure(site(), request.signal);
        return reply(enrichmentJson(await enrichment.state(site())));
      },
    }),
    adminOperation({
      id: "removeEnrichment",
      method: "DELETE",
      path,
      tag,
      guard: guards.writes,
      records: ["enrichment.removed"],
      summary: "Remove all that the model has written for a site's passages",
      description: "Where the setting stays on, it is written anew, from within an hour on.",
      replies: gives(200, "For how many passages there was something.", removedEnrichmentShape),
      async run({ site, record, request }) {
        const removed = await enrichment.removeAll(site(), request.signal);
        await record({ kind: "enrichment.removed", details: { passages: removed } });
        return reply({ removed });
      },
    }),
  ];
}
