import type { ErrorCode } from "@docent/kernel/errors";
import { z } from "zod";
import { STATUS } from "../errors.ts";
import type { KeyKind, Operation, Reply } from "../operation.ts";
import { errorResponseName } from "./error-responses.ts";
import type { SchemaWriter } from "./json-schema.ts";

const SECURITY: Record<KeyKind, { [scheme: string]: [] }[]> = {
  assistant: [{ assistant: [] }],
  public: [{ assistant: [] }, {}],
  admin: [{ admin: [] }, { session: [] }],
  session: [{ session: [] }],
  none: [],
};

/** An operation's path, with its parameters in braces. */
export const documentedPath = ({ path }: Operation) => path.replace(/:(\w+)/g, "{$1}").replace("*", "{name}");

/** The description of an operation, with who it is for, and what is kept of its use. */
export function descriptionOf({ description, guard, records = [] }: Operation): string | undefined {
  const kinds = records.map((kind) => `\`${kind}\``).join(" or ");
  const recorded = kinds === "" ? undefined : `The audit log has it as ${kinds}.`;
  const sentences = [description, guard.note, recorded].filter((each) => each !== undefined);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** The codes of an operation's errors, by their status: its guard's, those of its path and its body, and its own. */
export function errorsOf({ guard, path, body, takesFile, errors = [] }: Operation): ErrorCode[] {
  const hasBody = body !== undefined || takesFile === true;
  const all = new Set<ErrorCode>([
    ...guard.errors,
    ...(/[:*]/.test(path) ? (["not_found"] as const) : []),
    ...(hasBody ? (["invalid_request", "too_large", "unsupported_media_type"] as const) : []),
    ...errors,
  ]);
  return [...all].toSorted((a, b) => STATUS[a] - STATUS[b]);
}

/** An operation as the document has it. */
export function describeOperation(one: Operation, writer: SchemaWriter) {
  const { id, tag, summary, guard, deprecated, body, takesFile, replies } = one;
  const description = descriptionOf(one);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    security: SECURITY[guard.opens],
    parameters: [...pathParameters(documentedPath(one)), ...queryParameters(one.query, writer)],
    ...(body === undefined ? {} : { requestBody: requestBody(one, body, writer) }),
    ...(takesFile === true ? { requestBody: FILE_BODY } : {}),
    responses: {
      ...errorResponses(one),
      ...Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [status, response(reply, writer)]),
      ),
    },
  };
}

function requestBody(
  { mayLackBody, takesForm, example }: Operation,
  schema: z.ZodType,
  writer: SchemaWriter,
) {
  const content = { schema: writer.write(schema), ...(example === undefined ? {} : { example }) };
  const isOptional = mayLackBody === true && schema.safeParse({}).success;
  return { required: !isOptional, content: { [takesForm === true ? FORM : "application/json"]: content } };
}

const FORM = "application/x-www-form-urlencoded";
const BYTES = { type: "string", format: "binary" };

/** The server knows an archive by its first bytes. Clients handle this type of file best. */
const FILE_BODY = { required: true, content: { "application/octet-stream": { schema: BYTES } } };

const STREAMED = "text/event-stream";
/** The schema of what is not JSON says only whether it is text. */
const plainSchema = (type: string) =>
  type.startsWith("text/") || type === "application/x-ndjson" ? { type: "string" } : BYTES;
/** A stream has no schema: it would be read as that of each single event. */
const plainContent = (type: string) => (type === STREAMED ? {} : { schema: plainSchema(type) });

function response(reply: Reply, writer: SchemaWriter) {
  const { description, contentType = "application/json", otherTypes = [], schema } = reply;
  if (schema === undefined && reply.contentType === undefined) return { description };
  const content =
    schema === undefined ? plainContent(contentType) : { schema: writer.write(schema, "output") };
  const others = Object.fromEntries(otherTypes.map((type) => [type, plainContent(type)]));
  return { description, content: { [contentType]: content, ...others } };
}

function errorResponses(one: Operation) {
  return Object.fromEntries(
    [...errorsOf(one), "headers_too_large" as const].map((code) => [
      String(STATUS[code]),
      { $ref: `#/components/responses/${errorResponseName(code, one.hasOpenaiErrors === true)}` },
    ]),
  );
}

const text = (description: string, example?: string) => ({
  description,
  schema: { type: "string" },
  ...(example === undefined ? {} : { example }),
});

/** The parameters that paths have, by name. */
const PATH_PARAMETERS: Record<string, object> = {
  domain: text("The site, by its domain, or by the host that its docs are published under.", "acme"),
  model: text("The site, by its domain.", "acme"),
  name: text("The answer's name. Slashes in it stay as they are.", "windows-build"),
  number: { description: "The source's number.", schema: { type: "integer", minimum: 1 }, example: 1 },
  provider: text("The provider, by its name in the sign-in file."),
  chat: text("The chat, by the id that its client gave it.", "aB3dE6gH9jK2mN5p"),
  fp: text("The reader, as its client calls it.", "reader-1"),
  id: text("As the list gives it."),
  run: text("As the reply gives it that took the request."),
};

/** The parameters that a path has in braces. */
function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...PATH_PARAMETERS[name],
  }));
}

/** The parameters of a query. */
function queryParameters(query: z.ZodType | undefined, { write }: SchemaWriter) {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = write(query);
  const names = z.array(z.string()).parse(required);
  return Object.entries(z.record(z.string(), z.unknown()).parse(properties)).map(([name, schema]) => ({
    name,
    in: "query",
    required: names.includes(name),
    schema,
  }));
}
