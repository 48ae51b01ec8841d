import type { PageEntry, PageStore } from "../../pages/pages.ts";
import type { Site } from "../../sites/sites.ts";

const PAGES_AT_ONCE = 200;

interface Listed {
  pages: Pick<PageStore, "listPages">;
  site: Site;
  generation: number;
}

/** A site's pages in the order of their paths, of its default version and language, read as they are needed. */
export async function* listedPages(
  { pages, site, generation }: Listed,
  under: string,
): AsyncIterable<PageEntry> {
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const listing = { siteId: site.id, generation, version, language, under, limit: PAGES_AT_ONCE };
  let after: string | undefined;
  for (;;) {
    const some = await pages.listPages({ ...listing, after });
    yield* some;
    if (some.length < PAGES_AT_ONCE) return;
    after = some.at(-1)?.path;
    // Others are answered while a large site is read.
    await Bun.sleep(0);
  }
}

/** Text from pages where a line break would begin something else. */
export const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
