import type { z } from "zod";
import type { ApiReply } from "./operation.ts";

/** A reply where all is well, in JSON; without a shape, one that says no more than that it is done. */
export function gives(status: number, description: string, schema?: z.ZodType): Record<number, ApiReply> {
  return { [status]: schema === undefined ? { description } : { description, schema } };
}
