import type { Hit } from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import type { Audience } from "@docent/sites/pages/audience";
import { findPage, type Page, type PageFilter, type PageStore } from "@docent/sites/pages/pages";
import { readWrittenPlace } from "@docent/sites/pages/written-place";
import type { Site } from "@docent/sites/site/sites";

/** Agents send back what they were given: a path, an address of the site or an id. */
export interface PageQuery {
  /** With an anchor or without. */
  path: string;
  version?: string | undefined;
  language?: string | undefined;
}

interface FinderDeps {
  site: Pick<Site, "id">;
  audience: Audience;
  pages: PageStore;
  /** Which of several pages of one path is found where nothing else is asked for. */
  defaults: PageFilter;
  siteUrl(): string;
}

/** Finds the page that an agent means, and where in it. Raises `not_found`. */
export const createPageFinder =
  ({ site, audience, pages, defaults, siteUrl }: FinderDeps) =>
  async ({ path, version, language }: PageQuery): Promise<{ page: Page; anchor: string }> => {
    const marks = marksIn(path);
    const asked = { version: version ?? marks.version, language: language ?? marks.language };
    const options = { asked, defaults, audience };
    const written = withoutSlashes(path);
    // The path of a page may have in it what divides an address.
    const named = await findPage(pages, site.id, written, options);
    if (named?.path === written) return { page: named, anchor: "" };
    const place = readWrittenPlace(path, siteUrl());
    const page = await findPage(pages, site.id, withoutSlashes(place.path), options);
    if (!page) throw new AppError("not_found", "There is no such page.");
    return { page, anchor: place.anchor };
  };

/**
 * What a result is fetched by: its address within the site, and its version and language, which published addresses often
 * do not tell.
 */
export function idOf({ href, version, language }: Pick<Hit, "href" | "version" | "language">): string {
  const [page = "", fragment = ""] = href.split(/(?=#)/);
  const marks = new URLSearchParams({ ...(version && { version }), ...(language && { language }) });
  return `${page}${marks.size > 0 ? `?${marks}` : ""}${fragment}`;
}

/** The version and the language in an id. */
function marksIn(id: string): { version: string | undefined; language: string | undefined } {
  const marks = new URLSearchParams(/\?([^#]*)/.exec(id)?.[1] ?? "");
  return { version: marks.get("version") ?? undefined, language: marks.get("language") ?? undefined };
}

export const withoutSlashes = (path: string) => path.replace(/^\/+/, "").replace(/(?<!\/)\/+$/, "");
