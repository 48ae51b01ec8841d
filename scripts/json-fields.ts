import { z } from "zod";
import type { JsonOutput } from "../src/cli/command.ts";

/** The parts of a JSON schema that fit in a line. */
const told = z.looseObject({
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  oneOf: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
});

/** Names no shapes: a named shape of the API would be referenced instead of written out. */
const NO_NAMES = z.registry<{ id?: string }>();

/** The `--json` output of a command in one line: its form, and the names of its fields. */
export function jsonFields({ shape, isLines }: JsonOutput): string {
  const schema = z.toJSONSchema(shape, { unrepresentable: "any", io: "input", metadata: NO_NAMES });
  const { anyOf } = told.parse(schema);
  return anyOf === undefined ? formOf(schema, isLines) : anyOf.map((each) => formOf(each)).join(", or ");
}

function formOf(schema: unknown, isLines?: true): string {
  const { type, items, ...one } = told.parse(schema);
  if (isLines) return `an object on each line${one.oneOf ? ": " : ", with "}${fieldsOf(one)}`;
  return type === "array" ? `an array of objects with ${fieldsOf(items)}` : `an object with ${fieldsOf(one)}`;
}

function fieldsOf(schema: unknown): string {
  const { oneOf, properties = {} } = told.parse(schema);
  return oneOf ? oneOf.map(kindOf).join("; ") : namesOf(properties);
}

/** One of several forms, named by its type. */
function kindOf(schema: unknown): string {
  const { type, ...others } = told.parse(schema).properties ?? {};
  return `\`${z.looseObject({ const: z.string() }).parse(type).const}\` with ${namesOf(others)}`;
}

const namesOf = (fields: object) =>
  Object.keys(fields)
    .map((field) => `\`${field}\``)
    .join(", ");
