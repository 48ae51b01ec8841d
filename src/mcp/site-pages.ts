import { z } from "zod";
import { AppError } from "../errors.ts";
import { readCursor, writeCursor } from "../lib/cursor.ts";
import type { Audience } from "../pages/audience.ts";
import { encodePath } from "../pages/page-path.ts";
import { findPage, type Page, type PageFilter, type PageStore } from "../pages/pages.ts";
import { type Hit, listedHits, type Search } from "../search/search.ts";
import type { Site } from "../sites/sites.ts";

const cursorSchema = z.tuple([z.string()]);

/** What the limits count, and may refuse beforehand. */
type Counted = "searches" | "pages";

export interface SitePagesDeps {
  site: Site;
  /** Whom the agent reads for: what is not for them is not there. */
  audience: Audience;
  search: Search;
  pages: PageStore;
  /** Where a reader finds a page, or one of its headings. */
  linkTo(page: LinkedPage): string;
  /** Counts a use, or raises `rate_limited`. */
  count(what: Counted): Promise<void>;
}

/** A page, with what its link needs. `href` is its address within the site. */
type LinkedPage = Pick<Hit, "path" | "version" | "language" | "groups" | "href">;

interface PageQuery {
  path: string;
  version?: string | undefined;
  language?: string | undefined;
}

/** The pages of a site as agents may use them: search, read and list. Hidden ones do not exist. */
export function createSitePages({ site, audience, search, pages, linkTo, count }: SitePagesDeps) {
  const { defaultVersion, defaultLanguage } = site.settings;
  const defaults = { version: defaultVersion, language: defaultLanguage };
  const urlOf = (page: Pick<Page, "path" | "version" | "language" | "groups">) =>
    linkTo({ ...page, href: `/${encodePath(page.path)}` });

  return {
    site,

    async search(query: string, limit: number, filter: PageFilter) {
      await count("searches");
      const found = await search.find({ siteId: site.id, audience, text: query, pageSize: limit, filter });
      const hits = listedHits(found.hits).map((hit) => ({ ...hit, url: linkTo(hit) }));
      return { hits, corrected: hits.length === 0 ? undefined : found.corrected?.text };
    },

    async read({ path, ...asked }: PageQuery) {
      await count("pages");
      const page = await findPage(pages, site.id, withinSite(path, site), { asked, defaults, audience });
      if (!page) throw new AppError("not_found", "There is no such page.");
      return { ...page, url: urlOf(page) };
    },

    /** Raises `invalid_request` for a cursor that no earlier list returned. */
    async list({
      under = "",
      cursor,
      limit,
    }: {
      under?: string;
      cursor?: string | undefined;
      limit: number;
    }) {
      await count("pages");
      const after = cursor === undefined ? undefined : pathOfCursor(cursor);
      const generation = await pages.visibleGeneration(site.id);
      const listing = {
        ...defaults,
        siteId: site.id,
        generation,
        audience,
        after,
        under: withoutSlashes(under),
      };
      const found = await pages.listPages({ ...listing, limit: limit + 1 });
      const shown = found.slice(0, limit).map((page) => ({ ...page, url: urlOf(page) }));
      const last = found.length > limit ? shown.at(-1) : undefined;
      return { pages: shown, nextCursor: last && writeCursor([last.path]) };
    },
  };
}

export type SitePages = ReturnType<typeof createSitePages>;

/** Agents send back what they were given: a path, or the address of a page of the site. */
function withinSite(path: string, { url }: Site): string {
  return url !== undefined && `${path}/`.startsWith(`${url}/`) ? path.slice(url.length) : path;
}

const withoutSlashes = (path: string) => path.replace(/^\/+/, "").replace(/(?<!\/)\/+$/, "");

function pathOfCursor(cursor: string): string {
  try {
    return readCursor(cursorSchema, cursor)[0];
  } catch (cause) {
    throw new AppError("invalid_request", "The cursor is not one that a list gave.", { cause });
  }
}
