import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { fidelityShape } from "./shapes.ts";

/** How far readers of a site get what its docs have. */
export function fidelityOperations(
  { fidelity }: Pick<AdminOptions, "fidelity">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "getFidelityReport",
      method: "GET",
      path: "/v1/admin/sites/:domain/fidelity",
      tag: "Admin: pages",
      guard: guards.reads,
      summary: "Look for what readers of a site do not get as its docs have it",
      description:
        "Markup that is left over, images that are missing, links that lead nowhere, and what was left out; of each, how many there are, and up to 50 of them. All pages are looked at once for each generation: that takes about a second for a thousand, in a process of its own.",
      replies: gives(200, "The report.", fidelityShape),
      run: async ({ site, signal }) => reply(await fidelity.report(site(), signal)),
    }),
  ];
}
