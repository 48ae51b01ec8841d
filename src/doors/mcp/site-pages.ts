import {
  type Hit,
  listedHits,
  type PageSection,
  type PageSections,
  type Search,
} from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { readCursor, writeCursor } from "@docent/kernel/lib/cursor";
import { hrefOf } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import { findPage, type Page, type PageFilter, type PageStore } from "@docent/sites/pages/pages";
import { readWrittenPlace } from "@docent/sites/pages/written-place";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";

const cursorSchema = z.tuple([z.string()]);

/** What the limits count, and may refuse beforehand. */
type Counted = "searches" | "pages";

export interface SitePagesDeps {
  site: Site;
  /** Whom the agent reads for: what is not for them is not there. */
  audience: Audience;
  search: Search;
  pages: PageStore;
  sections: PageSections;
  /** Where a reader finds a page, or one of its headings. */
  linkTo(page: LinkedPage): string;
  /** Counts a use, or raises `rate_limited`. */
  count(what: Counted): Promise<void>;
}

/** A page, with what its link needs. `href` is its address within the site. */
type LinkedPage = Pick<Hit, "path" | "version" | "language" | "groups" | "href">;

interface ReadQuery extends PageQuery {
  /** The words of a heading, or its anchor. */
  heading?: string | undefined;
}

interface ListQuery {
  /** Only this path and those below it. */
  under?: string;
  cursor?: string | undefined;
  limit: number;
}

type PageAddress = Pick<Page, "path" | "version" | "language" | "groups"> & Partial<Pick<Page, "location">>;

/** What was read: a page, or one of its sections. */
export interface ReadPlace {
  page: Page;
  url: string;
  markdown: string;
  /** Its heading, and those above it; none for a page. */
  headings: string[];
  /** The heading that was asked for, and that the page does not have. */
  unknownHeading: string | undefined;
}

/** The pages of a site as agents may use them: search, read and list. Hidden ones do not exist. */
export function createSitePages(deps: SitePagesDeps) {
  const { site, audience, search, pages, sections, linkTo, count } = deps;
  const { defaultVersion, defaultLanguage } = site.settings;
  const defaults = { version: defaultVersion, language: defaultLanguage };
  const urlOf = (page: PageAddress, anchor = "") => linkTo({ ...page, href: hrefOf({ ...page, anchor }) });
  // Without an address of its own, a site is where Docent shows it.
  const shownAt = () => urlOf({ path: "", ...defaults, groups: [] }).replace(/\/?(?:\?.*)?$/, "");
  const find = createPageFinder({ site, audience, pages, defaults, siteUrl: () => site.url ?? shownAt() });

  return {
    site,

    async search(query: string, limit: number, filter: PageFilter) {
      await count("searches");
      const asked = { siteId: site.id, audience, text: query, pageSize: limit, filter };
      const found = await search.find({ ...asked, sections: "whole" });
      const hits = listedHits(found.hits).map((hit) => ({ ...hit, id: idOf(hit), url: linkTo(hit) }));
      return { hits, corrected: hits.length === 0 ? undefined : found.corrected?.text };
    },

    /** A page as a whole. */
    async page(path: string): Promise<Page> {
      await count("pages");
      return (await find({ path })).page;
    },

    /** A page, or the section of it that was asked for; the page, where it has no such heading. */
    async read(query: ReadQuery): Promise<ReadPlace> {
      await count("pages");
      const { page, anchor } = await find(query);
      const heading = query.heading?.trim() || anchor;
      const section = heading === "" ? undefined : await sections.read({ audience, page, heading });
      return { page, url: urlOf(page, section?.anchor), ...shownOf(page, section, heading) };
    },

    /** Raises `invalid_request` for a cursor that no earlier list returned. */
    async list({ under = "", cursor, limit }: ListQuery) {
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

/** What is shown of a page. */
const shownOf = (
  page: Page,
  section: PageSection | undefined,
  heading: string,
): Omit<ReadPlace, "page" | "url"> => ({
  headings: section?.headings ?? [],
  markdown: section?.markdown ?? page.markdown,
  unknownHeading: section === undefined && heading !== "" ? heading : undefined,
});

export type SitePages = ReturnType<typeof createSitePages>;

function pathOfCursor(cursor: string): string {
  try {
    return readCursor(cursorSchema, cursor)[0];
  } catch (cause) {
    throw new AppError("invalid_request", "The cursor is not one that a list gave.", { cause });
  }
}

/** Agents send back what they were given: a path, an address of the site or an id. */
interface PageQuery {
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
const createPageFinder =
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
function idOf({ href, version, language }: Pick<Hit, "href" | "version" | "language">): string {
  const [page = "", fragment = ""] = href.split(/(?=#)/);
  const marks = new URLSearchParams({ ...(version && { version }), ...(language && { language }) });
  return `${page}${marks.size > 0 ? `?${marks}` : ""}${fragment}`;
}

/** The version and the language in an id. */
function marksIn(id: string): { version: string | undefined; language: string | undefined } {
  const marks = new URLSearchParams(/\?([^#]*)/.exec(id)?.[1] ?? "");
  return { version: marks.get("version") ?? undefined, language: marks.get("language") ?? undefined };
}

const withoutSlashes = (path: string) => path.replace(/^\/+/, "").replace(/(?<!\/)\/+$/, "");
