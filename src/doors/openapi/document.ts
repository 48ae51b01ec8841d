import type { Operation, Tag } from "../operation.ts";
import { describeOperation, documentedPath } from "./describe-operation.ts";
import { errorResponses } from "./error-responses.ts";
import { createSchemaWriter } from "./json-schema.ts";
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

/** What the operations of each kind are for. */
const DESCRIPTIONS: Record<Tag, string> = {
  Assistant: "Questions, and the answers to them as streams.",
  Search: "Passages, and pages as Markdown.",
  Widget: "What the widget says and looks like.",
  Feedback: "What readers say of answers, and what they click.",
  OpenAI: "Questions in OpenAI's protocol: a site is a model.",
  Chat: "Questions from Slack, Mattermost, Rocket.Chat and Discord.",
  Analytics: "What readers asked, and what the docs did not answer.",
  "Admin: status": "The server in numbers, and its models.",
  "Admin: organizations": "Those who own sites.",
  "Admin: sites": "Sites, and their settings.",
  "Admin: readers": "Who can read a site, and what it vouches for them with.",
  "Admin: settings": "What a site may choose, and a try of it.",
  "Admin: assistant keys": "The public keys that stand in pages.",
  "Admin: admin keys": "The secret keys that open this API.",
  "Admin: members": "People who sign in to the dashboard.",
  "Admin: sources": "Where a site's pages come from, and the runs that read them.",
  "Admin: pages": "What a site's index holds, and why something in it is found or not.",
  "Admin: generations": "The states of a site's index that can be returned to.",
  "Admin: golden questions": "Questions that readers should find an answer for, whatever a run changes.",
  "Admin: curated answers": "Answers that people wrote.",
  "Admin: notices": "Where people are told of what needs them.",
  "Admin: privacy": "What readers said, deleted for good.",
  "Admin: backup": "A copy of the whole database.",
  "Admin: audit log": "Who signed in, and who changed what.",
  "Signing in": "Sessions of members, in a cookie.",
  MCP: "The Model Context Protocol, for agents.",
  Server: "Whether the server runs, and what it is.",
};

/** The tags of the operations, in the order in which they come, each with what it is for. */
function tagsOf(operations: readonly Operation[]) {
  return [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
    name,
    description: DESCRIPTIONS[name],
  }));
}
