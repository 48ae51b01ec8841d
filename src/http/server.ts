import { Elysia } from "elysia";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { corsPlugin } from "./cors.ts";
import { errorPlugin } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import { type ReaderOptions, readerRoutes } from "./reader.ts";
import { type V1Options, v1Routes } from "./v1.ts";

export interface ServerOptions {
  v1: V1Options;
  reader: ReaderOptions;
  basePath: string;
  ids: Ids;
  log: Log;
  isReady: () => boolean;
}

/** Every route of the server, in the order in which a request passes them. */
export function createServer({ v1, reader, basePath, ids, log, isReady }: ServerOptions) {
  const { directory } = v1.guard;
  // One instance at both places: what it remembers, it remembers once.
  const messages = v1Routes(v1);
  return new Elysia({ prefix: basePath })
    .onRequest(async ({ set }) => {
      set.headers["x-request-id"] = ids.ulid();
      await directory.refresh();
    })
    .use(errorPlugin(log))
    .use(corsPlugin(directory, basePath))
    .use(healthRoutes(isReady))
    .use(messages)
    .group("/discovery", (discovery) => discovery.use(messages))
    .use(readerRoutes(reader));
}
