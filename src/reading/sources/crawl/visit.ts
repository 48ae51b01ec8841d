import { AppError } from "@docent/kernel/errors";
import { FetchFault } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import type { GuardedResponse, ResponseHead } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import type { PageBlocks } from "../../built-menu/built-menu.ts";
import { documentItem, isReadByTheseReaders } from "../../document-process/documents.ts";
import { type DocumentKind, documentKindOfReply } from "../../documents/documents.ts";
import type { PageFormat } from "../../markdown/page.ts";
import {
  isSkipped,
  type ListContext,
  type Remembered,
  type Skipped,
  type SkipReason,
  type SourceItem,
} from "../../source-reader.ts";
import { isRefusal } from "../http-fault.ts";
import { type PageAddress, pageAddress, scopeName } from "../page-address.ts";
import { asText, formatOf, mediaType, toUtf8 } from "../response-text.ts";
import { shownOn } from "./crawled-menu.ts";
import type { MarkdownTwins } from "./markdown-twins.ts";
import { readHead } from "./read-head.ts";
import { AGENT, isAllowed, readRobotsHeader } from "./robots.ts";
import type { CrawledSite } from "./site.ts";

const REDIRECTS = [301, 302, 303, 307, 308];
/** From a page to itself, as with and without a slash at the end. */
const HOPS_MAX = 5;
const LINKS_MAX = 10_000;

/** A page that is to be visited. */
export interface Lead extends PageAddress {
  found: string;
  /** Links followed from the start to here. */
  depth: number;
}

/** What became of a visit. */
export interface Visit {
  item: SourceItem | Skipped;
  /** Where it leads. */
  links: string[];
  /** The page gives way to another one. */
  duplicateOf?: Duplicate;
  /** The server did not answer as a server should. */
  hasFailed?: boolean;
  /** The page is as it was, and was not sent again. */
  isHeld?: boolean;
  /** What the page shows of menus. */
  shown?: PageBlocks;
  /** A link led to it, and it is a file of a kind that nobody reads as a page. */
  isNoPage?: boolean;
  /** Whether the page could not be read, so that readers still see what was read before. */
  isStillShown?: boolean;
}

/** What a page gives way to; and how to have the page itself, where that other one is not there or gives way in turn. */
interface Duplicate {
  path: string;
  otherwise?: () => Promise<Visit>;
}

/** How a page is visited. */
interface Manner {
  remembered: ListContext["remembered"];
  /** Whether the page is read whatever it names as its own address. */
  standsIn?: boolean;
}

/** What a reply has beside its text. */
interface Found {
  validator?: string | undefined;
  links?: string[];
}

/** What pages are visited with. */
export interface Crawler {
  site: CrawledSite;
  context: ListContext;
  twins: MarkdownTwins;
  /**
   * The pages come from a list: their queries mean something, their links are not followed, and each is accounted for.
   */
  isListed: boolean;
}

/** Visits a page: one reply, or none where it is unchanged or may not be fetched. */
export function visitPage(crawler: Crawler, lead: Lead): Promise<Visit> {
  return visit(crawler, lead, { remembered: crawler.context.remembered });
}

const addressOf = ({ site, isListed }: Crawler, href: string, base: string) =>
  pageAddress(href, base, site.scope, { keepQuery: isListed });

async function visit(crawler: Crawler, lead: Lead, manner: Manner): Promise<Visit> {
  if (!isAllowed(crawler.site.robots, lead.url)) return skip(lead, "robots", "is disallowed by robots.txt");
  try {
    return await request(crawler, lead, manner);
  } catch (cause) {
    if (!(cause instanceof FetchFault)) throw cause;
    return faulty(crawler, lead, cause);
  }
}

async function request(crawler: Crawler, lead: Lead, manner: Manner): Promise<Visit> {
  let page: Lead = lead;
  let address = lead.url;
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const known = manner.remembered(page.url);
    const response = await crawler.site.fetch.get(address, {
      signal: crawler.site.signal,
      bytesMax: (head) =>
        kindOf(head) === undefined ? crawler.site.pageBytesMax : crawler.site.documents.bytesMax,
      redirect: "manual",
      headers: {
        accept: "text/html, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.5",
        ...conditionsOf(known),
      },
      wantsBody: isReadable,
    });
    if (response.status === 304 && known !== undefined) return unchanged(crawler, page, known);
    const target = redirectTarget(response, address);
    if (target === undefined) return answered(crawler, page, response, manner);
    const own = addressOf(crawler, target, address);
    if (own === undefined) return leadsOut(crawler, page, target);
    if (own.path !== lead.path) return givesWayTo(crawler, page, own);
    page = { ...page, url: own.url };
    address = target;
  }
  return skip(page, "failed", `redirects to itself more than ${HOPS_MAX} times`);
}

function answered(
  crawler: Crawler,
  page: Lead,
  response: GuardedResponse,
  manner: Manner,
): Visit | Promise<Visit> {
  const { status, headers } = response;
  if (status === 404 || status === 410) return skip(page, "not_found", `is not there (${status})`);
  if (status === 429 || status >= 500 || status === 304)
    return failed(crawler, page, `the server answers ${status}`);
  if (status === 204 || status === 205) return skip(page, "empty", `has no content (${status})`);
  if (status !== 200) return refusedBy(crawler, page, status);
  const kind = kindOf({ status, url: page.url, headers });
  if (kind !== undefined) return takeDocument(crawler, page, { ...response, kind });
  const format = formatOf(headers, page.url);
  if (format === undefined) {
    const what = `is ${mediaType(headers)}, which is no page`;
    if (!crawler.isListed) return { ...skip(page, "refused", what), isNoPage: true };
    return skip(page, "parse_fault", `is ${mediaType(headers)}, which is not read`);
  }
  const isHidden = readRobotsHeader(headers.get("x-robots-tag"), AGENT);
  const body = toUtf8(response.body, headers);
  if (format === "html") return html(crawler, page, { bytes: body, headers, header: isHidden, manner });
  if (isHidden.noindex)
    return skip(page, "noindex", "asks not to be indexed", { validator: validatorOf(headers) });
  return take(page, { format, bytes: body, validator: validatorOf(headers), links: [] });
}

async function html(
  crawler: Crawler,
  page: Lead,
  reply: {
    bytes: Uint8Array;
    headers: Headers;
    header: { noindex: boolean; nofollow: boolean };
    manner: Manner;
  },
): Promise<Visit> {
  const { bytes, headers, header, manner } = reply;
  const text = asText(bytes);
  const head = readHead(text, page.url);
  const validator = validatorOf(headers);
  const links =
    crawler.isListed || head.nofollow || header.nofollow ? [] : linksOf(crawler, head.links, page.url);
  if (head.noindex || header.noindex)
    return skip(page, "noindex", "asks not to be indexed", { validator, links });
  if (head.refresh !== undefined) {
    const target = addressOf(crawler, head.refresh, page.url);
    if (target === undefined) return leadsOut(crawler, page, head.refresh, { validator, links });
    if (target.path !== page.path)
      return givesWayTo(crawler, page, target, { validator, links, what: `leads to ${target.url}` });
  }
  const canonical = head.canonical === undefined ? undefined : addressOf(crawler, head.canonical, page.url);
  const namesAnother = canonical !== undefined && isBelieved(crawler, canonical, page);
  if (namesAnother && manner.standsIn !== true)
    return givesWayTo(crawler, page, canonical, { validator, links, otherwise: () => itself(crawler, page) });
  const twin = await crawler.twins.find(page.url, head.markdownTwin);
  const content =
    twin === undefined ? { format: "html" as const, bytes } : { format: "md" as const, bytes: twin };
  // A page that stands in for another one is asked for anew each time: only then does it give way again.
  const taken = take(page, { ...content, validator: namesAnother ? undefined : validator, links });
  return { ...taken, shown: shownOn(text, page, crawler.site.scope) };
}

/** Asks for the page itself again, where it is needed: to hold all that might be would take a whole site's memory. */
function itself(crawler: Crawler, page: Lead): Promise<Visit> {
  return visit(crawler, page, { remembered: () => undefined, standsIn: true });
}

function leadsOut(crawler: Crawler, page: Lead, target: string, more?: Found): Visit {
  return skip(
    page,
    "outside",
    `leads to ${target}, which is not below ${scopeName(crawler.site.scope)}`,
    more,
  );
}

/** Whether a page is believed that names another address: not where all of a site name its first page, a common fault. */
function isBelieved(crawler: Crawler, canonical: PageAddress, page: Lead): boolean {
  const first = addressOf(crawler, scopeName(crawler.site.scope), crawler.site.scope.origin);
  return canonical.path !== page.path && canonical.path !== first?.path;
}

function linksOf(crawler: Crawler, hrefs: string[], base: string): string[] {
  const links = new Set<string>();
  for (const href of hrefs) {
    const url = addressOf(crawler, href, base)?.url;
    if (url !== undefined) links.add(url.slice(crawler.site.scope.origin.length));
    if (links.size >= LINKS_MAX) break;
  }
  return [...links];
}

function take(
  page: Lead,
  content: { format: PageFormat; bytes: Uint8Array; validator: string | undefined; links: string[] },
): Visit {
  const { format, bytes, validator, links } = content;
  const { path, url: location, found } = page;
  return { item: { path, location, found, format, validator, links, read: async () => bytes }, links };
}

function takeDocument(
  { site, context }: Crawler,
  page: Lead,
  { body, headers, kind }: GuardedResponse & { kind: DocumentKind },
): Visit {
  const validator = validatorOf(headers);
  const isHidden = readRobotsHeader(headers.get("x-robots-tag"), AGENT);
  if (isHidden.noindex) return skip(page, "noindex", "asks not to be indexed", { validator });
  const { path, url: location, found } = page;
  const file = { location, validator, read: async () => body };
  const place = { path, found, kind, documents: site.documents, signal: context.signal };
  return { item: documentItem(file, place), links: [] };
}

function unchanged(crawler: Crawler, page: Lead, known: Remembered): Visit {
  const { format, validator, links, skipped } = known;
  const { url: location, path, found } = page;
  if (skipped !== undefined) {
    const item = { location, found, ...skipped, validator, links };
    const target =
      skipped.reason === "duplicate"
        ? addressOf(crawler, links[0] ?? "", crawler.site.scope.origin)
        : undefined;
    return {
      item,
      links,
      ...(target && { duplicateOf: { path: target.path, otherwise: () => itself(crawler, page) } }),
    };
  }
  return {
    item: { path, location, found, format, validator, links, read: () => readAgain(crawler, page) },
    links,
    isHeld: true,
  };
}

async function readAgain(crawler: Crawler, page: Lead): Promise<Uint8Array> {
  const { item } = await visit(crawler, page, { remembered: () => undefined });
  if (isSkipped(item)) throw new AppError("unavailable", `${page.url} can no longer be read.`);
  return item.read();
}

function givesWayTo(
  crawler: Crawler,
  page: Lead,
  target: PageAddress,
  more: Found & { what?: string; otherwise?: () => Promise<Visit> } = {},
): Visit {
  const { validator, links = [], otherwise, what = `is the same page as ${target.url}` } = more;
  const all = [target.url.slice(crawler.site.scope.origin.length), ...links];
  return {
    ...skip(page, "duplicate", what, { validator, links: all }),
    duplicateOf: { path: target.path, ...(otherwise && { otherwise }) },
  };
}

function faulty(crawler: Crawler, page: Lead, fault: FetchFault): Visit {
  if (fault.kind === "too_large") return skip(page, "too_large", fault.message);
  const isRefused = fault.kind === "refused" || fault.kind === "outside";
  return failed(crawler, page, fault.message, isRefused ? "refused" : "failed");
}

function failed(crawler: Crawler, page: Lead, what: string, reason: SkipReason = "failed"): Visit {
  return { ...unread(crawler, page, reason, `could not be read: ${what}`), hasFailed: true };
}

/** Notes that the server answers as it should, and does not say what is there. */
function refusedBy(crawler: Crawler, page: Lead, status: number): Visit {
  if (isRefusal(status)) crawler.site.refusals.note(page.url, status);
  return unread(crawler, page, "refused", `is refused by its server (${status})`);
}

/** Says that nothing was learned of a page: what the index has of it stays. */
function unread(crawler: Crawler, page: Lead, reason: SkipReason, detail: string): Visit {
  const { url: location, found, path } = page;
  const known = crawler.context.remembered(location);
  const keeps = { path: known?.path ?? path };
  return {
    item: { location, found, reason, detail, keeps },
    links: known?.links ?? [],
    isStillShown: known !== undefined && known.skipped === undefined,
  };
}

function skip(
  { url: location, found }: Lead,
  reason: SkipReason,
  detail: string,
  { validator, links = [] }: Found = {},
): Visit {
  return { item: { location, found, reason, detail, validator, links }, links };
}

const kindOf = ({ url, headers }: ResponseHead) =>
  documentKindOfReply(mediaType(headers), new URL(url).pathname);

function isReadable(head: ResponseHead): boolean {
  const { status, url, headers } = head;
  return status === 200 && (formatOf(headers, url) !== undefined || kindOf(head) !== undefined);
}

function redirectTarget(response: GuardedResponse, base: string): string | undefined {
  const target = response.headers.get("location");
  if (!REDIRECTS.includes(response.status) || target === null) return undefined;
  return URL.canParse(target, base) ? new URL(target, base).href : undefined;
}

/** What a reply says of its revision, as one text; undefined where it says nothing. */
function validatorOf(headers: Headers): string | undefined {
  const etag = headers.get("etag");
  const modified = headers.get("last-modified");
  return etag === null && modified === null ? undefined : `${etag ?? ""}\n${modified ?? ""}`;
}

/** The headers that ask for a page only if it is no longer that revision. */
function conditionsOf(known: Remembered | undefined): Record<string, string> {
  const validator = known?.validator;
  if (known?.format === "document" && !isReadByTheseReaders(validator)) return {};
  const [etag = "", modified = ""] = (validator ?? "").split("\n");
  return {
    ...(etag !== "" && { "if-none-match": etag }),
    ...(modified !== "" && { "if-modified-since": modified }),
  };
}
