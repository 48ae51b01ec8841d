import { plainHost, withoutFinalDot } from "@docent/kernel/lib/host-name";
import { decodePercent } from "@docent/kernel/text/decode-percent";

/** The part of a site that a source names. */
export interface SourceScope {
  /** `https://docs.acme.com`. */
  origin: string;
  /** The path that everything taken begins with, with a slash at its end. */
  prefix: string;
  /** The path of the site's own address, without a slash at its end: what pages are called begins below it. */
  root: string;
}

/** A page of a site: where to get it, and what it is called. Two addresses with one path are one page. */
export interface PageAddress {
  url: string;
  /** Below the site's root: no slash around it, decoded, an index file as its folder; with its query where that was kept. */
  path: string;
}

const PAGE_FILE = /\/[^/]+\.(?:html?|xhtml|mdx?|php|aspx?|jsp)$/i;
const INDEX_FILE = /(^|\/)index\.x?html?$/i;
const ADDRESS_CHARACTERS_MAX = 2000;
/** A path that repeats itself comes of a link that was meant to begin with a slash. There is no end to those. */
const REPEATS_MAX = 3;

/** The scope of an address: all below it, or below its folder where it is a file. */
export function scopeOf(start: string, siteUrl: string | undefined): SourceScope {
  const { origin, pathname } = withoutFinalDot(start);
  const folder = PAGE_FILE.test(pathname) ? pathname.replace(/[^/]*$/, "") : pathname;
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  const root = siteRoot(siteUrl, start);
  // Where there is more to read than the site, two pages could come to one path.
  return { origin, prefix, root: isBelow(prefix, root) ? root : "" };
}

/** The path of the site's own address, without a slash at its end; "" where this address is on another host. */
export function siteRoot(siteUrl: string | undefined, address: string): string {
  const site = siteUrl === undefined ? null : URL.parse(siteUrl);
  return site && plainHost(site.host) === plainHost(new URL(address).host)
    ? site.pathname.replace(/\/$/, "")
    : "";
}

const isBelow = (pathname: string, root: string) => `${pathname}/`.startsWith(`${root}/`);

export const scopeName = ({ origin, prefix }: SourceScope) => origin + prefix;

/** The page that a link leads to, if it is one of the scope. */
export function pageAddress(
  href: string,
  base: string,
  scope: SourceScope,
  options: { keepQuery: boolean },
): PageAddress | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = withoutFinalDot(new URL(href, base));
  url.hash = "";
  // Written by itself, without its host, an address that begins with two slashes would name another host.
  url.pathname = url.pathname.replace(/^\/{2,}/, "/");
  if (!options.keepQuery) url.search = "";
  const own = new URL(scope.origin);
  // Sites list themselves with http long after they have moved to https.
  if (url.hostname === own.hostname && isDefaultPort(url) && isDefaultPort(own)) url.protocol = own.protocol;
  if (url.origin !== scope.origin || url.username !== "" || url.password !== "") return undefined;
  if (!`${url.pathname}/`.startsWith(scope.prefix) || url.href.length > ADDRESS_CHARACTERS_MAX)
    return undefined;
  if (repeats(url.pathname)) return undefined;
  return { url: url.href, path: pathOf(url, scope.root) };
}

const isDefaultPort = (url: URL) => url.port === "";

/** What the page at an address is called: its path below the site's root, or from the host's where it is not there. */
export function pathOf(url: URL, root: string): string {
  const below = isBelow(url.pathname, root) ? url.pathname.slice(root.length) : url.pathname;
  const segments = below
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodeSegment);
  return segments.join("/").replace(INDEX_FILE, "") + url.search;
}

/** A slash that is written as %2F belongs to the name, and must not become a folder. */
function decodeSegment(segment: string): string {
  const decoded = decodePercent(segment);
  return decoded.includes("/") ? segment : decoded;
}

function repeats(pathname: string): boolean {
  const counts = new Map<string, number>();
  for (const segment of pathname.split("/")) {
    if (segment === "") continue;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > REPEATS_MAX) return true;
    counts.set(segment, count);
  }
  return false;
}
