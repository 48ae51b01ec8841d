import { AppError } from "../../../errors.ts";
import { FetchFault } from "../../../lib/fetch/fetch-fault.ts";
import type { GuardedResponse, ResponseHead } from "../../../lib/fetch/guarded-fetch.ts";
import type { PageFormat } from "../../../markdown/page-format.ts";
import type { ListContext, Remembered, Skipped, SkipReason, SourceItem } from "../../source-reader.ts";
import { asText, formatOf, mediaType, toUtf8 } from "./content.ts";
import { type PageAddress, pageAddress, scopeName } from "./page-address.ts";
import { readHead } from "./read-head.ts";
import { readRobotsHeader } from "./robots-header.ts";
import { AGENT, isAllowed, type Site } from "./site.ts";
import type { Twins } from "./twins.ts";
import { conditionsOf, validatorOf } from "./validator.ts";

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
  /** Nothing where there is no page, and nobody said that there was one. */
  item: SourceItem | Skipped | undefined;
  /** Where it leads. */
  links: string[];
  /** The page gives way to another one. */
  duplicateOf?: Duplicate;
  /** The server did not answer as a server should. */
  hasFailed?: boolean;
}

/** What a page gives way to; and the page itself, for where that other one gives way in turn. */
interface Duplicate {
  path?: string;
  otherwise?: () => Visit | Promise<Visit>;
}

export interface Visitor {
  visit(lead: Lead): Promise<Visit>;
}

interface VisitorOptions {
  site: Site;
  context: ListContext;
  twins: Twins;
  /** Somebody listed the pages: their queries mean something, their links are not followed, and each is accounted for. */
  isListed: boolean;
}

/** Visits pages: one reply each, or none where the page is unchanged or may not be fetched. */
export function createVisitor({ site, context, twins, isListed }: VisitorOptions): Visitor {
  const addressOf = (href: string, base: string) =>
    pageAddress(href, base, site.scope, { keepQuery: isListed });
  return { visit: (lead) => visit(lead, context.remembered) };

  async function visit(lead: Lead, remembered: ListContext["remembered"]): Promise<Visit> {
    if (!isAllowed(site.robots, lead.url)) return skip(lead, "robots", "is disallowed by robots.txt");
    try {
      return await request(lead, remembered);
    } catch (cause) {
      if (!(cause instanceof FetchFault)) throw cause;
      return faulty(lead, cause);
    }
  }

  async function request(lead: Lead, remembered: ListContext["remembered"]): Promise<Visit> {
    let page: Lead = lead;
    let address = lead.url;
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const known = remembered(page.url);
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
      if (target === undefined) return answered(page, response);
      const own = addressOf(target, address);
      if (own === undefined)
        return skip(page, "outside", `leads to ${target}, which is not below ${scopeName(site.scope)}`);
      if (own.path !== lead.path) return givesWayTo(page, own);
      page = { ...page, url: own.url };
      address = target;
    }
    return skip(page, "failed", `redirects to itself more than ${HOPS_MAX} times`);
  }

  function answered(page: Lead, response: GuardedResponse): Visit | Promise<Visit> {
    const { status, headers } = response;
    if (status === 404 || status === 410) return skip(page, "not_found", `is not there (${status})`);
    if (status === 429 || status >= 500 || status === 304)
      return failed(page, `the server answers ${status}`);
    if (status !== 200) return skip(page, "refused", `is refused by its server (${status})`);
    const format = formatOf(headers, page.url);
    if (format === undefined) {
      if (!isListed) return { item: undefined, links: [] };
      return skip(page, "parse_fault", `is ${mediaType(headers)}, which is not read`);
    }
    const isHidden = readRobotsHeader(headers.get("x-robots-tag"), AGENT);
    const body = toUtf8(response.body, headers);
    if (format === "html") return html(page, body, headers, isHidden);
    if (isHidden.noindex)
      return skip(page, "noindex", "asks not to be indexed", { validator: validatorOf(headers) });
    return take(page, { format, bytes: body, validator: validatorOf(headers), links: [] });
  }

  async function html(
    page: Lead,
    bytes: Uint8Array,
    headers: Headers,
    header: { noindex: boolean; nofollow: boolean },
  ): Promise<Visit> {
    const head = readHead(asText(bytes), page.url);
    const validator = validatorOf(headers);
    const links = isListed || head.nofollow || header.nofollow ? [] : linksOf(head.links, page.url);
    if (head.noindex || header.noindex)
      return skip(page, "noindex", "asks not to be indexed", { validator, links });
    const canonical = head.canonical === undefined ? undefined : addressOf(head.canonical, page.url);
    const itself = async () => {
      const twin = await twins.find(page.url, head.markdownTwin);
      const content =
        twin === undefined ? { format: "html" as const, bytes } : { format: "md" as const, bytes: twin };
      return take(page, { ...content, validator, links });
    };
    return canonical !== undefined && isBelieved(canonical, page)
      ? givesWayTo(page, canonical, { validator, links, otherwise: itself })
      : itself();
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
      return { item, links, ...(skipped.reason === "duplicate" && { duplicateOf: {} }) };
    }
    return { item: { path, location, found, format, validator, links, read: () => readAgain(page) }, links };
  }

  async function readAgain(page: Lead): Promise<Uint8Array> {
    const { item } = await visit(page, () => undefined);
    if (item === undefined || !("read" in item))
      throw new AppError("unavailable", `${page.url} can no longer be read.`);
    return item.read();
  }

  function givesWayTo(
    page: Lead,
    target: PageAddress,
    more: { validator?: string | undefined; links?: string[]; otherwise?: () => Promise<Visit> } = {},
  ): Visit {
    const { validator, links = [], otherwise } = more;
    const all = [target.url.slice(site.scope.origin.length), ...links];
    return {
      ...skip(page, "duplicate", `is the same page as ${target.url}`, { validator, links: all }),
      duplicateOf: { path: target.path, ...(otherwise && { otherwise }) },
    };
  }

  function faulty(page: Lead, fault: FetchFault): Visit {
    if (fault.kind === "too_large") return skip(page, "too_large", fault.message);
    const { item, ...visit } = failed(page, fault.message);
    const isRefused = fault.kind === "refused" || fault.kind === "outside";
    return isRefused && item !== undefined
      ? { ...visit, item: { ...item, reason: "refused" } }
      : { ...visit, item };
  }

  /** Nothing was learned of the page: what the index has of it stays. */
  function failed(page: Lead, what: string): Visit & { item: Skipped } {
    const { url: location, found, path } = page;
    const keeps = { path: context.remembered(location)?.path ?? path };
    return {
      item: { location, found, reason: "failed", detail: `could not be read: ${what}`, keeps },
      links: context.remembered(location)?.links ?? [],
      hasFailed: true,
    };
  }
}

function skip(
  { url: location, found }: Lead,
  reason: SkipReason,
  detail: string,
  { validator, links = [] }: { validator?: string | undefined; links?: string[] } = {},
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
