import { decodePercent } from "@docent/kernel/text/decode-percent";
import { plainAddress, withoutForm } from "@docent/kernel/text/site-url";
import { encodePath, normalizePath } from "@docent/reading/page/page-path";

/** The page that contains a link. */
export interface LinkBase {
  path: string;
  /** Where the page was found: a file below a folder, or an address. */
  location: string;
  /** Where readers find the site. */
  siteUrl?: string | undefined;
}

/** A link's target: a page of the same site (at a heading where `anchor` is not empty), or elsewhere. */
export type LinkTarget = { kind: "page"; path: string; anchor: string } | { kind: "elsewhere"; href: string };

const NOWHERE = "http://site.invalid/";
const OF_PAGES = ["http:", "https:"];
const README = /(^|\/)readme$/i;
const INDEX_FILE = /(^|\/)index\.x?html?$/i;
const HTML = /\.html?$/i;

/**
 * Resolves a link as the page's readers would follow it: from the page's file or address, from the site's
 * root, or absolute. Undefined where it leads nowhere that may be linked to.
 */
export function resolveLink(href: string, base: LinkBase): LinkTarget | undefined {
  const written = href.trim();
  if (written === "") return undefined;
  const anchorOnly = written.startsWith("#");
  if (anchorOnly) return { kind: "page", path: base.path, anchor: decodePercent(written.slice(1)) };
  if (/^mailto:/i.test(written)) return { kind: "elsewhere", href: written };
  const url = URL.parse(plainLink(written, base), addressOf(base));
  if (url === null || !OF_PAGES.includes(url.protocol)) return undefined;
  const path = pathWithin(url, written, base);
  if (path !== undefined) return { kind: "page", path, anchor: decodePercent(url.hash.slice(1)) };
  if (isAddress(base.location) && url.origin === new URL(base.location).origin)
    return { kind: "elsewhere", href: url.href };
  // Two leading slashes leave the scheme open: such a link depends on where it stands.
  return /^https?:\/\//i.test(written) ? { kind: "elsewhere", href: written } : undefined;
}

/** A link to an address of the site, where scripts read those, as others are written. */
const plainLink = (written: string, { siteUrl }: LinkBase) =>
  isAddress(written) && written.startsWith(`${withoutForm(siteUrl ?? written)}/`)
    ? plainAddress(siteUrl, written)
    : written;

/** The path of the page at an address, if it is one of the site's. */
function pathWithin(url: URL, written: string, base: LinkBase): string | undefined {
  const site = base.siteUrl === undefined ? null : URL.parse(base.siteUrl);
  const root = site?.pathname.replace(/\/$/, "") ?? "";
  const isFile = !isAddress(base.location);
  if (isFile && url.origin === new URL(NOWHERE).origin) {
    const rooted = written.startsWith("/") && `${url.pathname}/`.startsWith(`${root}/`);
    return pathOfFile(rooted ? url.pathname.slice(root.length) : url.pathname, base);
  }
  if (!isFile) return url.origin === new URL(base.location).origin ? pathOfAddress(url, base) : undefined;
  if (site === null || url.host !== site.host || !`${url.pathname}/`.startsWith(`${root}/`)) return undefined;
  return pathOfFile(url.pathname.slice(root.length), base);
}

function pathOfFile(pathname: string, { location }: LinkBase): string {
  // Links between files of HTML are addresses: `a.html` and `a/index.html` may be two pages.
  if (HTML.test(location) && HTML.test(pathname)) return decodePercent(withoutIndex(pathname));
  const path = decodePercent(
    normalizePath(pathname.replace(/\.(qmd|rmd|rst|adoc|asciidoc|asc|org|pod|ipynb|txt)$/i, "")),
  );
  return path.replace(README, "");
}

const withoutIndex = (pathname: string) => pathname.replace(/^\/+/, "").replace(INDEX_FILE, "");

/**
 * A page found at an address has that address as its path, whatever its extension; undefined outside of the
 * root.
 */
function pathOfAddress(url: URL, base: LinkBase): string | undefined {
  const root = rootOf(base);
  const plain = pathFromHost(url);
  if (root !== "" && !`${plain}/`.startsWith(`${root}/`)) return undefined;
  const below = root === "" ? plain : plain.slice(root.length + 1);
  return below + (base.path.includes("?") ? url.search : "");
}

/**
 * The prefix that the paths of pages found at addresses leave out: the path of the site's own address, or
 * nothing.
 */
function rootOf({ path, location, siteUrl }: LinkBase): string {
  const site = siteUrl === undefined ? null : URL.parse(siteUrl);
  const root = site === null ? "" : pathFromHost(site);
  const own = path.split("?", 1)[0] ?? "";
  const below = own === "" ? root : `${root}/${own}`;
  return [below, `${below}.md`, `${below}.mdx`].includes(pathFromHost(new URL(location))) ? root : "";
}

function pathFromHost(url: URL): string {
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  return segments.map(decodeSegment).join("/").replace(INDEX_FILE, "");
}

/** An encoded slash (%2F) is part of the name. */
function decodeSegment(segment: string): string {
  const decoded = decodePercent(segment);
  return decoded.includes("/") ? segment : decoded;
}

function addressOf({ location }: LinkBase): string {
  return isAddress(location) ? location : NOWHERE + encodePath(location.replaceAll("\\", "/"));
}

const isAddress = (location: string) => /^https?:\/\//i.test(location) && URL.canParse(location);

/** Text for a Markdown link: nothing in it ends the link or begins another. */
export const linkText = (words: string) => words.replace(/[[\]\\]/g, "\\$&");
