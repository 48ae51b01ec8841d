import { z } from "zod";
import { describedInput } from "../request/fields.ts";

type JsonSchema = Record<string, unknown>;

/** Where a schema that has a name stands in the document. */
const COMPONENTS = "#/components/schemas/";

/**
 * Writes what schemas take, or give, as JSON Schema: the very schemas that requests are checked with. What has a name,
 * by `.meta({ id })`, is written once among `components`, and referred to wherever it is used.
 */
export function createSchemaWriter() {
  const components: Record<string, JsonSchema> = {};

  function write(schema: z.ZodType, io: "input" | "output" = "input"): JsonSchema {
    const written = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override({ zodSchema, jsonSchema }) {
        tidy(jsonSchema);
        if (zodSchema instanceof z.ZodRecord) nameKeys(jsonSchema, zodSchema.keyType);
        const takes = describedInput(zodSchema);
        if (takes === undefined) return;
        for (const key of Object.keys(jsonSchema)) if (key !== "id") Reflect.deleteProperty(jsonSchema, key);
        Object.assign(jsonSchema, write(takes, io));
      },
    });
    const { $schema: _, $defs: named = {}, ...json } = asReferring(written);
    for (const [name, own] of Object.entries(z.record(z.string(), jsonSchema).parse(named))) keep(name, own);
    return json;
  }

  /** What is sent and what is given may differ, as where one of them has defaults: each needs a name of its own. */
  function keep(name: string, own: JsonSchema): void {
    const known = components[name];
    if (known !== undefined && !Bun.deepEquals(known, own))
      throw new Error(
        `Two schemas are called ${name}: ${JSON.stringify(known)} and ${JSON.stringify(own)}. Give one of them another id in its .meta().`,
      );
    components[name] = own;
  }

  return { write, components };
}

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

const jsonSchema = z.record(z.string(), z.unknown());

/** Control characters, as every language writes them: Python's expressions have no classes of Unicode. */
const CONTROL_CHARACTERS = String.raw`\x00-\x1f\x7f-\x9f`;

/** Zod puts a pattern of 300 characters beside a format that says the same, and says that names are text. */
function tidy(schema: JsonSchema): void {
  const { format, pattern } = schema;
  if (format === "date-time" || format === "date") Reflect.deleteProperty(schema, "pattern");
  else if (typeof pattern === "string")
    schema["pattern"] = pattern.replaceAll(String.raw`\p{Cc}`, CONTROL_CHARACTERS);
  if (Bun.deepEquals(schema["propertyNames"], { type: "string" }))
    Reflect.deleteProperty(schema, "propertyNames");
}

/** A record of a closed list of names is an object with fields of these names: so it is in a program, too. */
function nameKeys(schema: JsonSchema, keys: unknown): void {
  if (!(keys instanceof z.ZodEnum)) return;
  const { additionalProperties: value } = schema;
  Reflect.deleteProperty(schema, "propertyNames");
  schema["properties"] = Object.fromEntries(keys.options.map((name) => [name, value]));
  schema["additionalProperties"] = false;
}

/** The same, with references to where the named schemas stand in the document. */
function asReferring(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace(/^#\/\$defs\//, COMPONENTS) : value,
  );
  return jsonSchema.parse(JSON.parse(text));
}

/** The name in a reference to a named schema. */
export const nameReferredTo = (reference: string) =>
  reference.startsWith(COMPONENTS) ? reference.slice(COMPONENTS.length) : undefined;
