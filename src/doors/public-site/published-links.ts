import { decodePercent } from "@docent/kernel/text/decode-percent";
import { addressBelow, withoutForm } from "@docent/kernel/text/site-url";
import {
  type LinkDestination,
  relativeDestinations,
  rewriteDestinations,
} from "@docent/reading/markdown/destinations";
import { encodePath } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import { resolveLink } from "@docent/sites/pages/page-link";
import { findPage, type Page, type PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { markdownUrl } from "./llms-txt.ts";

/** A page of a site, and where it and the site's others are read. */
interface LinkingPage {
  pages: Pick<PageStore, "findPages">;
  site: Site;
  /** Who reads it. */
  audience: Audience;
  page: Pick<Page, "path" | "location">;
  /** The address of the site's texts here, with a slash at its end. */
  root: string;
  /** The address of its pages, where they are published nowhere else. */
  readerRoot: string;
}

const EXTENSION = /\.[a-z][a-z0-9]{1,7}$/i;
const OF_MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const OF_FOLDER = /(?:^|\/)(?:index|readme)\.[a-z]{1,8}$/i;
const AT_ADDRESS = /^https?:\/\//i;
/** Placeholders of templates: the built docs have something else in their place. */
const PLACEHOLDER = /[{}]/;

/** Where readers find the pages of a site, with a slash at its end. */
export const publishedRoot = ({ site, readerRoot }: Pick<LinkingPage, "site" | "readerRoot">) =>
  site.url === undefined ? readerRoot : addressBelow(site.url, "/");

/** A page's Markdown with the full addresses of what it links to, as it can be read anywhere. */
export const withFullLinks = (markdown: string, from: LinkingPage) =>
  rewrite(markdown, (destination) => fullAddress(destination, from));

/**
 * A page's Markdown for one who has its address here. Links that lead from there to the Markdown of a page, or to a
 * heading of this one, stay as they are.
 */
export function withLinksFromHere(markdown: string, from: LinkingPage): Promise<string> {
  const here = markdownUrl(from.root, from.page.path);
  return rewrite(markdown, async (destination) => {
    const { href, kind } = destination;
    if (kind === "link" && (href.startsWith("#") || isMarkdownFrom(here, href, from))) return undefined;
    return fullAddress(destination, from);
  });
}

async function rewrite(
  markdown: string,
  addressOf: (destination: LinkDestination) => Promise<string | undefined>,
): Promise<string> {
  const rewritten: LinkDestination[] = [];
  for (const destination of relativeDestinations(markdown)) {
    const href = await addressOf(destination);
    if (href !== undefined) rewritten.push({ ...destination, href });
  }
  return rewriteDestinations(markdown, rewritten);
}

function isMarkdownFrom(here: string, href: string, { page, site, root }: LinkingPage): boolean {
  const target = resolveLink(href, { ...page, siteUrl: site.url });
  if (target?.kind !== "page") return false;
  const followed = URL.parse(href, here);
  const address = followed && followed.origin + followed.pathname;
  return address !== null && decodePercent(address) === decodePercent(markdownUrl(root, target.path));
}

/**
 * The full address of what a link or picture means; undefined where there is none to be told. It says nothing of
 * whether a page is there: that of a hidden one is made as that of a missing one.
 */
async function fullAddress({ href, kind }: LinkDestination, from: LinkingPage): Promise<string | undefined> {
  const { page, site } = from;
  if (PLACEHOLDER.test(href)) return undefined;
  const root = site.url === undefined ? from.readerRoot : `${withoutForm(site.url)}/`;
  // Only the scheme is left open, http or https.
  if (/^\/\//.test(href)) return URL.parse(href, root)?.href;
  const target = resolveLink(href, { ...page, siteUrl: site.url });
  if (target?.kind !== "page") return target?.href;
  const written = URL.parse(href, "http://site.invalid/");
  const query = target.path.includes("?") ? "" : (written?.search ?? "");
  const behind = query + (written?.hash ?? "");
  const pathname = /^[^?#]*/.exec(href)?.[0] ?? "";
  const slash = site.url !== undefined && target.path !== "" && isOfFolder(pathname, page) ? "/" : "";
  const below = encodePath(target.path) + slash + behind;
  const extension = EXTENSION.exec(pathname)?.[0];
  const isFile = extension !== undefined && !OF_MARKDOWN.test(pathname) && !OF_FOLDER.test(pathname);
  const isReadElsewhere = site.url === undefined && AT_ADDRESS.test(page.location);
  const isLookedFor = isFile || isReadElsewhere;
  const shown = kind === "link" && isLookedFor ? await shownPath(target.path, from) : undefined;
  if (kind === "link" && (!isLookedFor || shown !== undefined)) {
    const address = encodePath(shown ?? target.path) + slash + behind;
    return site.url === undefined ? root + address : addressBelow(site.url, `/${address}`);
  }
  const isCut = isFile && !target.path.endsWith(extension);
  return addressElsewhere(
    href,
    from,
    isCut ? root + encodePath(target.path) + extension + behind : root + below,
  );
}

/** Whether a link of a page that was built is to a folder: it leads to an address that ends in a slash. */
const isOfFolder = (pathname: string, { location }: Pick<Page, "location">) =>
  (AT_ADDRESS.test(location) || /\.x?html?$/i.test(location)) &&
  /(?:\/|(?:^|\/)index\.x?html?)$/i.test(pathname);

/** What Docent has no page of is where the site is published, or where the page that names it was read. */
function addressElsewhere(href: string, { page, site }: LinkingPage, published: string): string | undefined {
  if (site.url !== undefined) return published;
  return AT_ADDRESS.test(page.location) ? URL.parse(href, page.location)?.href : undefined;
}

/** The path of the page that a link means; undefined where nobody is shown one. */
async function shownPath(path: string, { pages, site, audience }: LinkingPage): Promise<string | undefined> {
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const defaults = { version, language };
  return (await findPage(pages, site.id, path, { asked: {}, defaults, audience }))?.path;
}
