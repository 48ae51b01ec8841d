import { generationJson } from "@docent/sites/ingest/json";
import { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { generationReportShape } from "./golden/shapes.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { generationShape, rollbackShape } from "./shapes.ts";

const rollbackSchema = z.strictObject({ number: z.int().min(1).optional() }).meta({ id: "Rollback" });

/** The states of a site's index that can be returned to. */
export function generationOperations(
  { generations, golden }: Pick<AdminOptions, "generations" | "golden">,
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
      id: "getGenerationReport",
      method: "GET",
      path: "/v1/admin/sites/:domain/generations/:number/report",
      tag: "Admin: generations",
      guard: guards.reads,
      summary: "Show what a generation changed for readers",
      description:
        "Pages, golden questions, and a sample of the questions that readers asked: what is answered now and was not, and the other way round.",
      replies: gives(200, "The report.", generationReportShape),
      run: async ({ site, number }) => reply(await golden.report(site(), number("number"))),
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
