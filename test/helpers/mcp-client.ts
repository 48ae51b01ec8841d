import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";

export const newClient = () => new Client({ name: "test", version: "1" });

/** The official client at a running server. */
export async function connect(
  url: string,
  domain: string,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = newClient();
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/${domain}`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

/** Calls a tool. The client checks what comes back against the tool's own schema. */
export async function call(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<CallToolResult> {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
}

/** The text of a tool's result. */
export const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
