import { AppError } from "@docent/kernel/errors";
import type { GuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import { withoutFinalDot } from "@docent/kernel/lib/host-name";
import { fenceOpening } from "@docent/kernel/text/markdown-lines";
import { createOwnReading, type DocumentReading } from "../../document-process/documents.ts";
import { isRemote } from "../../place.ts";
import type { ListContext, Skipped, SourceItem, SourceReader } from "../../source-reader.ts";
import {
  type CrawlBounds,
  crawl,
  createPoliteFetch,
  type Lead,
  openSite,
  type PoliteFetch,
  type PoliteOptions,
} from "../crawl/crawl.ts";
import { unreadable, unreadableStatus } from "../http-fault.ts";
import { pageAddress, pathOf, type SourceScope, scopeName, siteRoot } from "../page-address.ts";
import { asText, looksLikeHtml, toUtf8 } from "../response-text.ts";
import { type FullPage, splitFullText } from "./full-text.ts";

/** An llms.txt or llms-full.txt to read. */
export interface LlmsTxtOptions extends Omit<PoliteOptions, "get">, Partial<CrawlBounds> {
  /** An address; or a file, where `readFile` is given. */
  location: string;
  /** A fetch that reaches the host of this address, and no other. */
  fetchAt: (address: string) => GuardedFetch;
  /** Where readers find the site: its pages have their paths from there. */
  siteUrl?: string | undefined;
  readFile?: (location: string) => Promise<Uint8Array>;
  fileBytesMax?: number;
  pageBytesMax: number;
  /** Default: in this process. */
  documents?: DocumentReading | undefined;
  pagesMax: number;
}

const FOUND = "llms.txt";

/** Where an llms.txt is, and how it is read. */
interface LlmsTxt {
  options: LlmsTxtOptions;
  /** As it is asked for: without a dot at the end of its host. */
  location: string;
  isRemote: boolean;
}

/** Lists the pages that an llms.txt links to, or those that an llms-full.txt holds. */
export function createLlmsTxtReader(options: LlmsTxtOptions): SourceReader {
  const remote = isRemote(options.location) && URL.canParse(options.location);
  const location = remote ? withoutFinalDot(options.location).href : options.location;
  const file: LlmsTxt = { options, location, isRemote: remote };

  return {
    async *list(context) {
      const over = new AbortController();
      const signal = AbortSignal.any([context.signal, over.signal]);
      try {
        const text = asText(await (remote ? download(file, signal) : readLocal(file)));
        if (!/llms-full/i.test(location) && isLinkList(text))
          yield* linkedPages(file, text, { ...context, signal });
        else yield* heldPages(file, splitFullText(text));
      } finally {
        over.abort(new DOMException("The listing is over", "AbortError"));
      }
    },
  };
}

async function readLocal({ options, location }: LlmsTxt): Promise<Uint8Array> {
  if (options.readFile === undefined)
    throw new AppError("invalid_request", `${location} is not an address: one begins with https://.`);
  return options.readFile(location);
}

const fetchAt = ({ options }: LlmsTxt, address: string): PoliteFetch =>
  createPoliteFetch({ ...options, get: options.fetchAt(address) });

async function download(file: LlmsTxt, signal: AbortSignal): Promise<Uint8Array> {
  const { location, options } = file;
  const bytesMax = options.fileBytesMax ?? 50_000_000;
  const response = await fetchAt(file, location)
    .get(location, { signal, bytesMax })
    .catch((cause) => {
      throw unreadable(location, cause);
    });
  if (response.status === 404 || response.status === 410)
    throw new AppError("not_found", `${location} is not there.`, {
      hint: "Readers still see what was there before. Look at the address.",
    });
  if (response.status !== 200) throw unreadableStatus(location, response.status);
  if (looksLikeHtml(response.body))
    throw new AppError("invalid_request", `${location} is a web page, not an llms.txt.`, {
      hint: "Readers still see what was there before. Look at the address, or take the site as a website.",
    });
  return toUtf8(response.body, response.headers);
}

/** Visits the pages that a list links to, and those that they link to. */
async function* linkedPages(
  file: LlmsTxt,
  text: string,
  context: ListContext,
): AsyncGenerator<SourceItem | Skipped> {
  const { options, location } = file;
  const hrefs = listedLinks(text);
  // A file has no host of its own: it is that of its first link.
  const base = file.isRemote ? location : hrefs.find((href) => isRemote(href) && URL.canParse(href));
  if (base === undefined) {
    yield* hrefs.map(withoutHost);
    return;
  }
  const { origin } = new URL(base);
  const root = siteRoot(options.siteUrl, base);
  const site = await openSite({
    fetch: fetchAt(file, base),
    scope: { origin, prefix: `${root}/`, root },
    signal: context.signal,
    pageBytesMax: options.pageBytesMax,
    documents: options.documents ?? createOwnReading(options.pageBytesMax),
  });
  const leads = hrefs.map((href) => leadTo(href, base, site.scope));
  yield* hrefs
    .filter((_, index) => leads[index] === undefined)
    .map((href) => outside(href, base, site.scope));
  const listing = crawl({
    concurrency: options.concurrency ?? 4,
    failuresMax: options.failuresMax ?? 10,
    linkDepthMax: options.linkDepthMax ?? 5,
    pagesMax: options.pagesMax,
    site,
    context,
    leads: leads.filter((lead) => lead !== undefined),
    isListed: true,
    follow(from, visit, frontier) {
      for (const href of visit.links) {
        const lead = leadTo(href, from.url, site.scope);
        if (lead !== undefined)
          frontier.add({ ...lead, found: `link on ${from.url}`, depth: from.depth + 1 });
      }
    },
  });
  yield* site.refusals.orThrow(listing);
}

/** Lists pages by their address where the file gives one, else by their title. What has that already gets a number. */
function* heldPages(file: LlmsTxt, pages: FullPage[]): Generator<SourceItem | Skipped> {
  const { pagesMax, pageBytesMax } = file.options;
  const numberedPath = createNumbering("-");
  const numberedLocation = createNumbering("#");
  for (const [index, page] of pages.entries()) {
    if (index >= pagesMax) throw tooMany(pagesMax);
    const { path: own, address } = addressOf(file, page, index);
    const path = numberedPath(own);
    const location = numberedLocation(address ?? `${file.location}#${path}`);
    const bytes = new TextEncoder().encode(page.markdown);
    const detail = `is larger than ${pageBytesMax} bytes`;
    if (bytes.length > pageBytesMax) yield { location, found: FOUND, reason: "too_large", detail };
    else yield { path, location, found: FOUND, format: "md", read: async () => bytes };
  }
}

function addressOf(
  { isRemote, location, options }: LlmsTxt,
  { title, address }: FullPage,
  index: number,
): { path: string; address?: string } {
  const base = isRemote ? location : "file:///";
  if (address !== undefined && URL.canParse(address, base)) {
    const url = new URL(address, base);
    url.hash = "";
    const path = withoutMarkdown(pathOf(url, siteRoot(options.siteUrl, url.href)));
    return url.protocol === "file:" ? { path } : { path, address: url.href };
  }
  return { path: slug(title) || (index === 0 ? "" : `page-${index + 1}`) };
}

function leadTo(href: string, base: string, scope: SourceScope): Lead | undefined {
  const page = pageAddress(href, base, scope, { keepQuery: true });
  return page && { ...page, path: withoutMarkdown(page.path), found: FOUND, depth: 0 };
}

/** `guide/a.md` and `guide/a.html.md` are the Markdown of the pages `guide/a` and `guide/a.html`. */
function withoutMarkdown(path: string): string {
  const page = path.replace(/\.mdx?$/i, "");
  return page === path ? path : page.replace(/(?:^|\/)index(?:\.html)?$/i, "");
}

function outside(href: string, base: string, scope: SourceScope): Skipped {
  const location = URL.canParse(href, base) ? new URL(href, base).href : href;
  const detail =
    new URL(location, base).origin === scope.origin
      ? `is not below ${scopeName(scope)}, the site's own address`
      : `is not on ${new URL(scope.origin).host}: add it as a source of its own`;
  return { location, found: FOUND, reason: "outside", detail };
}

const withoutHost = (location: string): Skipped => ({
  location,
  found: FOUND,
  reason: "outside",
  detail: "names no host, and the file is not at one: write it in full",
});

/** Gives each text once: `install`, then `install-1`. */
function createNumbering(separator: string): (text: string) => string {
  const given = new Set<string>();
  const numbers = new Map<string, number>();
  return (text) => {
    let numbered = text;
    while (given.has(numbered)) {
      const number = (numbers.get(text) ?? 0) + 1;
      numbers.set(text, number);
      numbered = `${text || "page"}${separator}${number}`;
    }
    given.add(numbered);
    return numbered;
  };
}

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 100);

function tooMany(pagesMax: number): AppError {
  return new AppError("too_large", `The file has more than ${pagesMax} pages.`, {
    hint: "Nothing was changed: readers still see what was there before. Raise pages_per_source.",
  });
}

const LINK_ITEM = /^\s*[-*+]\s+\[((?:[^[\]\\]|\\.){0,500})\]\(\s*<?([^\s<>)]{1,2000})>?[^)]{0,500}\)/;

/** The addresses that an llms.txt lists, each once, in order: `- [title](address): what it is`. */
export function listedLinks(text: string): string[] {
  const links = new Set<string>();
  for (const line of text.split(/\r\n?|\n/)) {
    const href = LINK_ITEM.exec(line)?.[2];
    if (href !== undefined && !href.startsWith("#") && !href.startsWith("mailto:")) links.add(href);
  }
  return [...links];
}

/** Whether a text is a list of links, and not the pages themselves. */
export function isLinkList(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  const items = lines.filter((line) => LINK_ITEM.test(line)).length;
  const others = lines.filter((line) => !LINK_ITEM.test(line) && !/^(?:#|>)/.test(line));
  // What an llms.txt says before its lists is short. Code is only in pages.
  return items > 0 && items * 2 >= others.length && !others.some((line) => fenceOpening(line) !== undefined);
}
