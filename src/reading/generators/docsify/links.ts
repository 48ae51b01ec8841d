import { splitHref } from "../writing/writing.ts";
import { clipped, type ShownPage, type SitePages, trimSlashes } from "./pages.ts";
import type { DocsifySettings } from "./settings.ts";

/** What a link in a page, or in a menu, leads to: a page of the site with an anchor, or what no page is at. */
interface LinkPlace {
  page: ShownPage | undefined;
  /** From the site's root: "/guide/setup#linux". */
  href: string;
}

/** Where a link leads; undefined for one that Docsify leaves as it is. */
export function followLink(
  { settings, pages }: { settings: DocsifySettings; pages: SitePages },
  from: string,
  href: string,
): LinkPlace | undefined {
  // Docsify takes anything with a colon for an address elsewhere.
  if (/:|\/\//.test(href)) return undefined;
  const written = href === settings.homepage ? "README" : href.replace(/^#(?=\/)/, "");
  const { target, rest } = splitHref(written);
  const anchor = anchorIn(rest);
  const plain = target.endsWith(".md") ? target.slice(0, -".md".length) : target;
  const isLocal = target === "" && rest.startsWith("#");
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  const isFromFolder = settings.hasRelativeLinks && !plain.startsWith("/");
  const route = isLocal ? from : `/${clipped(isFromFolder ? folder + plain : plain)}`;
  const location = pages.fileAt(route);
  const page = location === undefined ? undefined : pages.byLocation.get(location);
  const elsewhere = page === undefined ? pages.elsewhereAt(route) : undefined;
  if (elsewhere !== undefined) return { page, href: elsewhere };
  const path = page?.path ?? trimSlashes(route);
  return { page, href: `/${encodeURI(path)}${anchor}` };
}

/** `#setup` and `?id=setup` name a heading, in small letters. */
function anchorIn(rest: string): string {
  const id = /[?&]id=([^&#]*)/.exec(rest)?.[1] ?? /#([^?&]*)/.exec(rest)?.[1] ?? "";
  return id === "" ? "" : `#${id.toLowerCase()}`;
}
