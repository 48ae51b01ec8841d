import type { Operation } from "../operation.ts";
import { describeOperation, documentedPath } from "./describe-operation.ts";
import { errorResponses } from "./error-responses.ts";
import { createSchemaWriter } from "./json-schema.ts";
import { tagsOf } from "./tags.ts";
import { describeWebhooks } from "./webhooks.ts";

interface DocumentOptions {
  version: string;
  /** Where the server is, with its base path. */
  url: string;
  operations: readonly Operation[];
}

/** The OpenAPI 3.1 document of a server. */
export function openApiDocument({ version, url, operations }: DocumentOptions) {
  const writer = createSchemaWriter();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of operations) {
    const path = documentedPath(one);
    paths[path] = {
      ...paths[path],
      ...(one.isInDiscovery === true ? { servers: [{ url }, { url: `${url}/discovery` }] } : {}),
      [one.method.toLowerCase()]: describeOperation(one, writer),
    };
  }
  const webhooks = describeWebhooks(writer);
  const responses = usedOnly(errorResponses(writer), JSON.stringify(paths));
  return {
    openapi: "3.1.0",
    info: {
      title: "Docent",
      version,
      summary: "Answers from your docs, with citations.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    tags: tagsOf(operations),
    paths,
    webhooks,
    components: { schemas: sortedByName(writer.components), responses, securitySchemes: SECURITY_SCHEMES },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

const SECURITY_SCHEMES = {
  assistant: {
    type: "http",
    scheme: "bearer",
    description: "An assistant key, docent_dsc_…: public, made to stand in a page's source.",
  },
  admin: { type: "http", scheme: "bearer", description: "An admin key, docent_adm_…: a secret." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "docent_session",
    description:
      "What a browser is signed in with. Over https it is __Host-docent_session, and __Secure-docent_session below a base path. A write needs an Origin that is the server's own.",
  },
};

const usedOnly = <T>(responses: Record<string, T>, written: string): Record<string, T> =>
  Object.fromEntries(
    Object.entries(responses).filter(([name]) => written.includes(`"#/components/responses/${name}"`)),
  );

const sortedByName = <T>(named: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
