import { z } from "zod";
import type { ListedPage, ServerListing, ServerMenuEntry } from "../connector.ts";
import { menuOfTitles } from "../title-tree.ts";
import type { SideLink } from "./page.ts";
import type { PagePlace, Wiki } from "./wiki.ts";

export const LISTED_QUERY =
  "{ pages { list(orderBy: ID) { id path locale title contentType isPublished isPrivate updatedAt tags } } }";

const PAGE = z.object({
  id: z.number(),
  path: z.string(),
  locale: z.string(),
  title: z.string().nullish(),
  contentType: z.string().default(""),
  isPublished: z.boolean().default(true),
  isPrivate: z.boolean().default(false),
  updatedAt: z.string().default(""),
  tags: z.array(z.string().nullable()).nullish(),
});
export const LISTED = z.object({ pages: z.object({ list: z.array(PAGE) }) });
export type WikiPage = z.infer<typeof PAGE>;

/** The pages of a place: the wiki's, those of a language, or a page with those below it. */
export function listPages(
  wiki: Wiki,
  all: readonly WikiPage[],
  { place, links }: { place: string; links: readonly SideLink[] },
): ServerListing {
  const named = wiki.placeIn(place);
  const wanted = all.filter((page) => named === undefined || isIn(page, named));
  const isRead = ({ isPublished, isPrivate }: WikiPage) => isPublished && !isPrivate;
  const read = wanted.filter(isRead);
  return {
    pages: read.map((page) => listedPage(wiki, page)),
    leftOut: wanted
      .filter((page) => !isRead(page))
      .map((page) => ({
        address: wiki.addressOf(page),
        detail: page.isPrivate ? "is private" : "is not published",
      })),
    menu: menuOf(wiki, read, links),
    redirects: [],
  };
}

/** The first page stands for all of them. */
function isIn(
  page: WikiPage,
  { locale, path, isLocaleNamed }: PagePlace & { isLocaleNamed: boolean },
): boolean {
  if (isLocaleNamed && page.locale !== locale) return false;
  return path === "home" || page.path === path || page.path.startsWith(`${path}/`);
}

const listedPage = (wiki: Wiki, page: WikiPage): ListedPage => ({
  id: String(page.id),
  address: wiki.addressOf(page),
  title: page.title?.trim() || page.path,
  changedAt: page.updatedAt,
  revision: page.contentType,
});

/** What the wiki's owners put beside its pages, and below it all others as the tree of their paths. */
function menuOf(wiki: Wiki, pages: readonly WikiPage[], links: readonly SideLink[]): ServerMenuEntry[] {
  const known = new Map(pages.map((page) => [wiki.addressOf(page), page]));
  const top = links.flatMap(({ label, href }): ServerMenuEntry[] => {
    const place = wiki.placeIn(URL.parse(href, wiki.url)?.href ?? "");
    const address = place === undefined ? undefined : wiki.addressOf(place);
    const page = known.get(address ?? "");
    return page === undefined ? [] : [{ label: label || (page.title ?? ""), address, children: [] }];
  });
  const named = new Set(top.map(({ address }) => address));
  const locales = new Set(pages.map(({ locale }) => locale));
  const tree = menuOfTitles(
    pages
      .filter((page) => !named.has(wiki.addressOf(page)))
      .map((page) => ({
        titles: [...(locales.size > 1 ? [page.locale] : []), ...page.path.split("/")],
        label: page.title?.trim() || page.path,
        path: wiki.addressOf(page),
      })),
  );
  return [...top, ...tree];
}
