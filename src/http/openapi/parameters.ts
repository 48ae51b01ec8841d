import { z } from "zod";
import type { SchemaWriter } from "./json-schema.ts";

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
export function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...PATH_PARAMETERS[name],
  }));
}

/** The parameters of a query. */
export function queryParameters(query: z.ZodType | undefined, { write }: SchemaWriter) {
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
