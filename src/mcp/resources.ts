import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  ErrorCode as JsonRpcCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AppError, type ErrorCode } from "../errors.ts";
import type { Log } from "../lib/log.ts";
import { decodePath, encodePath } from "../pages/page-path.ts";
import { reportFault } from "./report-fault.ts";
import type { SitePages } from "./site-pages.ts";

const LISTED_PAGES = 200;
const MIME_TYPE = "text/markdown";
const RESOURCE_NOT_FOUND = -32_002;

const CODES: Partial<Record<ErrorCode, number>> = {
  invalid_request: JsonRpcCode.InvalidParams,
  not_found: RESOURCE_NOT_FOUND,
  rate_limited: JsonRpcCode.InvalidRequest,
};

/** Gives a server the site's pages as resources: listed in parts, and read whole. */
export function addResources({ server }: McpServer, pages: SitePages, log: Log): void {
  const root = `docent://${pages.site.domain}/`;
  server.registerCapabilities({ resources: {} });

  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    answer(log, async () => {
      const { pages: listed, nextCursor } = await pages.list({ cursor: params?.cursor, limit: LISTED_PAGES });
      const resources = listed.map(({ path, title, description }) => ({
        ...{ uri: root + encodePath(path), name: path === "" ? "/" : path, title, mimeType: MIME_TYPE },
        ...(description === undefined ? {} : { description }),
      }));
      return { resources, ...(nextCursor && { nextCursor }) };
    }),
  );

  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [
      {
        uriTemplate: `${root}{+path}`,
        name: "page",
        title: "A page",
        description: "A page of the documentation by its path.",
        mimeType: MIME_TYPE,
      },
    ],
  }));

  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    answer(log, async () => {
      if (!uri.startsWith(root)) throw new AppError("not_found", "There is no such page.");
      const { markdown: text } = await pages.read({ path: decodePath(uri.slice(root.length)) });
      return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
    }),
  );
}

/** The SDK takes the code from any error; its own error class would put a number before the message. */
async function answer<T>(log: Log, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, message } = reportFault(error, log);
    throw Object.assign(new Error(message), { code: CODES[code] ?? JsonRpcCode.InternalError });
  }
}
