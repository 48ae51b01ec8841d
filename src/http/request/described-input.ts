import { z } from "zod";

/** What a schema takes, where its code alone does not show it. A refined schema inherits it. */
const described = z.registry<{ takes: unknown }>();

/** Tells what a schema takes that is checked by code. The documentation of the API is made from it. */
export function describedAs<S extends z.ZodType>(schema: S, takes: z.ZodType): S {
  described.add(schema, { takes });
  return schema;
}

/** What a schema takes, where that was told. */
export function describedInput(schema: z.core.$ZodType): z.ZodType | undefined {
  const takes = described.get(schema)?.takes;
  return takes instanceof z.ZodType ? takes : undefined;
}
