import type { z } from "zod";
import { STATUS } from "../errors.ts";
import { errorShape, openaiErrorShape } from "./error-shapes.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import type { ApiOperation, ApiReply, KeyKind } from "./operation.ts";
import { pathParameters, queryParameters } from "./parameters.ts";

interface DocumentOptions {
  version: string;
  /** Where the server is, with its base path. */
  url: string;
  operations: readonly ApiOperation[];
}

/** The OpenAPI 3.1 document of a server. */
export function openApiDocument({ version, url, operations }: DocumentOptions) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      ...(operation.hasPrefix === true ? { servers: [{ url }, { url: `${url}/discovery` }] } : {}),
      [operation.method]: describe(operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Docent",
      version,
      summary: "Answers from your docs, with citations.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Error: jsonSchemaOf(errorShape, "output"),
        OpenaiError: jsonSchemaOf(openaiErrorShape, "output"),
      },
      securitySchemes: {
        assistant: {
          type: "http",
          scheme: "bearer",
          description: "An assistant key, docent_dsc_…: public, made to stand in a page's source.",
        },
        admin: {
          type: "http",
          scheme: "bearer",
          description: "An admin key, docent_adm_…: a secret.",
        },
        session: {
          ...{ type: "apiKey", in: "cookie", name: "docent_session" },
          description:
            "What a browser is signed in with. Over https it is __Host-docent_session, and __Secure-docent_session below a base path. A write needs an Origin that is the server's own.",
        },
      },
    },
  };
}

const SECURITY: Record<KeyKind, Record<string, []>[]> = {
  assistant: [{ assistant: [] }],
  admin: [{ admin: [] }, { session: [] }],
  session: [{ session: [] }],
  none: [],
};

function describe(operation: ApiOperation) {
  const { id, tag, summary, description, key, deprecated, body, example, replies } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    security: SECURITY[key],
    parameters: [...pathParameters(operation.path), ...queryParameters(operation.query)],
    ...(body === undefined ? {} : { requestBody: requestBody(body, example) }),
    ...(operation.takesFile === true ? { requestBody: FILE_BODY } : {}),
    responses: {
      ...errorResponses(operation),
      ...Object.fromEntries(Object.entries(replies).map(toResponse)),
    },
  };
}

/** What is in it is told by its first bytes, whatever it is called. */
const FILE_BODY = {
  required: true,
  content: Object.fromEntries(
    ["application/zip", "application/gzip", "application/x-tar"].map((type) => [type, {}]),
  ),
};

/** A body may be left out where everything in it may be. */
function requestBody(body: z.ZodType, example: unknown) {
  const schema = jsonSchemaOf(body);
  return {
    required: !(schema["type"] === "object" && schema["required"] === undefined),
    content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
  };
}

function toResponse([status, reply]: [string, ApiReply]) {
  const { description, contentType = "application/json", otherTypes = [], schema, example } = reply;
  if (schema === undefined && reply.contentType === undefined) return [status, { description }];
  const content = {
    ...(schema === undefined ? {} : { schema: jsonSchemaOf(schema, "output") }),
    ...(example === undefined ? {} : { example }),
  };
  const others = Object.fromEntries(otherTypes.map((type) => [type, {}]));
  return [status, { description, content: { [contentType]: content, ...others } }];
}

/** Several codes may have one status. */
function errorResponses({ errors, openaiErrors }: ApiOperation) {
  const $ref = `#/components/schemas/${openaiErrors === true ? "OpenaiError" : "Error"}`;
  const byStatus = Map.groupBy(errors, (code) => STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      String(status),
      {
        description: own.map((code) => `\`${code}\``).join(", "),
        content: { "application/json": { schema: { $ref } } },
      },
    ]),
  );
}
