import { z } from "zod";
import { generationJson } from "../../ingest/json.ts";
import { gives } from "../operation/gives.ts";
import { type AdminOperation, operation, reply } from "./operation.ts";
import type { AdminOptions } from "./options.ts";
import { generationShape, rollbackShape } from "./shapes.ts";

const rollbackSchema = z.strictObject({ number: z.int().min(1).optional() }).meta({ id: "Rollback" });

/** The states of a site's index that can be returned to. */
export function generationOperations({ generations }: Pick<AdminOptions, "generations">): AdminOperation[] {
  return [
    operation({
      method: "GET",
      path: "/sites/:domain/generations",
      summary: "List the states of a site's index that are kept",
      replies: gives(200, "The generations, newest first.", z.array(generationShape)),
      run: async ({ site }) => reply((await generations.list(site().id)).map(generationJson)),
    }),
    operation({
      method: "POST",
      path: "/sites/:domain/generations/rollback",
      writes: true,
      summary: "Go back to an earlier generation",
      description: "To the one before the visible one, where none is named.",
      replies: gives(200, "From which to which.", rollbackShape),
      body: rollbackSchema,
      run: async ({ site, body }) => reply(await generations.rollBack(site().id, (await body()).number)),
    }),
  ];
}
