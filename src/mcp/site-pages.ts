import { z } from "zod";
import { AppError } from "../errors.ts";
import { readCursor, writeCursor } from "../lib/cursor.ts";
import type { Audience } from "../pages/audience.ts";
import { encodePath, hrefOf } from "../pages/page-path.ts";
import { findPage, type Page, type PageFilter, type PageStore } from "../pages/pages.ts";
import { readWrittenPlace } from "../pages/written-place.ts";
import { type Hit, listedHits, type PageSections, type Search } from "../search/search.ts";
import type { Site } from "../sites/sites.ts";
import { idOf, marksIn } from "./page-id.ts";

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

interface PageQuery {
  /** A path, an address or an id, with an anchor or without. */
  path: string;
  /** The words of a heading, or its anchor. */
  heading?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
}

type PageAddress = Pick<Page, "path" | "version" | "language" | "groups">;

/** What was read: a page, or one of its sections. */
export interface ReadPlace extends Pick<Page, "path" | "title" | "version" | "language" | "markdown"> {
  url: string;
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
  const urlOf = (page: PageAddress) => linkTo({ ...page, href: `/${encodePath(page.path)}` });
  // Without an address of its own, a site is where Docent shows it.
  const siteUrl = () =>
    site.url ??
    urlOf({ path: "", ...defaults, groups: [] })
      .replace(/\?.*$/, "")
      .replace(/\/$/, "");

  async function find({ path, version, language }: PageQuery): Promise<{ page: Page; anchor: string }> {
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
  }

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
    async read(query: PageQuery): Promise<ReadPlace> {
      await count("pages");
      const { page, anchor } = await find(query);
      const heading = query.heading?.trim() || anchor;
      const section = heading === "" ? undefined : await sections.read({ audience, page, heading });
      const href = hrefOf({ path: page.path, anchor: section?.anchor ?? "" });
      const { path, title, version, language } = page;
      return {
        path,
        title,
        version,
        language,
        url: linkTo({ ...page, href }),
        headings: section?.headings ?? [],
        markdown: section?.markdown ?? page.markdown,
        unknownHeading: section === undefined && heading !== "" ? heading : undefined,
      };
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

const withoutSlashes = (path: string) => path.replace(/^\/+/, "").replace(/(?<!\/)\/+$/, "");

function pathOfCursor(cursor: string): string {
  try {
    return readCursor(cursorSchema, cursor)[0];
  } catch (cause) {
    throw new AppError("invalid_request", "The cursor is not one that a list gave.", { cause });
  }
}
