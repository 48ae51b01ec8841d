import { z } from "zod";
import { generationJson } from "../../ingest/json.ts";
import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { generationShape, rollbackShape } from "./shapes.ts";

const rollbackSchema = z.strictObject({ number: z.int().min(1).optional() }).meta({ id: "Rollback" });

/** The states of a site's index that can be returned to. */
export function generationOperations(
  { generations }: Pick<AdminOptions, "generations">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listGenerations",
      method: "GET",
      path: "/v1/admin/sites/:domain/generations",
      tag: "Admin: generations",
      guard: guards.reads,
      summary: "List the states of a site's index that are kept",
      replies: gives(200, "The generations, newest first.", z.array(generationShape)),
      run: async ({ site }) => reply((await generations.list(site().id)).map(generationJson)),
    }),
    adminOperation({
      id: "rollBackGeneration",
      method: "POST",
      path: "/v1/admin/sites/:domain/generations/rollback",
      tag: "Admin: generations",
      guard: guards.writes,
      records: ["generation.rolled-back"],
      summary: "Go back to an earlier generation",
      description: "To the one before the visible one, where none is named.",
      replies: gives(200, "From which to which.", rollbackShape),
      body: rollbackSchema,
      async run({ site, record, body }) {
        const moved = await generations.rollBack(site().id, (await body()).number);
        await record({ kind: "generation.rolled-back", details: moved });
        return reply(moved);
      },
    }),
  ];
}
