import { AppError } from "../../../errors.ts";
import { FetchFault } from "../../../lib/guarded-fetch/fetch-fault.ts";
import type { GuardedResponse, ResponseHead } from "../../../lib/guarded-fetch/guarded-fetch.ts";
import type { PageFormat } from "../../../markdown/page.ts";
import {
  isSkipped,
  type ListContext,
  type Remembered,
  type Skipped,
  type SkipReason,
  type SourceItem,
} from "../../source-reader.ts";
import { type PageAddress, pageAddress, scopeName } from "../page-address.ts";
import { asText, formatOf, mediaType, toUtf8 } from "../response-text.ts";
import type { MarkdownTwins } from "./markdown-twins.ts";
import { readHead } from "./read-head.ts";
import { isRefusal } from "./refusals.ts";
import { readRobotsHeader } from "./robots.ts";
import { AGENT, isAllowed, type Site } from "./site.ts";

/** What a reply says of its revision, as one text; undefined where it says nothing. */
function validatorOf(headers: Headers): string | undefined {
  const etag = headers.get("etag");
  const modified = headers.get("last-modified");
  return etag === null && modified === null ? undefined : `${etag ?? ""}\n${modified ?? ""}`;
}

/** The headers that ask for a page only if it is no longer that revision. */
function conditionsOf(validator: string | undefined): Record<string, string> {
  const [etag = "", modified = ""] = (validator ?? "").split("\n");
  return {
    ...(etag !== "" && { "if-none-match": etag }),
    ...(modified !== "" && { "if-modified-since": modified }),
  };
}

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
  /** A link led to it, and it is a file of a kind that nobody reads as a page. */
  isNoPage?: boolean;
  /** It could not be read, and readers still see what was read before. */
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
  /** It is read whatever it names as its own address. */
  standsIn?: boolean;
}

export interface Visitor {
  visit(lead: Lead): Promise<Visit>;
}

/** What a reply has beside its text. */
interface Found {
  validator?: string | undefined;
  links?: string[];
}

interface VisitorOptions {
  site: Site;
  context: ListContext;
  twins: MarkdownTwins;
  /** Somebody listed the pages: their queries mean something, their links are not followed, and each is accounted for. */
  isListed: boolean;
}

/** Visits pages: one reply each, or none where the page is unchanged or may not be fetched. */
export function createVisitor({ site, context, twins, isListed }: VisitorOptions): Visitor {
  const addressOf = (href: string, base: string) =>
    pageAddress(href, base, site.scope, { keepQuery: isListed });
  return { visit: (lead) => visit(lead, { remembered: context.remembered }) };

  async function visit(lead: Lead, manner: Manner): Promise<Visit> {
    if (!isAllowed(site.robots, lead.url)) return skip(lead, "robots", "is disallowed by robots.txt");
    try {
      return await request(lead, manner);
    } catch (cause) {
      if (!(cause instanceof FetchFault)) throw cause;
      return faulty(lead, cause);
    }
  }

  async function request(lead: Lead, manner: Manner): Promise<Visit> {
    let page: Lead = lead;
    let address = lead.url;
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const known = manner.remembered(page.url);
      const response = await site.polite.get(address, {
        signal: site.signal,
        bytesMax: site.pageBytesMax,
        redirect: "manual",
        headers: {
          accept: "text/html, text/markdown;q=0.9, text/plain;q=0.8",
          ...conditionsOf(known?.validator),
        },
        wantsBody: isReadable,
      });
      if (response.status === 304 && known !== undefined) return unchanged(page, known);
      const target = redirectTarget(response, address);
      if (target === undefined) return answered(page, response, manner);
      const own = addressOf(target, address);
      if (own === undefined) return leadsOut(page, target);
      if (own.path !== lead.path) return givesWayTo(page, own);
      page = { ...page, url: own.url };
      address = target;
    }
    return skip(page, "failed", `redirects to itself more than ${HOPS_MAX} times`);
  }

  function answered(page: Lead, response: GuardedResponse, manner: Manner): Visit | Promise<Visit> {
    const { status, headers } = response;
    if (status === 404 || status === 410) return skip(page, "not_found", `is not there (${status})`);
    if (status === 429 || status >= 500 || status === 304)
      return failed(page, `the server answers ${status}`);
    if (status === 204 || status === 205) return skip(page, "empty", `has no content (${status})`);
    if (status !== 200) return refusedBy(page, status);
    const format = formatOf(headers, page.url);
    if (format === undefined) {
      const what = `is ${mediaType(headers)}, which is no page`;
      if (!isListed) return { ...skip(page, "refused", what), isNoPage: true };
      return skip(page, "parse_fault", `is ${mediaType(headers)}, which is not read`);
    }
    const isHidden = readRobotsHeader(headers.get("x-robots-tag"), AGENT);
    const body = toUtf8(response.body, headers);
    if (format === "html") return html(page, { bytes: body, headers, header: isHidden, manner });
    if (isHidden.noindex)
      return skip(page, "noindex", "asks not to be indexed", { validator: validatorOf(headers) });
    return take(page, { format, bytes: body, validator: validatorOf(headers), links: [] });
  }

  async function html(
    page: Lead,
    reply: {
      bytes: Uint8Array;
      headers: Headers;
      header: { noindex: boolean; nofollow: boolean };
      manner: Manner;
    },
  ): Promise<Visit> {
    const { bytes, headers, header, manner } = reply;
    const head = readHead(asText(bytes), page.url);
    const validator = validatorOf(headers);
    const links = isListed || head.nofollow || header.nofollow ? [] : linksOf(head.links, page.url);
    if (head.noindex || header.noindex)
      return skip(page, "noindex", "asks not to be indexed", { validator, links });
    if (head.refresh !== undefined) {
      const target = addressOf(head.refresh, page.url);
      if (target === undefined) return leadsOut(page, head.refresh, { validator, links });
      if (target.path !== page.path)
        return givesWayTo(page, target, { validator, links, what: `leads to ${target.url}` });
    }
    const canonical = head.canonical === undefined ? undefined : addressOf(head.canonical, page.url);
    const namesAnother = canonical !== undefined && isBelieved(canonical, page);
    if (namesAnother && manner.standsIn !== true)
      return givesWayTo(page, canonical, { validator, links, otherwise: () => itself(page) });
    const twin = await twins.find(page.url, head.markdownTwin);
    const content =
      twin === undefined ? { format: "html" as const, bytes } : { format: "md" as const, bytes: twin };
    // A page that stands in for another one is asked for anew each time: only then does it give way again.
    return take(page, { ...content, validator: namesAnother ? undefined : validator, links });
  }

  /** It is asked for again where it is needed: to hold all that might be would take a whole site's memory. */
  function itself(page: Lead): Promise<Visit> {
    return visit(page, { remembered: () => undefined, standsIn: true });
  }

  function leadsOut(page: Lead, target: string, more?: Found): Visit {
    return skip(page, "outside", `leads to ${target}, which is not below ${scopeName(site.scope)}`, more);
  }

  /** Not where all pages of a site name its first page, a common fault. */
  function isBelieved(canonical: PageAddress, page: Lead): boolean {
    const first = addressOf(scopeName(site.scope), site.scope.origin);
    return canonical.path !== page.path && canonical.path !== first?.path;
  }

  function linksOf(hrefs: string[], base: string): string[] {
    const links = new Set<string>();
    for (const href of hrefs) {
      const url = addressOf(href, base)?.url;
      if (url !== undefined) links.add(url.slice(site.scope.origin.length));
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

  function unchanged(page: Lead, known: Remembered): Visit {
    const { format, validator, links, skipped } = known;
    const { url: location, path, found } = page;
    if (skipped !== undefined) {
      const item = { location, found, ...skipped, validator, links };
      const target =
        skipped.reason === "duplicate" ? addressOf(links[0] ?? "", site.scope.origin) : undefined;
      return {
        item,
        links,
        ...(target && { duplicateOf: { path: target.path, otherwise: () => itself(page) } }),
      };
    }
    return { item: { path, location, found, format, validator, links, read: () => readAgain(page) }, links };
  }

  async function readAgain(page: Lead): Promise<Uint8Array> {
    const { item } = await visit(page, { remembered: () => undefined });
    if (isSkipped(item)) throw new AppError("unavailable", `${page.url} can no longer be read.`);
    return item.read();
  }

  function givesWayTo(
    page: Lead,
    target: PageAddress,
    more: Found & { what?: string; otherwise?: () => Promise<Visit> } = {},
  ): Visit {
    const { validator, links = [], otherwise, what = `is the same page as ${target.url}` } = more;
    const all = [target.url.slice(site.scope.origin.length), ...links];
    return {
      ...skip(page, "duplicate", what, { validator, links: all }),
      duplicateOf: { path: target.path, ...(otherwise && { otherwise }) },
    };
  }

  function faulty(page: Lead, fault: FetchFault): Visit {
    if (fault.kind === "too_large") return skip(page, "too_large", fault.message);
    const isRefused = fault.kind === "refused" || fault.kind === "outside";
    return failed(page, fault.message, isRefused ? "refused" : "failed");
  }

  function failed(page: Lead, what: string, reason: SkipReason = "failed"): Visit {
    return { ...unread(page, reason, `could not be read: ${what}`), hasFailed: true };
  }

  /** The server answers as it should, and does not say what is there. */
  function refusedBy(page: Lead, status: number): Visit {
    if (isRefusal(status)) site.refusals.note(page.url, status);
    return unread(page, "refused", `is refused by its server (${status})`);
  }

  /** Nothing was learned of the page: what the index has of it stays. */
  function unread(page: Lead, reason: SkipReason, detail: string): Visit {
    const { url: location, found, path } = page;
    const known = context.remembered(location);
    const keeps = { path: known?.path ?? path };
    return {
      item: { location, found, reason, detail, keeps },
      links: known?.links ?? [],
      isStillShown: known !== undefined && known.skipped === undefined,
    };
  }
}

function skip(
  { url: location, found }: Lead,
  reason: SkipReason,
  detail: string,
  { validator, links = [] }: Found = {},
): Visit {
  return { item: { location, found, reason, detail, validator, links }, links };
}

function isReadable({ status, url, headers }: ResponseHead): boolean {
  return status === 200 && formatOf(headers, url) !== undefined;
}

function redirectTarget(response: GuardedResponse, base: string): string | undefined {
  const target = response.headers.get("location");
  if (!REDIRECTS.includes(response.status) || target === null) return undefined;
  return URL.canParse(target, base) ? new URL(target, base).href : undefined;
}
