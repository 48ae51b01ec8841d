import type { ApiDocument } from "./document.ts";
import type { ApiOperation, ApiResponse, Body, BodyContent, Example, Parameter } from "./model.ts";
import type { References } from "./references.ts";
import { listOf, recordOf, textOf, textsOf } from "./values.ts";

const EXAMPLES_MAX = 3;
const JSON_TYPE = "application/json";

type Exchange = Pick<ApiOperation, "parameters" | "body" | "responses">;

/** What goes to an operation and what comes back, as OpenAPI 3 or Swagger 2 say it. */
export function readExchange(
  document: ApiDocument,
  references: References,
  item: Record<string, unknown>,
  own: Record<string, unknown>,
): Exchange {
  const follow = (value: unknown) => references.follow(value)?.value ?? {};
  const given = distinct([...listOf(item["parameters"]), ...listOf(own["parameters"])].map(follow));
  const isSwagger = "swagger" in document;
  const consumes = mediaTypes(own["consumes"] ?? document["consumes"]);
  const produces = mediaTypes(own["produces"] ?? document["produces"]);
  const parameters = given.filter(({ in: place }) => place !== "body" && place !== "formData");
  return {
    parameters: parameters.map((each) => toParameter(each, follow)),
    body: isSwagger ? swaggerBody(given, consumes) : toBody(own["requestBody"], follow),
    responses: Object.entries(recordOf(own["responses"]))
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, response]) =>
        toResponse(status, follow(response), follow, isSwagger ? produces : undefined),
      ),
  };
}

type Follow = (value: unknown) => Record<string, unknown>;

/** An operation's own parameter replaces its path's of the same name and place. */
function distinct(parameters: Record<string, unknown>[]): Record<string, unknown>[] {
  const byKey = new Map(parameters.map((each) => [`${textOf(each["in"])} ${textOf(each["name"])}`, each]));
  return [...byKey.values()].filter((each) => textOf(each["name"]) !== "");
}

function toParameter(raw: Record<string, unknown>, follow: Follow): Parameter {
  const [content] = toContents(raw["content"], follow);
  return {
    name: textOf(raw["name"]),
    place: textOf(raw["in"]),
    required: raw["required"] === true,
    deprecated: raw["deprecated"] === true,
    description: textOf(raw["description"]),
    // Swagger 2 writes a parameter's type beside its name.
    schema: raw["schema"] ?? content?.schema ?? withoutWords(raw),
    examples: [...toExamples(raw, follow), ...(content?.examples ?? [])].slice(0, EXAMPLES_MAX),
  };
}

function toBody(raw: unknown, follow: Follow): Body | undefined {
  const body = follow(raw);
  const contents = toContents(body["content"], follow);
  const description = textOf(body["description"]);
  if (contents.length === 0 && description === "") return undefined;
  return { description, required: body["required"] === true, contents };
}

function swaggerBody(parameters: Record<string, unknown>[], consumes: string[]): Body | undefined {
  const body = parameters.find((each) => each["in"] === "body");
  if (body) {
    const contents = consumes.map((mediaType) => ({ mediaType, schema: body["schema"], examples: [] }));
    return { description: textOf(body["description"]), required: body["required"] === true, contents };
  }
  const fields = parameters.filter((each) => each["in"] === "formData");
  if (fields.length === 0) return undefined;
  const required = fields.filter((each) => each["required"] === true).map((each) => each["name"]);
  const properties = Object.fromEntries(
    fields.map((each) => [textOf(each["name"]), { ...withoutWords(each), description: each["description"] }]),
  );
  const hasFile = fields.some((each) => each["type"] === "file");
  const mediaType = consumes.find((type) => type.includes("form")) ?? formType(hasFile);
  const schema = { type: "object", properties, required };
  return { description: "", required: required.length > 0, contents: [{ mediaType, schema, examples: [] }] };
}

const formType = (hasFile: boolean) =>
  hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";

function toResponse(
  status: string,
  raw: Record<string, unknown>,
  follow: Follow,
  produces: string[] | undefined,
): ApiResponse {
  return {
    status,
    description: textOf(raw["description"]),
    headers: Object.entries(recordOf(raw["headers"])).map(([name, header]) =>
      toParameter({ ...follow(header), name, in: "header" }, follow),
    ),
    contents: produces === undefined ? toContents(raw["content"], follow) : swaggerContents(raw, produces),
  };
}

function swaggerContents(raw: Record<string, unknown>, produces: string[]): BodyContent[] {
  const examples = recordOf(raw["examples"]);
  if (raw["schema"] === undefined && Object.keys(examples).length === 0) return [];
  return produces.map((mediaType) => ({
    mediaType,
    schema: raw["schema"],
    examples: mediaType in examples ? [{ title: "", value: examples[mediaType] }] : [],
  }));
}

function toContents(raw: unknown, follow: Follow): BodyContent[] {
  return Object.entries(recordOf(raw)).map(([mediaType, value]) => {
    const content = follow(value);
    return { mediaType, schema: content["schema"], examples: toExamples(content, follow) };
  });
}

function toExamples(raw: Record<string, unknown>, follow: Follow): Example[] {
  if (raw["example"] !== undefined) return [{ title: "", value: raw["example"] }];
  return Object.entries(recordOf(raw["examples"]))
    .slice(0, EXAMPLES_MAX)
    .flatMap(([name, value]) => {
      const example = follow(value);
      const title = textOf(example["summary"]) || name;
      return "value" in example ? [{ title, value: example["value"] }] : [];
    });
}

function withoutWords({ name, in: _, required, description, ...schema }: Record<string, unknown>) {
  return schema;
}

function mediaTypes(value: unknown): string[] {
  const types = textsOf(value);
  return types.length > 0 ? types : [JSON_TYPE];
}
