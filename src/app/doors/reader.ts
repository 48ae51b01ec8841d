import type { Parts, Surroundings } from "../../app.ts";
import type { GuardDeps } from "../../http/guard/guard.ts";
import { createPublicSite } from "../../http/public-site/public-site.ts";
import { createReaderMembers } from "../../http/reader-site/member-access.ts";
import type { ReaderOptions } from "../../http/reader-site/request.ts";
import { createReaderSearch } from "../../http/reader-site/search.ts";
import { createReaderWidget } from "../../http/reader-site/widget-tag.ts";
import type { SessionDoor } from "../../http/session/guard.ts";
import { createNavigation } from "../../pages/navigation/navigation.ts";
import { normalizeBasePath } from "../addresses.ts";

/** The parts of the place where a site's pages are read. */
export function openReader(
  { config, clock }: Pick<Surroundings, "config" | "clock">,
  { pages, search, analytics, keys, ids, readerLinks, readerPasses }: Parts,
  { guard, door }: { guard: GuardDeps; door: Pick<SessionDoor, "sessions" | "cookie" | "publicUrl"> },
): Omit<ReaderOptions, "assets"> {
  const { directory } = guard;
  const { publicUrl } = door;
  const basePath = normalizeBasePath(config.base_path);
  return {
    directory,
    pages,
    basePath,
    publicUrl,
    navigation: createNavigation(pages),
    search: createReaderSearch(search, guard, analytics.searchLog),
    widget: createReaderWidget({ keys, directory, passes: readerPasses, basePath, clock }),
    links: readerLinks,
    members: createReaderMembers({ ...door, basePath }),
    nonce: ids.capability,
    publicSite: createPublicSite({
      pages,
      llmsTxtPages: config.llms_txt_pages,
      llmsFullBytes: config.llms_full_bytes,
    }),
  };
}
