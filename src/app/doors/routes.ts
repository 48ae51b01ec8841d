import { createAssets } from "../../http/assets.ts";
import { createServer } from "../../http/server.ts";
import { createAppChats } from "../../threads/threads.ts";
import { readBundled } from "../../web/bundled.ts";
import { openAdmin } from "./admin.ts";
import type { Shared } from "./doors.ts";
import { openMcpDoor } from "./mcp.ts";
import { openReaderSite } from "./reader-site.ts";
import { openSession } from "./session.ts";

/** Everything that the server answers. */
export interface Routes {
  server: ReturnType<typeof createServer>;
  /** What counts by the request, and writes its counts from time to time. */
  counters: readonly { flush(): Promise<void> }[];
}

export function openRoutes(shared: Shared): Routes {
  const { config, clock, log, parts, guard, streams, metrics, basePath, publicUrl, readiness } = shared;
  const { people, content, reports, ids } = parts;
  const { session, signIn } = openSession(shared);
  const server = createServer({
    settings: config,
    messages: {
      settings: config,
      answer: parts.answers.open(publicUrl(), {}, metrics?.observeTurn),
      guard,
      appChats: createAppChats(people.chatSecret),
      streams,
    },
    chat: shared.chat,
    search: content.search,
    reader: openReaderSite(shared, session.door),
    assets: createAssets(readBundled),
    referenceStyles: async () => (await import("../../web/reference/reference.ts")).referenceStyles,
    admin: openAdmin(shared, session.door),
    session,
    signIn,
    analytics: reports.analytics,
    gaps: reports.gaps,
    handOver: people.handOver,
    mcp: openMcpDoor(shared),
    basePath,
    ids,
    clock,
    metrics: metrics?.replies,
    log,
    readiness,
  });
  return { server, counters: [session.door.sessions] };
}
