import { createPublicSite } from "../../http/public-site/public-site.ts";
import {
  createReaderAccess,
  createReaderMembers,
  createReaderSearch,
  createReaderWidget,
  type ReaderSiteOptions,
} from "../../http/reader-site/reader-site.ts";
import type { SessionDoor } from "../../http/session/session.ts";
import { createNavigation } from "../../pages/navigation/navigation.ts";
import type { Shared } from "./doors.ts";

/** The deps of the built-in reader site. */
export function openReaderSite(
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
