import { AppError } from "@docent/kernel/errors";
import { withoutFinalDot } from "@docent/kernel/lib/host-name";
import { createOwnReading, type DocumentReading } from "../../document-process/documents.ts";
import {
  isSkipped,
  type ListContext,
  type Skipped,
  type SourceItem,
  type SourceReader,
} from "../../source-reader.ts";
import {
  type CrawlBounds,
  type CrawledSite,
  crawl,
  createPoliteFetch,
  type Frontier,
  type Lead,
  openSite,
  type PoliteOptions,
  type Visit,
} from "../crawl/crawl.ts";
import { pageAddress, scopeOf } from "../page-address.ts";
import { findSitemaps, type Listing, readNamedSitemap, type SitemapBounds } from "./sitemaps.ts";

/** A website to read, and how far to go. */
export interface WebsiteOptions extends PoliteOptions, Partial<CrawlBounds>, Partial<SitemapBounds> {
  /** What all pages are below, or a sitemap. */
  start: string;
  /** Where readers find the site: its pages have their paths from there. */
  siteUrl?: string | undefined;
  pageBytesMax: number;
  /** Default: in this process. */
  documents?: DocumentReading | undefined;
  pagesMax: number;
  /** Whether pages are taken as HTML also where the site has their Markdown. */
  wantsHtml?: boolean | undefined;
  /** Addresses that are asked for as well where there is no sitemap. */
  besides?: readonly string[] | undefined;
}

const SITEMAP_FILE = /\.xml(?:\.gz)?$|\/sitemap[^/]*\.(?:txt|gz)$/i;
/** What a link may lead to that is certainly no page. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|css|m?js|map|json|xml|rss|atom|zip|gz|tgz|bz2|xz|7z|tar|jar|whl|exe|msi|dmg|deb|rpm|apk|iso|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|mov|avi|doc|xls|ppt|ipynb|wasm|bin)$|\/(?:robots|llms|llms-full)\.txt$/i;

/** How far a website is read, and where its reading begins. */
interface Reading {
  options: WebsiteOptions;
  start: string;
  crawlBounds: CrawlBounds;
  sitemapBounds: SitemapBounds;
}

/**
 * Lists the pages of a website: those of its sitemap, else those that links lead to. Asks for each page only if it has
 * changed since it was remembered, and for its Markdown where the site has that.
 */
export function createWebsiteReader(options: WebsiteOptions): SourceReader {
  const reading = readingOf(options);
  return {
    async *list(context) {
      const over = new AbortController();
      try {
        const site = await openWebsite(reading, AbortSignal.any([context.signal, over.signal]));
        yield* site.refusals.orThrow(listSite(reading, site, context));
      } finally {
        over.abort(new DOMException("The listing is over", "AbortError"));
      }
    },
  };
}

function readingOf(options: WebsiteOptions): Reading {
  const { pagesMax } = options;
  return {
    options,
    start: URL.canParse(options.start) ? withoutFinalDot(options.start).href : options.start,
    crawlBounds: {
      pagesMax,
      linkDepthMax: options.linkDepthMax ?? 16,
      concurrency: options.concurrency ?? 4,
      failuresMax: options.failuresMax ?? 10,
    },
    sitemapBounds: {
      sitemapsMax: options.sitemapsMax ?? 1000,
      sitemapDepthMax: options.sitemapDepthMax ?? 3,
      sitemapBytesMax: options.sitemapBytesMax ?? 50_000_000,
      sitemapsBytesMax: options.sitemapsBytesMax ?? 500_000_000,
      addressesMax: pagesMax + 1,
    },
  };
}

async function openWebsite({ options, start }: Reading, signal: AbortSignal): Promise<CrawledSite> {
  if (!URL.canParse(start)) throw new AppError("invalid_request", `${start} is not an address.`);
  const fetch = createPoliteFetch(options);
  const scope = scopeOf(isSitemap(start) ? new URL(".", start).href : start, options.siteUrl);
  const { pageBytesMax, documents = createOwnReading(pageBytesMax) } = options;
  return openSite({ fetch, scope, signal, pageBytesMax, documents });
}

const isSitemap = (start: string) => SITEMAP_FILE.test(new URL(start).pathname);

async function* listSite(
  reading: Reading,
  site: CrawledSite,
  context: ListContext,
): AsyncGenerator<SourceItem | Skipped> {
  const { start, sitemapBounds } = reading;
  const listing = isSitemap(start)
    ? await readNamedSitemap(site, start, sitemapBounds)
    : await findSitemaps(site, sitemapBounds);
  yield* listing.skipped;
  const hasPages =
    listing.pages.length > 0 && (yield* tellingPages(visitListed(reading, site, context, listing)));
  // A source's pages are what its sitemap says; of a site that is only looked at, a sitemap may be of another place.
  const isOver = listing.pages.length > 0 && reading.options.besides === undefined;
  if (!hasPages && !isOver && !isSitemap(start) && listing.unread.length === 0)
    yield* visitAll(
      reading,
      site,
      context,
      [...firstLead(start, site), ...leadsBeside(reading, site)],
      false,
    );
  if (listing.unread.length > 0) throw unread(listing.unread);
}

/** The same items; whether any of them is a page. */
async function* tellingPages(
  items: AsyncIterable<SourceItem | Skipped>,
): AsyncGenerator<SourceItem | Skipped, boolean> {
  let hasPages = false;
  for await (const item of items) {
    hasPages ||= !isSkipped(item);
    yield item;
  }
  return hasPages;
}

/** Visits listed pages. Their other addresses come last: a page may have been found at one of them. */
async function* visitListed(reading: Reading, site: CrawledSite, context: ListContext, listing: Listing) {
  const duplicates = new Map(listing.duplicates.map((entry) => [entry.location, entry]));
  for await (const item of visitAll(reading, site, context, leadsOf(listing), true)) {
    duplicates.delete(item.location);
    yield item;
  }
  yield* duplicates.values();
}

function firstLead(start: string, { scope }: CrawledSite): Lead[] {
  // By its path: the site may have moved to another host since its address was written down.
  const own = pageAddress(new URL(start).pathname, scope.origin, scope, { keepQuery: false });
  return own === undefined ? [] : [{ ...own, found: "start", depth: 0 }];
}

function leadsBeside({ options: { besides = [] } }: Reading, { scope }: CrawledSite): Lead[] {
  return besides.flatMap((address) => {
    const page = pageAddress(address, scope.origin, scope, { keepQuery: false });
    return page === undefined ? [] : [{ ...page, found: "besides", depth: 1 }];
  });
}

function visitAll(
  { crawlBounds, options: { wantsHtml } }: Reading,
  site: CrawledSite,
  context: ListContext,
  leads: Lead[],
  isListed: boolean,
) {
  return crawl({
    ...crawlBounds,
    site,
    context,
    leads,
    isListed,
    wantsHtml,
    follow(from, visit, frontier) {
      if (!isListed && from.depth === 0) checkStart(from, visit);
      for (const lead of leadsTo(site, from, visit, isListed))
        if (!isTwin(lead.path, frontier)) frontier.add(lead);
    },
  });
}

function leadsTo({ scope }: CrawledSite, { url, depth }: Lead, { links }: Visit, keepQuery: boolean): Lead[] {
  return links.flatMap((href) => {
    const page = pageAddress(href, scope.origin, scope, { keepQuery });
    if (page === undefined || NO_PAGE.test(new URL(page.url).pathname)) return [];
    return [{ ...page, found: `link on ${url}`, depth: depth + 1 }];
  });
}

/** Raises where the first page cannot be read, nor is remembered: there is no telling what the site has. */
function checkStart(lead: Lead, { item, links, hasFailed }: Visit): void {
  if (hasFailed !== true || links.length > 0 || !isSkipped(item)) return;
  throw new AppError("unavailable", `${lead.url} ${item.detail}.`, {
    hint: "Readers still see what was there before. Run this again when the server answers.",
  });
}

/** Whether an address is the Markdown of a page that is known. */
function isTwin(path: string, frontier: Frontier): boolean {
  const page = /\.mdx?$/i.test(path) ? path.replace(/\.mdx?$/i, "") : undefined;
  if (page === undefined) return false;
  const folder = page.replace(/(?:^|\/)index$/, "");
  return frontier.has(page) || frontier.has(folder) || frontier.has(`${page}.html`);
}

function leadsOf(listing: Listing): Lead[] {
  return listing.pages.map((page) => ({ ...page, found: "sitemap", depth: 0 }));
}

function unread(sitemaps: Listing["unread"]): AppError {
  const [first = { url: "", what: "" }, ...others] = sitemaps;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return new AppError("unavailable", `${first.url}${more} could not be read: ${first.what}.`, {
    hint: "What was read is kept, the rest is as it was. Run this again when the server answers.",
  });
}
