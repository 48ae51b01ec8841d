import type { McpDeps } from "@docent/doors/mcp/mcp";
import type { LineStreams } from "@docent/doors/mcp/stdio/line-transport";
import type { McpOptions } from "@docent/doors/mcp-endpoint/mcp";
import { createPageSections } from "@docent/finding/search/search";
import type { Log } from "@docent/kernel/lib/log";
import type { Site } from "@docent/sites/site/sites";
import { linkTo, publicUrlOf } from "../app/addresses.ts";
import type { Parts } from "../app/parts.ts";
import type { Surroundings } from "../app/surroundings.ts";
import type { Shared } from "./doors.ts";

/** The deps of the door at which agents come in over HTTP. */
export const openMcpDoor = ({
  parts,
  log,
  signInParts,
  isNamedHost,
  publicUrl,
}: Shared): Omit<McpOptions, "guard" | "settings"> => ({
  isNamedHost,
  agents: signInParts.vouchers.agents,
  publicUrl,
  open: (asked) => openMcp(parts, log, asked, publicUrl()),
});

/** The deps of a site's MCP tools, with links under that address. */
function openMcp(
  { content, people, storage }: Parts,
  log: Log,
  { site, audience }: Pick<McpDeps, "site" | "audience">,
  publicUrl: string,
): Omit<McpDeps, "count"> {
  return {
    site,
    audience,
    pages: content.pages,
    sections: createPageSections(storage.content.search),
    search: content.search,
    log,
    linkTo: (page) => linkTo(site, page, publicUrl, people.readerLinks.query(site, page)),
  };
}

/** Serves one agent on this machine, without a key or a limit. */
export async function serveMcpOverStdio(
  { config, log }: Surroundings,
  parts: Parts,
  site: Site,
  streams: LineStreams,
  signal: AbortSignal,
): Promise<void> {
  const { serveStdio } = await import("@docent/doors/mcp/stdio/stdio");
  // Whoever may start a program beside the database may read all of it.
  const opened = openMcp(parts, log, { site, audience: "everything" }, publicUrlOf(config));
  await serveStdio({ ...opened, count: async () => {} }, streams, signal);
}
