import { decompress } from "../../../lib/guarded-fetch/decompress.ts";
import { FetchFault } from "../../../lib/guarded-fetch/fetch-fault.ts";
import type { Skipped, SkipReason } from "../../source-reader.ts";
import { isRefusal } from "../crawl/refusals.ts";
import { isAllowed, type Site } from "../crawl/site.ts";
import { type PageAddress, pageAddress, scopeName } from "../page-address.ts";
import { asText } from "../response-text.ts";
import { createListedOthers } from "./left-out.ts";
import { parseSitemap, type Sitemap } from "./parse-sitemap.ts";

/** How much of sitemaps is read, whatever they list. */
export interface SitemapBounds {
  /** Sitemaps read, those inside of others included. */
  sitemapsMax: number;
  /** How many sitemaps deep a sitemap may be; the first one is 1. */
  sitemapDepthMax: number;
  /** Of one sitemap, unpacked. */
  sitemapBytesMax: number;
  /** Of all of them together. */
  sitemapsBytesMax: number;
  addressesMax: number;
}

/** What the sitemaps of a site list. */
export interface Listing {
  /** Each page once, in the order in which they are listed. */
  pages: PageAddress[];
  skipped: Skipped[];
  /** Further addresses of those pages. */
  duplicates: Skipped[];
  /** Sitemaps that are known to be there and were not read, and why: there may be pages that only they list. */
  unread: { url: string; what: string }[];
}

const NO_ANSWER = "the server does not answer";

interface Candidate {
  url: string;
  depth: number;
  /** Somebody said that it is there: the ledger says so when it is not. */
  isListed: boolean;
}

type Reading = { sitemap: Sitemap; bytes: number } | { fault: Fault };

type Fault = { reason: SkipReason; detail: string } | { unread: string } | { refused: number } | "absent";

/** Reads the sitemap that a source names, and those it leads to. */
export function readNamedSitemap(site: Site, url: string, bounds: SitemapBounds): Promise<Listing> {
  return createSearch(site, bounds).read([{ url, depth: 1, isListed: true }]);
}

/** Looks for a site's sitemaps: what robots.txt names, else in the usual places, until one lists a page. */
export async function findSitemaps(site: Site, bounds: SitemapBounds): Promise<Listing> {
  const search = createSearch(site, bounds);
  const named = site.robots.sitemaps.filter((url) => URL.canParse(url, site.scope.origin));
  let listing = await search.read(
    named.map((url) => ({ url: new URL(url, site.scope.origin).href, depth: 1, isListed: true })),
  );
  for (const url of usualPlaces(site)) {
    if (listing.pages.length > 0) break;
    listing = await search.read([{ url, depth: 1, isListed: false }]);
  }
  return listing;
}

function usualPlaces({ scope }: Site): string[] {
  const names = ["sitemap.xml", "sitemap_index.xml", "sitemap-index.xml"];
  return [...new Set([scopeName(scope), `${scope.origin}/`])].flatMap((folder) =>
    names.map((name) => folder + name),
  );
}

function createSearch(site: Site, bounds: SitemapBounds) {
  const pages = new Map<string, PageAddress>();
  const skipped: Skipped[] = [];
  const unread: Listing["unread"] = [];
  const others = createListedOthers(site.scope);
  const seen = new Set<string>();
  let bytesLeft = bounds.sitemapsBytesMax;
  let beyond: string | undefined;
  const skip = (location: string, reason: SkipReason, detail: string) =>
    skipped.push({ location, found: "sitemap", reason, detail });

  return {
    async read(candidates: Candidate[]): Promise<Listing> {
      const queue = candidates.filter(isNew);
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (next.depth > bounds.sitemapDepthMax)
          skip(next.url, "too_large", `is more than ${bounds.sitemapDepthMax} sitemaps deep`);
        else if (bytesLeft <= 0)
          skip(
            next.url,
            "too_large",
            `is beyond the ${bounds.sitemapsBytesMax} bytes of sitemaps that are read`,
          );
        else queue.push(...(await take(next)).filter(isNew));
      }
      if (beyond !== undefined)
        skip(beyond, "too_large", `is beyond the ${bounds.sitemapsMax} sitemaps that are read of one site`);
      beyond = undefined;
      return { pages: [...pages.values()], skipped, duplicates: others.duplicates, unread };
    },
  };

  function isNew({ url }: Candidate): boolean {
    if (seen.has(url)) return false;
    if (seen.size >= bounds.sitemapsMax) {
      beyond ??= url;
      return false;
    }
    seen.add(url);
    return true;
  }

  /** Keeps the pages that a sitemap lists, and returns the sitemaps. */
  async function take(candidate: Candidate): Promise<Candidate[]> {
    const { url, depth } = candidate;
    const reading = await readSitemap(site, url, bounds);
    if ("fault" in reading) {
      noteFault(candidate, reading.fault);
      return [];
    }
    bytesLeft -= reading.bytes;
    const outside: string[] = [];
    for (const href of reading.sitemap.pages) {
      const address = pageAddress(href, url, site.scope, { keepQuery: true });
      const before = address && pages.get(address.path);
      if (address === undefined) outside.push(href);
      else if (before !== undefined) others.noteDuplicate(address, before, url);
      else if (pages.size < bounds.addressesMax) pages.set(address.path, address);
    }
    const isAllOutside = outside.length === reading.sitemap.pages.length;
    skipped.push(...others.outside(outside, url, isAllOutside));
    return reading.sitemap.sitemaps
      .filter((href) => URL.canParse(href, url))
      .map((href) => ({ url: new URL(href, url).href, depth: depth + 1, isListed: true }));
  }

  function noteFault({ url, depth, isListed }: Candidate, fault: Fault): void {
    if (fault === "absent") {
      if (isListed) skip(url, "not_found", "is not there");
    } else if ("unread" in fault) unread.push({ url, what: fault.unread });
    else if ("reason" in fault) skip(url, fault.reason, fault.detail);
    else {
      site.refusals.note(url, fault.refused);
      if (!isListed) return;
      // One that another one lists is there: its pages must not be taken for gone.
      if (depth > 1) unread.push({ url, what: `its server refuses it (${fault.refused})` });
      else skip(url, "refused", `is refused by its server (${fault.refused})`);
    }
  }
}

async function readSitemap(site: Site, url: string, bounds: SitemapBounds): Promise<Reading> {
  const { sitemapBytesMax: bytesMax, addressesMax } = bounds;
  if (new URL(url).origin === site.scope.origin && !isAllowed(site.robots, url))
    return { fault: { reason: "robots", detail: "is disallowed by robots.txt" } };
  try {
    const response = await site.polite.get(url, { signal: site.signal, bytesMax });
    if (response.status === 429 || response.status >= 500) return { fault: { unread: NO_ANSWER } };
    if (isRefusal(response.status)) return { fault: { refused: response.status } };
    if (response.status !== 200) return { fault: "absent" };
    const isPacked = response.body[0] === 0x1f && response.body[1] === 0x8b;
    const bytes = await decompress(response.body, isPacked ? "gzip" : "", bytesMax);
    const sitemap = parseSitemap(asText(bytes), addressesMax);
    return sitemap === undefined ? { fault: "absent" } : { sitemap, bytes: bytes.length };
  } catch (cause) {
    return { fault: faultOf(cause) };
  }
}

function faultOf(cause: unknown): { reason: SkipReason; detail: string } | { unread: string } {
  if (!(cause instanceof FetchFault)) throw cause;
  const detail = `was not read: ${cause.message}`;
  switch (cause.kind) {
    case "outside":
      return { reason: "outside", detail };
    case "refused":
      return { reason: "refused", detail };
    case "too_large":
      return { reason: "too_large", detail };
    case "protocol":
      return { reason: "parse_fault", detail };
    case "unreachable":
    case "timeout":
    case "tls":
      return { unread: NO_ANSWER };
  }
}
