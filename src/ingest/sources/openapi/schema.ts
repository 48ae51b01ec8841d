import { isRecord } from "../../../text/json.ts";
import type { References } from "./references.ts";
import { listOf, recordOf, textOf, textsOf } from "./values.ts";

const PARTS_DEEP_MAX = 16;

/** A schema with its reference followed and the parts of its allOf made one. */
export interface OpenSchema {
  schema: Record<string, unknown>;
  /** What it is called in the document; where the document does not have it, the reference to it. */
  name: string;
  /** The references that lead here, from the outside in. */
  trail: string[];
  /** It is already open further out: its parts are the same ones again. */
  isRound: boolean;
}

/** Opens a schema where it stands. What is no schema is one that allows anything. */
export function openSchema(raw: unknown, references: References, trail: string[]): OpenSchema {
  const followed = references.follow(raw);
  if (!followed) return { schema: {}, name: textOf(recordOf(raw)["$ref"]), trail, isRound: false };
  const { value, name = "", pointers } = followed;
  const isRound = pointers.some((pointer) => trail.includes(pointer));
  const inside = [...trail, ...pointers];
  return { schema: isRound ? value : joined(value, references, inside), name, trail: inside, isRound };
}

function joined(
  schema: Record<string, unknown>,
  references: References,
  trail: string[],
): Record<string, unknown> {
  const { allOf, ...own } = schema;
  const parts = listOf(allOf);
  if (parts.length === 0 || trail.length > PARTS_DEEP_MAX) return own;
  let whole: Record<string, unknown> = {};
  for (const part of parts) {
    const open = openSchema(part, references, [...trail, ""]);
    if (!open.isRound) whole = join(whole, open.schema);
  }
  return join(whole, own);
}

/** Two schemas that both hold. Where both say the same thing, the second one is nearer to the reader. */
function join(first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  return {
    ...first,
    ...second,
    ...(first["properties"] || second["properties"]
      ? { properties: { ...recordOf(first["properties"]), ...recordOf(second["properties"]) } }
      : {}),
    required: [...new Set([...textsOf(first["required"]), ...textsOf(second["required"])])],
  };
}

/** The types of a schema, told from what else it says where it names none. */
export function typesOf(schema: Record<string, unknown>): string[] {
  const { type, nullable } = schema;
  const named = typeof type === "string" ? [type] : textsOf(type);
  if (named.length > 0) return nullable === true ? [...named, "null"] : named;
  if (isRecord(schema["properties"]) || isRecord(schema["additionalProperties"])) return ["object"];
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return ["array"];
  const types = listOf(schema["enum"]).map((value) => (value === null ? "null" : typeof value));
  return [...new Set(types)];
}

/** The schemas of which one, or any, holds. */
export function alternativesOf(schema: Record<string, unknown>): { word: string; schemas: unknown[] } {
  const one = listOf(schema["oneOf"]);
  if (one.length > 0) return { word: "one of", schemas: one };
  return { word: "any of", schemas: listOf(schema["anyOf"]) };
}
