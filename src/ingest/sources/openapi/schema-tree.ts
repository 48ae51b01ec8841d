import { isRecord } from "../../../text/json.ts";
import type { References } from "./references.ts";
import { alternativesOf, type OpenSchema, openSchema } from "./schema.ts";
import { limitWords, typeWords } from "./schema-words.ts";
import { codeOf, listOf, recordOf, textOf, textsOf } from "./values.ts";

const LEVELS_MAX = 8;
const ALTERNATIVES_MAX = 50;
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
