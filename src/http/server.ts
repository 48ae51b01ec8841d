import { Elysia } from "elysia";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Search } from "../search/search.ts";
import { corsPlugin } from "./cors.ts";
import { errorPlugin } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import { lookupRoute } from "./lookup-routes.ts";
import { type MessageOptions, messageRoutes } from "./message-routes.ts";
import { pageOperation } from "./page-operation.ts";
import { type ReaderOptions, readerRoutes } from "./reader.ts";
import { searchOperation } from "./search-operation.ts";
import { v1Message } from "./v1.ts";
import { v2Message } from "./v2.ts";

export interface ServerOptions {
  messages: MessageOptions;
  search: Search;
  reader: ReaderOptions;
  basePath: string;
  ids: Ids;
  log: Log;
  isReady: () => boolean;
}

/** Every route of the server, in the order in which a request passes them. */
export function createServer({ messages, search, reader, basePath, ids, log, isReady }: ServerOptions) {
  const { directory } = messages.guard;
  // One instance at both places: what it remembers, it remembers once.
  const operations = new Elysia()
    .use(messageRoutes(messages, v1Message))
    .use(messageRoutes(messages, v2Message))
    .use(lookupRoute(messages, searchOperation(search)))
    .use(lookupRoute(messages, pageOperation(reader.pages)));
  return new Elysia({ prefix: basePath })
    .onRequest(async ({ set }) => {
      set.headers["x-request-id"] = ids.ulid();
      await directory.refresh();
    })
    .use(errorPlugin(log))
    .use(corsPlugin(directory, basePath))
    .use(healthRoutes(isReady))
    .use(operations)
    .group("/discovery", (discovery) => discovery.use(operations))
    .use(readerRoutes(reader));
}
