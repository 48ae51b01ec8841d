import { z } from "zod";
import { describedInput } from "../request/described-input.ts";

type JsonSchema = Record<string, unknown>;

/** What a schema takes, or gives, as JSON Schema: the very schemas that requests are checked with. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output" = "input"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const takes = describedInput(zodSchema);
      if (takes === undefined) return;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      Object.assign(jsonSchema, jsonSchemaOf(takes, io));
    },
  });
  return json;
}
