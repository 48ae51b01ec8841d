import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttpTransport,
  type VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdioTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";

/** What is used here of both generations of the official client. */
export interface McpClient {
  listTools(): Promise<{
    tools: {
      name: string;
      description?: string | undefined;
      annotations?: unknown;
      inputSchema: { type: unknown };
      outputSchema?: object | undefined;
    }[];
  }>;
  listResources(params?: { cursor?: string }): Promise<{
    resources: { uri: string; mimeType?: string | undefined }[];
    nextCursor?: string | undefined;
  }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  getServerVersion(): unknown;
  getInstructions(): string | undefined;
  getServerCapabilities(): unknown;
  close(): Promise<void>;
}

/** The program that a client starts and talks to. */
export interface McpProgram {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** An official client, and the revision of the protocol that it comes to speak. */
export interface Generation {
  name: string;
  revision: string;
  overHttp(url: URL, headers: Record<string, string>): Promise<McpClient>;
  overStdio(program: McpProgram): Promise<McpClient>;
}

const ME = { name: "test", version: "1" };

/** What most agents have: it shakes hands. */
const OLD: Generation = {
  name: "the client of SDK 1",
  revision: "2025-11-25",
  async overHttp(url, headers) {
    const client = new OldClient(ME);
    await client.connect(new OldHttpTransport(url, { requestInit: { headers } }));
    return client;
  },
  async overStdio(program) {
    const client = new OldClient(ME);
    await client.connect(new OldStdioTransport(program));
    return client;
  },
};

const newGeneration = (
  name: string,
  revision: string,
  versionNegotiation: VersionNegotiationOptions,
): Generation => ({
  name,
  revision,
  async overHttp(url, headers) {
    const client = new NewClient(ME, { versionNegotiation });
    await client.connect(new NewHttpTransport(url, { requestInit: { headers } }));
    if (client.getNegotiatedProtocolVersion() !== revision) throw new Error("another revision was agreed on");
    return client;
  },
  async overStdio(program) {
    const client = new NewClient(ME, { versionNegotiation });
    await client.connect(new NewStdioTransport(program));
    if (client.getNegotiatedProtocolVersion() !== revision) throw new Error("another revision was agreed on");
    return client;
  },
});

export const GENERATIONS: Generation[] = [
  OLD,
  newGeneration("the client of SDK 2, with a handshake", "2025-11-25", { mode: "legacy" }),
  newGeneration("the client of SDK 2, which looks first", "2026-07-28", { mode: "auto" }),
];

/** An official client at a running server; the one that most agents have unless told otherwise. */
export const connect = (
  url: string,
  domain: string,
  headers: Record<string, string> = {},
  generation = OLD,
): Promise<McpClient> => generation.overHttp(new URL(`${url}/mcp/${domain}`), headers);

/** Calls a tool. The client checks what comes back against the tool's own schema. */
export async function call(
  client: McpClient,
  name: string,
  given: Record<string, unknown> = {},
): Promise<CallToolResult> {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
}

/** The text of a tool's result. */
export const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

/** The error that a client was given, as code and message. SDK 1 writes the code before the message. */
export async function faultOf(asked: Promise<unknown>): Promise<[code: unknown, message: string]> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error) || !("code" in error)) throw new Error("it was no error of the protocol");
  return [error.code, error.message.replace(/^MCP error -\d+: /, "")];
}
