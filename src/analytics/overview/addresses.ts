import { decodePath, normalizePath } from "../../pages/page-path.ts";
import type { AddressCount, PageCount } from "./overview-store.ts";

/** Where Docent's own reader has a page: below the site's domain. */
const IN_READER = /^\/?(?:.*\/)?sites\/[^/]+\//;

/** Adds what was counted by address to the pages that are there, the most frequent first. */
export function mergeAddresses(
  pages: readonly PageCount[],
  addresses: readonly AddressCount[],
  siteUrl: string | undefined,
): PageCount[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  for (const { url, count } of addresses) {
    const path = pathOf(url, siteUrl);
    const known = byPath.get(path) ?? { path, title: undefined, count: 0 };
    byPath.set(path, { ...known, count: known.count + count });
  }
  return [...byPath.values()].sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
}

/** The page that a citation led to, as far as its address tells. */
function pathOf(url: string, siteUrl: string | undefined): string {
  const plain = url.split(/[?#]/, 1)[0] ?? "";
  const isOnSite = siteUrl !== undefined && `${plain}/`.startsWith(`${siteUrl}/`);
  if (isOnSite) return decodePath(normalizePath(plain.slice(siteUrl.length)));
  const path = URL.parse(plain)?.pathname ?? plain;
  return decodePath(normalizePath(path.replace(IN_READER, "")));
}
