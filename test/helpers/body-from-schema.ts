import { z } from "zod";

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});

const TEXTS = [
  "",
  "a",
  "acme",
  "install",
  "https://a.example",
  "\u0000",
  "é💥",
  "2026-01-31",
  "x".repeat(400),
  "../",
  "*",
];
const ANYTHING = [null, true, 0, -1, 1e308, "", "a", [], {}, [[]], { type: "text" }];

/** Makes bodies of a JSON Schema of a document, whose named ones are given: most of them fit, and some are almost right. */
export function bodiesFrom(random: () => number, named: Record<string, unknown>) {
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(from: readonly T[]): T | undefined => from[below(from.length)];

  return function make(given: unknown, depth = 0): unknown {
    if (random() < 0.03) return pick(ANYTHING);
    const parsed = schemaShape.safeParse(given);
    if (!parsed.success) return pick(ANYTHING);
    const schema = parsed.data;
    if (schema.$ref !== undefined)
      return make(named[schema.$ref.replace("#/components/schemas/", "")], depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return make(pick(choices), depth + 1);
    switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
      case "null":
        return null;
      case "boolean":
        return random() < 0.5;
      case "integer":
      case "number":
        return (
          (schema.minimum ?? 0) + below(Math.min(100, (schema.maximum ?? 100) - (schema.minimum ?? 0) + 1))
        );
      case "string":
        return (pick(TEXTS) ?? "").padEnd(schema.minLength ?? 0, "a");
      case "array": {
        const count = Math.max(
          schema.minItems ?? 0,
          Math.min(below(3) + (depth < 3 ? 1 : 0), schema.maxItems ?? 3),
        );
        return Array.from({ length: count }, () => make(schema.items, depth + 1));
      }
      case "object":
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(([name]) => schema.required?.includes(name) || random() < 0.4)
            .map(([name, property]) => [name, make(property, depth + 1)]),
        );
      default:
        return pick(ANYTHING);
    }
  };
}
