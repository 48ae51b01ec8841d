import { decompress } from "@docent/kernel/lib/guarded-fetch/decompress";
import { FetchFault } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import { decodeEntities } from "../../markdown/html-text.ts";
import type { Skipped, SkipReason } from "../../source-reader.ts";
import { type CrawledSite, isAllowed } from "../crawl/crawl.ts";
import { isRefusal } from "../http-fault.ts";
import { type PageAddress, pageAddress, scopeName } from "../page-address.ts";
import { asText } from "../response-text.ts";
import { createLeftOut, type LeftOut } from "./left-out.ts";

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
  /** Something names it: the ledger says so when it is not there. */
  isListed: boolean;
}

type Reading = { sitemap: Sitemap; bytes: number } | { fault: Fault };

type Fault = { reason: SkipReason; detail: string } | { unread: string } | { refused: number } | "absent";

/** Reads the sitemap that a source names, and those it leads to. */
export function readNamedSitemap(site: CrawledSite, url: string, bounds: SitemapBounds): Promise<Listing> {
  return readAll(beginSearch(site, bounds), [{ url, depth: 1, isListed: true }]);
}

/** Looks for a site's sitemaps: what robots.txt names, else in the usual places, until one lists a page. */
export async function findSitemaps(site: CrawledSite, bounds: SitemapBounds): Promise<Listing> {
  const search = beginSearch(site, bounds);
  const named = site.robots.sitemaps.filter((url) => URL.canParse(url, site.scope.origin));
  let listing = await readAll(
    search,
    named.map((url) => ({ url: new URL(url, site.scope.origin).href, depth: 1, isListed: true })),
  );
  for (const url of usualPlaces(site)) {
    if (listing.pages.length > 0) break;
    listing = await readAll(search, [{ url, depth: 1, isListed: false }]);
  }
  return listing;
}

function usualPlaces({ scope }: CrawledSite): string[] {
  const names = ["sitemap.xml", "sitemap_index.xml", "sitemap-index.xml"];
  return [...new Set([scopeName(scope), `${scope.origin}/`])].flatMap((folder) =>
    names.map((name) => folder + name),
  );
}

/** What was found in a site's sitemaps so far. */
interface SitemapSearch {
  site: CrawledSite;
  bounds: SitemapBounds;
  pages: Map<string, PageAddress>;
  skipped: Skipped[];
  unread: Listing["unread"];
  leftOut: LeftOut;
  seen: Set<string>;
  bytesLeft: number;
  /** The first sitemap that is more than are read. */
  beyond: string | undefined;
}

function beginSearch(site: CrawledSite, bounds: SitemapBounds): SitemapSearch {
  return {
    site,
    bounds,
    pages: new Map(),
    skipped: [],
    unread: [],
    leftOut: createLeftOut(site.scope),
    seen: new Set(),
    bytesLeft: bounds.sitemapsBytesMax,
    beyond: undefined,
  };
}

/** Reads sitemaps, and those that they lead to. */
async function readAll(search: SitemapSearch, candidates: Candidate[]): Promise<Listing> {
  const { bounds, pages, skipped, leftOut, unread } = search;
  const { sitemapDepthMax, sitemapsBytesMax, sitemapsMax } = bounds;
  const queue = candidates.filter((each) => isNew(search, each));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (next.depth > sitemapDepthMax)
      skip(search, next.url, "too_large", `is more than ${sitemapDepthMax} sitemaps deep`);
    else if (search.bytesLeft <= 0)
      skip(
        search,
        next.url,
        "too_large",
        `is beyond the ${sitemapsBytesMax} bytes of sitemaps that are read`,
      );
    else queue.push(...(await takeSitemap(search, next)).filter((each) => isNew(search, each)));
  }
  if (search.beyond !== undefined)
    skip(
      search,
      search.beyond,
      "too_large",
      `is beyond the ${sitemapsMax} sitemaps that are read of one site`,
    );
  search.beyond = undefined;
  return { pages: [...pages.values()], skipped, duplicates: leftOut.duplicates, unread };
}

const skip = ({ skipped }: SitemapSearch, location: string, reason: SkipReason, detail: string) =>
  skipped.push({ location, found: "sitemap", reason, detail });

function isNew(search: SitemapSearch, { url }: Candidate): boolean {
  const { seen, bounds } = search;
  if (seen.has(url)) return false;
  if (seen.size >= bounds.sitemapsMax) {
    search.beyond ??= url;
    return false;
  }
  seen.add(url);
  return true;
}

/** Keeps the pages that a sitemap lists, and returns the sitemaps. */
async function takeSitemap(search: SitemapSearch, candidate: Candidate): Promise<Candidate[]> {
  const { site, bounds, pages, leftOut } = search;
  const { url, depth } = candidate;
  const reading = await readSitemap(site, url, bounds);
  if ("fault" in reading) {
    noteFault(search, candidate, reading.fault);
    return [];
  }
  search.bytesLeft -= reading.bytes;
  const outside: string[] = [];
  for (const href of reading.sitemap.pages) {
    const address = pageAddress(href, url, site.scope, { keepQuery: true });
    const before = address && pages.get(address.path);
    if (address === undefined) outside.push(href);
    else if (before !== undefined) leftOut.noteDuplicate(address, before, url);
    else if (pages.size < bounds.addressesMax) pages.set(address.path, address);
  }
  const isAllOutside = outside.length === reading.sitemap.pages.length;
  search.skipped.push(...leftOut.outside(outside, url, isAllOutside));
  return reading.sitemap.sitemaps
    .filter((href) => URL.canParse(href, url))
    .map((href) => ({ url: new URL(href, url).href, depth: depth + 1, isListed: true }));
}

function noteFault(search: SitemapSearch, { url, depth, isListed }: Candidate, fault: Fault): void {
  if (fault === "absent") {
    if (isListed) skip(search, url, "not_found", "is not there");
  } else if ("unread" in fault) search.unread.push({ url, what: fault.unread });
  else if ("reason" in fault) skip(search, url, fault.reason, fault.detail);
  else {
    search.site.refusals.note(url, fault.refused);
    if (!isListed) return;
    // One that another one lists is there: its pages must not be taken for gone.
    if (depth > 1) search.unread.push({ url, what: `its server refuses it (${fault.refused})` });
    else skip(search, url, "refused", `is refused by its server (${fault.refused})`);
  }
}

async function readSitemap(site: CrawledSite, url: string, bounds: SitemapBounds): Promise<Reading> {
  const { sitemapBytesMax: bytesMax, addressesMax } = bounds;
  if (new URL(url).origin === site.scope.origin && !isAllowed(site.robots, url))
    return { fault: { reason: "robots", detail: "is disallowed by robots.txt" } };
  try {
    const response = await site.fetch.get(url, { signal: site.signal, bytesMax });
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

/** What a sitemap lists: pages, or further sitemaps. */
interface Sitemap {
  pages: string[];
  sitemaps: string[];
}

/**
 * Reads a sitemap, as XML or as one address a line; undefined where the text is neither. It looks for the addresses
 * alone, so there are no entities to expand and no depth to run into.
 */
function parseSitemap(text: string, addressesMax: number): Sitemap | undefined {
  if (/<sitemapindex[\s>]/i.test(text)) return { pages: [], sitemaps: locations(text, addressesMax) };
  if (/<urlset[\s>]/i.test(text)) return { pages: locations(text, addressesMax), sitemaps: [] };
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n?|\n/, addressesMax)
    .map((line) => line.trim());
  const pages = lines.filter((line) => line !== "");
  return pages.length > 0 && pages.every((line) => /^https?:\/\/\S+$/.test(line))
    ? { pages, sitemaps: [] }
    : undefined;
}

/** What stands between <loc> and </loc>. Each character is looked at once: no text can make it slow. */
function locations(text: string, addressesMax: number): string[] {
  const found: string[] = [];
  let position = 0;
  while (found.length < addressesMax) {
    const open = text.indexOf("<loc", position);
    const start = open < 0 ? -1 : text.indexOf(">", open) + 1;
    const end = start <= 0 ? -1 : text.indexOf("</loc", start);
    if (end < 0) break;
    position = end;
    // Not <location>, and not an element that was never closed.
    if (!/^<loc\s*>$/.test(text.slice(open, Math.min(start, open + 20)))) position = open + 4;
    else found.push(addressIn(text.slice(start, end)));
  }
  return found.filter((address) => address !== "");
}

const CDATA_OPEN = "<![CDATA[";

function addressIn(content: string): string {
  const plain = content.trim();
  return plain.startsWith(CDATA_OPEN)
    ? plain.slice(CDATA_OPEN.length).replace("]]>", "").trim()
    : decodeEntities(plain);
}
