import type { References } from "./references.ts";
import { alternativesOf, type OpenSchema, openSchema, typesOf } from "./schema.ts";
import { codeOf, listOf, textOf } from "./values.ts";

const WORDS_DEEP_MAX = 4;
const VALUES_MAX = 50;
const ALTERNATIVES_MAX = 20;

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
      .slice(0, ALTERNATIVES_MAX)
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
