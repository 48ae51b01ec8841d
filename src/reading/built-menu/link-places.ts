import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { Target } from "./entries.ts";

/** Says where the links of built pages lead. */
export interface LinkPlaces {
  /** What a link on the page of a file leads to; undefined where that is nothing that a menu names. */
  of(location: string): (href: string) => Target | undefined;
}

const NOWHERE = "http://site.invalid";
const INDEX = /(?:^|\/)index\.html?$/i;
const FOLDERS_MAX = 5;
/** So many links to one host that lead to pages of the site say that it is the site's. */
const HOST_MIN = 5;

/**
 * The places of pages by their files. Where the site stands on its host is not known: what links that begin with a slash
 * have in common, and the folder that is read lacks, is taken for it. `links` are some of those.
 */
export function createLinkPlaces(
  pages: readonly { location: string; path: string }[],
  { links, siteUrl }: { links: readonly string[]; siteUrl?: string | undefined },
): LinkPlaces {
  const byFile = new Map<string, string>();
  for (const { location, path } of pages) {
    byFile.set(location, path);
    // What stands in the place of a file or folder is not overwritten by what is only called so.
    for (const name of spellings(location)) if (!byFile.has(name)) byFile.set(name, path);
  }
  const isFile = (place: string) => byFile.has(place);
  const { host, root } = rootOf(links, isFile, siteUrl);
  return {
    of(location) {
      const base = `${NOWHERE}/${encodeURI(location)}`;
      return (href) => {
        const url = URL.parse(href, base);
        if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
        const isOwn = url.origin === NOWHERE;
        if (!isOwn && url.host !== host) return { href: url.href };
        const isRooted = !isOwn || href.startsWith("/");
        const pathname = placeOf(url.pathname);
        const place = isRooted ? withoutRoot(pathname, root) : pathname;
        const path = place === undefined ? undefined : byFile.get(place);
        if (path === undefined) return isOwn ? undefined : { href: url.href };
        return { path, anchor: decodePercent(url.hash.slice(1)) };
      };
    },
  };
}

/** Other ways to write the address of a file. */
function spellings(location: string): string[] {
  if (INDEX.test(location)) return [location.replace(INDEX, "")];
  return [location.replace(/\.html?$/i, "")];
}

const placeOf = (pathname: string) => decodePercent(pathname).replace(/^\/+|\/+$/g, "");

function withoutRoot(place: string, root: string): string | undefined {
  if (root === "") return place;
  if (place === root) return "";
  return place.startsWith(`${root}/`) ? place.slice(root.length + 1) : undefined;
}

interface Root {
  host: string | undefined;
  root: string;
}

/** Where the site stands, by which most links lead to its pages. */
function rootOf(
  links: readonly string[],
  isFile: (place: string) => boolean,
  siteUrl: string | undefined,
): Root {
  const counts = new Map<string, { root: Root; count: number }>();
  const own = siteUrl === undefined ? null : URL.parse(siteUrl);
  for (const href of links) {
    const url = URL.parse(href, NOWHERE);
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    const host = url.origin === NOWHERE ? undefined : url.host;
    const parts = placeOf(url.pathname).split("/");
    for (let count = 0; count <= Math.min(FOLDERS_MAX, parts.length); count++) {
      const place = parts.slice(count).join("/");
      // Every host has a first page.
      if (!isFile(place) || (place === "" && host !== undefined)) continue;
      const root = parts.slice(0, count).join("/");
      const key = JSON.stringify([host, root]);
      const known = counts.get(key) ?? { root: { host, root }, count: 0 };
      known.count += 1;
      counts.set(key, known);
      break;
    }
  }
  const best = [...counts.values()].sort((a, b) => b.count - a.count);
  const named = best.find(({ root, count }) => root.host !== undefined && count >= HOST_MIN);
  const host = named?.root.host ?? own?.host;
  const root = best[0]?.root.root ?? own?.pathname.replace(/^\/+|\/+$/g, "") ?? "";
  return { host, root };
}
