import { z } from "zod";
import type { Analytics } from "../../analytics/analytics.ts";
import { isTimeZone } from "../../analytics/overview/days.ts";
import { type AdminGuards, adminOperation } from "../admin/guard.ts";
import { gives, type Operation, reply } from "../operation.ts";
import { periodFields } from "../request/fields.ts";
import { overviewShape } from "./shapes.ts";

const overviewSchema = z.object({
  ...periodFields,
  timeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin")
    .default("UTC"),
});

/** A site at a glance: `/v1/analytics/{domain}/overview`. */
export function overviewOperations(
  { overview }: Pick<Analytics, "overview">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "getOverview",
      method: "GET",
      path: "/v1/analytics/:domain/overview",
      tag: "Analytics",
      guard: guards.reads,
      query: overviewSchema,
      summary: "Show a period in numbers, beside the one before it",
      description: "The last 30 days unless it is said, and at most 400.",
      replies: gives(200, "The numbers, and the questions of each day.", overviewShape),
      async run({ site, query }) {
        const { dateFrom: from, dateTo: to, timeZone } = query();
        return reply(await overview(site(), { from, to, timeZone }));
      },
    }),
  ];
}
