import type { z } from "zod";
import { STATUS } from "../errors.ts";
import type { ApiOperation, ApiReply, KeyKind } from "../operation/operation.ts";
import { errorResponseName } from "./error-responses.ts";
import type { SchemaWriter } from "./json-schema.ts";
import { operationId } from "./operation-ids.ts";
import { pathParameters, queryParameters } from "./parameters.ts";

const SECURITY: Record<KeyKind, { [scheme: string]: [] }[]> = {
  assistant: [{ assistant: [] }],
  public: [{ assistant: [] }, {}],
  admin: [{ admin: [] }, { session: [] }],
  session: [{ session: [] }],
  none: [],
};

/** An operation as the document has it. */
export function describeOperation(operation: ApiOperation, writer: SchemaWriter) {
  const { method, path, tag, summary, description, key, deprecated, body, replies } = operation;
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    security: SECURITY[key],
    parameters: [...pathParameters(path), ...queryParameters(operation.query, writer)],
    ...(body === undefined ? {} : { requestBody: requestBody(operation, body, writer) }),
    ...(operation.takesFile === true ? { requestBody: FILE_BODY } : {}),
    responses: {
      ...errorResponses(operation),
      ...Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [status, response(reply, writer)]),
      ),
    },
  };
}

function requestBody({ bodyOptional, example }: ApiOperation, schema: z.ZodType, writer: SchemaWriter) {
  const content = { schema: writer.write(schema), ...(example === undefined ? {} : { example }) };
  return { required: bodyOptional !== true, content: { "application/json": content } };
}

const BYTES = { type: "string", format: "binary" };

/** The server knows an archive by its first bytes. Clients handle this type of file best. */
const FILE_BODY = { required: true, content: { "application/octet-stream": { schema: BYTES } } };

const STREAMED = "text/event-stream";
/** The schema of what is not JSON says only whether it is text. */
const plainSchema = (type: string) =>
  type.startsWith("text/") || type === "application/x-ndjson" ? { type: "string" } : BYTES;
/** A stream has no schema: it would be read as that of each single event. */
const plainContent = (type: string) => (type === STREAMED ? {} : { schema: plainSchema(type) });

function response(reply: ApiReply, writer: SchemaWriter) {
  const { description, contentType = "application/json", otherTypes = [], schema, example } = reply;
  if (schema === undefined && reply.contentType === undefined) return { description };
  const content = {
    ...(schema === undefined ? plainContent(contentType) : { schema: writer.write(schema, "output") }),
    ...(example === undefined ? {} : { example }),
  };
  const others = Object.fromEntries(otherTypes.map((type) => [type, plainContent(type)]));
  return { description, content: { [contentType]: content, ...others } };
}

function errorResponses({ errors, openaiErrors = false }: ApiOperation) {
  return Object.fromEntries(
    [...errors, "headers_too_large" as const].map((code) => [
      String(STATUS[code]),
      { $ref: `#/components/responses/${errorResponseName(code, openaiErrors)}` },
    ]),
  );
}
