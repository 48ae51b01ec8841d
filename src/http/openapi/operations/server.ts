import { z } from "zod";
import { errorShape } from "../../error-shapes.ts";
import { gives } from "../../operation/gives.ts";
import type { ApiOperation } from "../../operation/operation.ts";
import { KEYED_ERRORS } from "./readers.ts";

const status = z.object({ status: z.string() }).meta({ id: "Health" });
const message = z.looseObject({ jsonrpc: z.literal("2.0") }).meta({ id: "McpMessage" });
const messages = z.union([message, z.array(message)]).meta({ id: "McpMessages" });
/** What is no message in a batch is answered with an error of its own. */
const asked = z.union([message, z.array(z.unknown())]).meta({ id: "McpRequest" });
const document = z.looseObject({ openapi: z.string() }).meta({ id: "OpenapiDocument" });

/** Agents, and whoever looks after the server. */
export function serverOperations({ hasMetrics }: { hasMetrics: boolean }): ApiOperation[] {
  return [
    {
      method: "post",
      path: "/mcp/{domain}",
      tag: "MCP",
      key: "public",
      summary: "Answer a message of the Model Context Protocol",
      description:
        "Streamable HTTP, answered with JSON. A batch is of revision 2025-03-26 alone. A public site needs no key.",
      body: asked,
      example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      replies: {
        ...gives(200, "The message that answers it, or those that answer a batch.", messages),
        ...gives(202, "A message that needs no answer."),
        ...gives(
          400,
          "`invalid_request`, or what is no message of the protocol.",
          z.union([errorShape, message]),
        ),
        ...gives(
          404,
          "`not_found`, or a method that the protocol does not have.",
          z.union([errorShape, message]),
        ),
        ...gives(406, "`accept` does not take JSON.", message),
      },
      errors: KEYED_ERRORS,
    },
    {
      method: "get",
      path: "/health/live",
      tag: "Server",
      key: "none",
      summary: "Say that the process runs",
      replies: gives(200, "It runs.", status),
      errors: [],
    },
    {
      method: "get",
      path: "/health/ready",
      tag: "Server",
      key: "none",
      summary: "Say whether the server takes questions",
      replies: { ...gives(200, "It does.", status), ...gives(503, "It is stopping.", status) },
      errors: [],
    },
    {
      method: "get",
      path: "/openapi.json",
      tag: "Server",
      key: "none",
      summary: "Give this document",
      replies: gives(200, "An OpenAPI 3.1 document.", document),
      errors: [],
    },
    ...(hasMetrics ? [metrics] : []),
  ];
}

const metrics: ApiOperation = {
  method: "get",
  path: "/metrics",
  tag: "Server",
  key: "none",
  summary: "Give what was measured",
  replies: { 200: { description: "As Prometheus reads it.", contentType: "text/plain" } },
  errors: ["forbidden", "internal"],
};
