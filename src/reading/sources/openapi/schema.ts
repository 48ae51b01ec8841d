import { isRecord } from "@docent/kernel/text/json";
import type { References } from "./references.ts";
import { codeOf, listOf, recordOf, textOf, textsOf } from "./values.ts";

const LEVELS_MAX = 8;
const PARTS_DEEP_MAX = 16;
const WORDS_DEEP_MAX = 4;
const ALTERNATIVES_MAX = 50;
/** How many alternatives are named where a value is told of in a few words. */
const TOLD_ALTERNATIVES_MAX = 20;
const VALUES_MAX = 50;
const DESCRIPTION_CHARACTERS_MAX = 4_000;

/** How a schema is written on a page. */
export interface TreeContext {
  references: References;
  /** What is only read is not sent, and what is only written does not come back. */
  direction: "request" | "response";
  /** How many more lines the page may have: a few references in each other can stand for millions of properties. */
  budget: { items: number };
}

/** The parts of a value as nested list items; none where it has no parts. */
export function treeOf(open: OpenSchema, context: TreeContext, level = 0): string[] {
  if (open.isRound || level >= LEVELS_MAX) return [];
  const { schema, trail } = open;
  const required = textsOf(schema["required"]);
  const lines = Object.entries(recordOf(schema["properties"])).flatMap(([name, raw]) => {
    const property = openSchema(raw, context.references, trail);
    if (property.schema[context.direction === "request" ? "readOnly" : "writeOnly"] === true) return [];
    return itemOf(codeOf(name), property, required.includes(name), context, level);
  });
  if (isRecord(schema["additionalProperties"])) {
    const other = openSchema(schema["additionalProperties"], context.references, trail);
    lines.push(...itemOf("any other name", other, false, context, level));
  }
  for (const raw of [schema["items"], ...listOf(schema["prefixItems"])].filter(isRecord))
    lines.push(...treeOf(openSchema(raw, context.references, trail), context, level));
  return [...lines, ...alternatives(open, context, level)];
}

/** One part with its own parts below it. */
export function itemOf(
  label: string,
  open: OpenSchema,
  isRequired: boolean,
  context: TreeContext,
  level = 0,
  description = textOf(open.schema["description"]),
): string[] {
  context.budget.items -= 1;
  if (context.budget.items === 0) return ["- … and more, which the API's own description lists"];
  if (context.budget.items < 0) return [];
  const facts = [
    typeWords(open, context.references),
    ...(isRequired ? ["required"] : []),
    ...(open.schema["deprecated"] === true ? ["deprecated"] : []),
    ...(open.isRound ? ["with the parts named above"] : []),
  ];
  const words = withLimits(
    description.slice(0, DESCRIPTION_CHARACTERS_MAX),
    limitWords(open, context.references),
  );
  const [first = "", ...rest] = words.split("\n");
  return [
    `- ${label} (${facts.join(", ")})${first === "" ? "" : `: ${first}`}`,
    ...rest.map(indent),
    ...treeOf(open, context, level + 1).map(indent),
  ];
}

/** Short words go on one line with the limits; what has lines of its own keeps them. */
function withLimits(description: string, limits: string): string {
  if (description === "" || limits === "") return description || limits;
  if (description.includes("\n")) return `${description}\n\n${limits}`;
  return `${description}${/[.!?:;)]$/.test(description) ? "" : "."} ${limits}`;
}

function alternatives({ schema, trail }: OpenSchema, context: TreeContext, level: number): string[] {
  const { word, schemas } = alternativesOf(schema);
  const opened = schemas.slice(0, ALTERNATIVES_MAX).map((raw) => openSchema(raw, context.references, trail));
  const withParts = opened.map((open) => ({ open, lines: treeOf(open, context, level + 1) }));
  if (withParts.every(({ lines }) => lines.length === 0)) return [];
  const chosenBy = textOf(recordOf(schema["discriminator"])["propertyName"]);
  return withParts.flatMap(({ open, lines }, index) => {
    const name = open.name || textOf(open.schema["title"]);
    const label = name === "" ? typeWords(open, context.references, 1) : codeOf(name);
    const said = chosenBy === "" || index > 0 ? "" : `, told by ${codeOf(chosenBy)}`;
    return [`- ${word}${said}: ${label}`, ...lines.map(indent)];
  });
}

const indent = (line: string) => (line === "" ? "" : `  ${line}`);

/** A schema with its reference followed and the parts of its allOf made one. */
interface OpenSchema {
  schema: Record<string, unknown>;
  /** What it is called in the document; where the document does not have it, the reference to it. */
  name: string;
  /** The references that lead here, from the outside in. */
  trail: string[];
  /** Whether the schema is already open further out, so that its parts would be the same ones again. */
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
function typesOf(schema: Record<string, unknown>): string[] {
  const { type, nullable } = schema;
  const named = typeof type === "string" ? [type] : textsOf(type);
  if (named.length > 0) return nullable === true ? [...named, "null"] : named;
  if (isRecord(schema["properties"]) || isRecord(schema["additionalProperties"])) return ["object"];
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return ["array"];
  const types = listOf(schema["enum"]).map((value) => (value === null ? "null" : typeof value));
  return [...new Set(types)];
}

/** The schemas of which one, or any, holds. */
function alternativesOf(schema: Record<string, unknown>): { word: string; schemas: unknown[] } {
  const one = listOf(schema["oneOf"]);
  if (one.length > 0) return { word: "one of", schemas: one };
  return { word: "any of", schemas: listOf(schema["anyOf"]) };
}

/** Each bound of a schema, in words. */
const BOUNDS: Readonly<Record<string, (bound: string) => string>> = {
  minimum: (bound) => `at least ${bound}`,
  maximum: (bound) => `at most ${bound}`,
  exclusiveMinimum: (bound) => `more than ${bound}`,
  exclusiveMaximum: (bound) => `less than ${bound}`,
  multipleOf: (bound) => `a multiple of ${bound}`,
  minLength: (bound) => `at least ${bound} characters`,
  maxLength: (bound) => `at most ${bound} characters`,
  minItems: (bound) => `at least ${bound} items`,
  maxItems: (bound) => `at most ${bound} items`,
  pattern: (bound) => `matches ${bound}`,
};

/** What a value is, in a few words: "array of `Pet`", "string (date-time) or null". */
export function typeWords(open: OpenSchema, references: References, depth = 0): string {
  const { schema, name } = open;
  if ("const" in schema) return `always ${codeOf(schema["const"])}`;
  const { word, schemas } = alternativesOf(schema);
  if (name !== "" && (depth > 0 || open.isRound)) return codeOf(name);
  if (schemas.length > 0 && depth < WORDS_DEEP_MAX) {
    const words = schemas
      .slice(0, TOLD_ALTERNATIVES_MAX)
      .map((each) => typeWords(openSchema(each, references, open.trail), references, depth + 1));
    return `${name === "" ? "" : `${codeOf(name)}, `}${word} ${words.join(", ")}`;
  }
  const types = typesOf(schema);
  return (
    types.map((type) => oneType(type, open, references, depth)).join(" or ") ||
    (name === "" ? "any value" : codeOf(name))
  );
}

function oneType(type: string, { schema, name, trail }: OpenSchema, references: References, depth: number) {
  if (type === "array") {
    if (depth >= WORDS_DEEP_MAX || schema["items"] === undefined) return "array";
    return `array of ${typeWords(openSchema(schema["items"], references, trail), references, depth + 1)}`;
  }
  if (type === "object") return name === "" ? "object" : `object ${codeOf(name)}`;
  const format = textOf(schema["format"]);
  return format === "" || type === "null" ? type : `${type} (${format})`;
}

/** What else holds of a value: its default, the values that it may have, its bounds. Sentences, "" where there are none. */
export function limitWords(open: OpenSchema, references: References): string {
  const items = openSchema(open.schema["items"], references, open.trail).schema;
  const { schema } = open;
  const values = [listOf(schema["enum"]), listOf(items["enum"])].find((list) => list.length > 0) ?? [];
  const sentences: string[] = [];
  if (schema["default"] !== undefined) sentences.push(`Default: ${codeOf(schema["default"])}.`);
  if (values.length > 0) {
    const more = values.length > VALUES_MAX ? ", and more" : "";
    sentences.push(
      `One of ${values
        .slice(0, VALUES_MAX)
        .map((each) => codeOf(each))
        .join(", ")}${more}.`,
    );
  }
  const bounds = Object.entries(BOUNDS).flatMap(([key, toWords]) => {
    const bound = schema[key];
    return typeof bound === "number" || typeof bound === "string" ? [toWords(codeOf(bound))] : [];
  });
  if (bounds.length > 0) sentences.push(`Limits: ${bounds.join(", ")}.`);
  return sentences.join(" ");
}
