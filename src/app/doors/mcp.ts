import type { Config } from "../../config/settings.ts";
import type { ReaderLinks } from "../../http/reader-site/signed-links.ts";
import type { Log } from "../../lib/log.ts";
import type { McpDeps } from "../../mcp/mcp.ts";
import type { LineStreams } from "../../mcp/stdio/line-transport.ts";
import type { PageStore } from "../../pages/pages.ts";
import type { Search } from "../../search/search.ts";
import type { Site } from "../../sites/sites.ts";
import { linkTo, publicUrlOf } from "../addresses.ts";

interface McpParts {
  config: Config;
  log: Log;
  pages: PageStore;
  search: Search;
  readerLinks: ReaderLinks;
}

/** What the tools of a site work with, with links as readers reach them under that address. */
export function openMcp(parts: McpParts, site: Site, publicUrl: string): Omit<McpDeps, "count"> {
  const { pages, search, readerLinks, log } = parts;
  return {
    site,
    pages,
    search,
    log,
    linkTo: (page) => linkTo(site, page, publicUrl, readerLinks.query(site, page)),
  };
}

/** Serves one agent on this machine: it needs no key, and counts to no limit. */
export async function serveMcpOverStdio(
  parts: McpParts,
  site: Site,
  streams: LineStreams,
  signal: AbortSignal,
): Promise<void> {
  const { serveStdio } = await import("../../mcp/stdio/stdio.ts");
  const opened = openMcp(parts, site, publicUrlOf(parts.config, parts.config.port));
  await serveStdio({ ...opened, count: async () => {} }, streams, signal);
}
