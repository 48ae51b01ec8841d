import { demoteHeadings, exampleBlock } from "./markdown.ts";
import type { ApiOperation, ApiResponse, Body, BodyContent, Parameter } from "./model.ts";
import type { References } from "./references.ts";
import { itemOf, limitWords, openSchema, type TreeContext, treeOf, typeWords } from "./schema.ts";
import { securityWords } from "./security.ts";
import { codeOf, textOf } from "./values.ts";

const ITEMS_MAX = 2_000;
const PLACES = ["path", "query", "header", "cookie"];

/** An operation's page, from below its title. */
export function operationBody(
  operation: ApiOperation,
  references: References,
  schemes: ReadonlyMap<string, { words: string }>,
): string {
  const budget = { items: ITEMS_MAX };
  const sent: TreeContext = { references, budget, direction: "request" };
  const received: TreeContext = { references, budget, direction: "response" };
  const isWebhook = operation.kind === "webhook";
  return [
    signature(operation),
    operation.deprecated ? "**Deprecated.**" : "",
    operation.summary === operation.description ? "" : demoteHeadings(operation.description, 2),
    securityWords(operation.security, schemes),
    operation.servers.length === 0
      ? ""
      : `Server: ${operation.servers.map((each) => codeOf(each)).join(", ")}`,
    parameters(operation.parameters, sent),
    operation.body ? body(operation.body, sent) : "",
    ...(operation.responses.length === 0 ? [] : [isWebhook ? "## Your response" : "## Responses"]),
    ...operation.responses.map((each) => response(each, received)),
    operation.callbacks.length === 0
      ? ""
      : `## Callbacks\n\n${operation.callbacks.map((name) => `- ${codeOf(name)}`).join("\n")}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The method with what it is asked of. */
export function signature({ kind, method, target }: ApiOperation): string {
  return kind === "webhook"
    ? `Webhook ${codeOf(target)}, sent by \`${method}\``
    : codeOf(`${method} ${target}`);
}

function parameters(all: Parameter[], context: TreeContext): string {
  if (all.length === 0) return "";
  const rank = ({ place }: Parameter) => (PLACES.indexOf(place) + PLACES.length + 1) % (PLACES.length + 1);
  const lines = all.toSorted((a, b) => rank(a) - rank(b)).flatMap((each) => parameterItem(each, context));
  return `## Parameters\n\n${lines.join("\n")}`;
}

function parameterItem(parameter: Parameter, context: TreeContext): string[] {
  const open = openSchema(parameter.schema, context.references, []);
  const description = parameter.description || textOf(open.schema["description"]);
  const [example] = parameter.examples;
  const words =
    example === undefined ? description : `${description} Example: ${codeOf(example.value)}.`.trim();
  const label = `${codeOf(parameter.name)} in ${parameter.place}${parameter.deprecated ? ", deprecated" : ""}`;
  return itemOf(label, open, parameter.required, context, 0, words);
}

function body({ description, required, contents }: Body, context: TreeContext): string {
  const parts = ["## Request body", demoteHeadings(description, 3), required ? "" : "The body is optional."];
  return [...parts, ...contentParts(contents, context)].filter(Boolean).join("\n\n");
}

function response({ status, description, headers, contents }: ApiResponse, context: TreeContext): string {
  const lines = headers.flatMap((each) => parameterItem(each, context));
  return [
    `### ${status === "default" ? "Any other status" : status}`,
    demoteHeadings(description, 4),
    lines.length === 0 ? "" : `Headers:\n\n${lines.join("\n")}`,
    ...contentParts(contents, context),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** Writes a shape once that is offered in several forms. */
function contentParts(contents: BodyContent[], context: TreeContext): string[] {
  const groups = [...Map.groupBy(contents, ({ schema }) => JSON.stringify(schema) ?? "").values()];
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const open = openSchema(first.schema, context.references, []);
    const types = group.map(({ mediaType }) => codeOf(mediaType)).join(", ");
    const shape = first.schema === undefined ? "" : `: ${typeWords(open, context.references)}`;
    const example = group.flatMap((each) => each.examples);
    const given =
      open.schema["example"] ??
      (Array.isArray(open.schema["examples"]) ? open.schema["examples"][0] : undefined);
    const examples = example.length > 0 || given === undefined ? example : [{ title: "", value: given }];
    return [
      `${types}${shape}`,
      [textOf(open.schema["description"]), limitWords(open, context.references)].filter(Boolean).join(" "),
      treeOf(open, context).join("\n"),
      ...examples.map((each) => exampleBlock(each, first.mediaType)),
    ];
  });
}
