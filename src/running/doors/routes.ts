import { createAppChats } from "@docent/answering/threads/threads";
import { createAssets } from "@docent/doors/assets";
import { createPublicSite } from "@docent/doors/public-site/public-site";
import {
  createReaderAccess,
  createReaderMembers,
  createReaderSearch,
  createReaderWidget,
  type ReaderSiteOptions,
} from "@docent/doors/reader-site/reader-site";
import { createServer } from "@docent/doors/server";
import type { SessionDoor } from "@docent/doors/session/session";
import { readBundled } from "@docent/faces/bundled";
import { createNavigation } from "@docent/sites/pages/navigation/navigation";
import { openAdmin } from "./admin.ts";
import type { Shared } from "./doors.ts";
import { openMcpDoor } from "./mcp.ts";
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
    referenceStyles: async () => (await import("@docent/faces/reference/reference")).referenceStyles,
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

/** The deps of the built-in reader site. */
function openReaderSite(
  { config, clock, parts, guard, readers, basePath, publicUrl }: Shared,
  session: SessionDoor,
): Omit<ReaderSiteOptions, "assets"> {
  const { people, content, reports, ids } = parts;
  const { directory } = guard;
  const { pages, images } = content;
  const navigation = createNavigation(pages);
  return {
    directory,
    pages,
    images,
    basePath,
    publicUrl,
    navigation,
    search: createReaderSearch(content.search, guard, reports.analytics.searchLog),
    widget: createReaderWidget({
      keys: people.keys,
      directory,
      passes: people.readerPasses,
      basePath,
      clock,
    }),
    links: people.readerLinks,
    readers: guard.readers,
    passes: people.readerPasses,
    access: createReaderAccess({
      readers: guard.readers,
      sessions: people.readerSessions,
      members: createReaderMembers({ ...session, basePath }),
      cookie: readers.cookie,
      ways: readers.ways,
      secret: people.deviceSecret,
    }),
    nonce: ids.capability,
    publicSite: createPublicSite({ settings: config, pages, navigation }),
  };
}
