import { z } from "zod";

const media = z.object({ schema: z.unknown().optional(), example: z.unknown().optional() });
const reference = z.object({ $ref: z.string() });
const reply = z.object({ description: z.string(), content: z.record(z.string(), media).optional() });
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(
    z.object({ name: z.string(), in: z.enum(["path", "query"]), example: z.unknown().optional() }),
  ),
  requestBody: z.object({ required: z.boolean(), content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.union([reference, reply])),
});
const documentSchema = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  servers: z.array(z.object({ url: z.string() })).length(1),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), reply),
  }),
});

/** One operation, as whoever has the document alone knows it. */
export interface Described extends Omit<z.infer<typeof operation>, "responses"> {
  method: string;
  path: string;
  /** Where else than at the document's own server it is. */
  servers: string[];
  /** The shared ones among them. */
  responses: Record<string, z.infer<typeof reply>>;
}

const serversSchema = z.array(z.object({ url: z.string() })).optional();

/** Reads an OpenAPI document, and gives its operations. */
export function readDocument(json: unknown) {
  const document = documentSchema.parse(json);
  const { responses: shared } = document.components;
  const resolved = (told: z.infer<typeof reference> | z.infer<typeof reply>) =>
    "$ref" in told ? reply.parse(shared[told.$ref.replace("#/components/responses/", "")]) : told;
  const operations = Object.entries(document.paths).flatMap(([path, { servers, ...item }]): Described[] =>
    Object.entries(item).map(([method, described]) => {
      const { responses, ...own } = operation.parse(described);
      return {
        method: method.toUpperCase(),
        path,
        ...own,
        servers: (serversSchema.parse(servers) ?? document.servers).map(({ url }) => url),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, told]) => [status, resolved(told)]),
        ),
      };
    }),
  );
  return { ...document, operations };
}

/** The path with its parameters in it, as the document gives them, or as they are known. */
export function filledPath({ path, parameters }: Described, known: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = known[name] ?? parameters.find((each) => each.name === name)?.example ?? `no-${name}`;
    return encodeURIComponent(String(example));
  });
}
