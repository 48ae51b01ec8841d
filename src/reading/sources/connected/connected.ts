import { AppError } from "@docent/kernel/errors";
import type { GuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import {
  type Connector,
  type ConnectorKind,
  type ListedPage,
  loadConnector,
  type PageWriter,
  type ServerAccess,
  type ServerListing,
  type ServerMenuEntry,
  type ServerPages,
  writeHere,
} from "../../connectors/connectors.ts";
import {
  isSkipped,
  type ListContext,
  type RecognizedDocs,
  type Remembered,
  type Skipped,
  type SourceItem,
  type SourceReader,
} from "../../source-reader.ts";
import { authorizationOf } from "../authorization.ts";
import { createPoliteFetch, type PoliteOptions } from "../crawl/crawl.ts";
import { pathOf, siteRoot } from "../page-address.ts";
import { createTally, type ListingBounds, listingBoundsOf, type Tally } from "./listing-bounds.ts";
import { readAhead } from "./read-ahead.ts";
import { createServerAccess } from "./server-access.ts";

export interface ConnectedOptions extends PoliteOptions {
  kind: ConnectorKind;
  /** The address that the source names. */
  location: string;
  get: GuardedFetch;
  /** What the source signs in with. */
  secret?: string | undefined;
  siteUrl?: string | undefined;
  pageBytesMax: number;
  pagesMax: number;
  concurrency: number;
  /** Makes Markdown of pages; this process does, where nothing is given. */
  write?: PageWriter | undefined;
  /** Default: so much as a server with `pagesMax` pages may have to say. */
  listing?: ListingBounds;
}

/** A server that is open, and what its pages are called. */
interface Opened {
  server: ServerAccess;
  /** Where the source says that the server is. */
  origin: string;
  pages: ServerPages;
  found: string;
  pathOf(address: string): string;
}

const FAULTS_MAX = 100;
const SAMPLES = 10;

/**
 * Lists the pages of a wiki or a tracker through its API. Asks what has changed where its server says so and no page has
 * come or gone, or else for the list of all pages; and only for the words of what has changed.
 */
export function createConnectedReader(options: ConnectedOptions): SourceReader {
  return {
    async *list(context) {
      const over = new AbortController();
      const signal = AbortSignal.any([context.signal, over.signal]);
      try {
        const { location, pagesMax, listing = listingBoundsOf(pagesMax) } = options;
        const tally = createTally(location, listing);
        const opened = await openServer(options, signal, tally);
        const changed = await changedItems(opened, context);
        const items = changed ?? (await listedItems(opened, options, context));
        tally.end();
        const isWanted = (item: SourceItem) =>
          item.validator !== context.remembered(item.location)?.validator;
        for await (const item of readAhead(items, { ahead: options.concurrency, isWanted }))
          yield isSkipped(item) || !isWanted(item) ? item : await pageOrSkipped(item);
      } finally {
        over.abort(new DOMException("The listing is over", "AbortError"));
      }
    },
  };
}

async function openServer(
  options: ConnectedOptions,
  signal: AbortSignal,
  { count: onReply }: Tally,
): Promise<Opened> {
  const { kind, location, secret, siteUrl, pageBytesMax, pagesMax } = options;
  const connector = await loadConnector(kind);
  const fetch = createPoliteFetch(options);
  const bytesMax = Math.max(pageBytesMax, REPLY_BYTES_MAX);
  const access = (headers: Readonly<Record<string, string>>) =>
    createServerAccess({ fetch, headers, bytesMax, signal, onReply });
  const address = new URL(location);
  const headers = secret === undefined ? {} : await signIn(connector, secret, access({}), address);
  const server = access(headers);
  const pages = await connector.open(address, server, { pagesMax, write: options.write ?? writeHere });
  return {
    server,
    origin: address.origin,
    pages,
    found: pages.program,
    pathOf: (page) => pathOf(new URL(page), siteRoot(siteUrl, page)),
  };
}

/** Lists of pages are larger than pages. */
const REPLY_BYTES_MAX = 50_000_000;

async function signIn(connector: Connector, secret: string, server: ServerAccess, address: URL) {
  if (connector.signIn !== undefined) return connector.signIn(secret, server, address);
  return { authorization: authorizationOf(secret) };
}

/** All that is known, and of it what has changed; undefined where the list of all pages has to be asked for. */
async function changedItems(
  opened: Opened,
  context: ListContext,
): Promise<(SourceItem | Skipped)[] | undefined> {
  const settled = context.settled();
  const since = settled === undefined ? undefined : lastChange(settled);
  if (settled === undefined || since === undefined) return undefined;
  const changes = await opened.pages.changedSince?.(since);
  if (changes === undefined || changes.removed.some((address) => settled.has(address))) return undefined;
  const changed = new Map(changes.pages.map((page) => [page.address, page]));
  // The site may have another address since.
  if ([...settled].some(([address, known]) => isPage(known) && known.path !== opened.pathOf(address)))
    return undefined;
  // A page that is new has its place in the menu, which the list of all pages tells.
  if (changes.pages.some(({ address }) => !isPage(settled.get(address)))) return undefined;
  context.keepDocs();
  return [...settled].map(([location, known]) => {
    const page = changed.get(location);
    return page === undefined ? knownItem(opened, location, known) : itemOf(opened, page);
  });
}

const isPage = (known: Remembered | undefined): known is Remembered =>
  known !== undefined && known.skipped === undefined;

/** When the latest of the known pages was changed. */
const lastChange = (settled: ReadonlyMap<string, Remembered>): string | undefined =>
  [...settled.values()]
    .flatMap(({ validator, skipped }) => (skipped === undefined ? (validator?.split(" ", 1) ?? []) : []))
    .sort()
    .at(-1);

/** Something that is as it was. */
function knownItem({ found }: Opened, location: string, known: Remembered): SourceItem | Skipped {
  const { path, format, validator, skipped } = known;
  if (skipped !== undefined) return { location, found, ...skipped };
  const read = () => Promise.reject(new AppError("unavailable", "It was not listed again."));
  return { path, location, found, format, validator, validatesImages: true, read };
}

async function listedItems(
  opened: Opened,
  { pagesMax }: ConnectedOptions,
  { onRecognized, remembered }: ListContext,
): Promise<(SourceItem | Skipped)[]> {
  const listing = await opened.pages.list();
  if (listing.pages.length > 0) onRecognized?.(recognized(opened, listing));
  const { found } = opened;
  const leftOut = listing.leftOut.map(
    ({ address, detail, isRestricted = false }): Skipped => ({
      location: address,
      found,
      reason: isRestricted ? "restricted" : "hidden",
      detail,
    }),
  );
  // One more than may be read is enough to say that there are too many.
  const items = listing.pages.slice(0, pagesMax + 1).map((page) => {
    const item = itemOf(opened, page);
    const known = remembered(item.location);
    const isNoPage = known?.skipped !== undefined && known.validator === item.validator;
    return isNoPage ? { ...knownItem(opened, item.location, known), validator: item.validator } : item;
  });
  return [...leftOut, ...items];
}

/** Raised where what was listed is no page. */
class NoPageThere extends AppError {}

/** What is wanted is being read: whether it is a page is known before it is handed on. */
async function pageOrSkipped(item: SourceItem): Promise<SourceItem | Skipped> {
  const { location, found, validator } = item;
  try {
    await item.read();
  } catch (error) {
    // What else is wrong with it, whoever reads it hears.
    if (error instanceof NoPageThere)
      return { location, found, validator, reason: "hidden", detail: error.message };
  }
  return item;
}

function recognized(opened: Opened, { pages, menu, redirects }: ServerListing): RecognizedDocs {
  const step = Math.max(1, Math.floor(pages.length / SAMPLES));
  const menuOf = (entries: readonly ServerMenuEntry[]): RecognizedDocs["menu"] =>
    entries.map(({ label, address, children }) => ({
      label,
      ...(address === undefined ? {} : { path: opened.pathOf(address) }),
      children: menuOf(children),
    }));
  return {
    generator: opened.pages.program,
    pages: pages.length,
    samples: pages
      .filter((_, index) => index % step === 0)
      .slice(0, SAMPLES)
      .map(({ address }) => ({ location: address, path: opened.pathOf(address) })),
    menu: menuOf(menu),
    redirects: redirects.map(({ from, to }) => ({
      from: opened.pathOf(from),
      to: `/${opened.pathOf(to)}${new URL(to).hash}`,
    })),
    unknowns: [],
  };
}

function itemOf(opened: Opened, page: ListedPage): SourceItem {
  const { address, changedAt, revision } = page;
  const faults: string[] = [];
  return {
    path: opened.pathOf(address),
    location: address,
    found: opened.found,
    format: "md",
    validator: `${changedAt} ${revision}`,
    validatesImages: true,
    faults,
    imageFile: (reference) => imageOf(opened, address, reference),
    async read() {
      const read = await opened.pages.read(page);
      if ("noPage" in read) throw new NoPageThere("not_found", read.noPage);
      const { data, markdown, faults: met } = read;
      faults.push(...met.slice(0, FAULTS_MAX));
      // JSON is YAML. A page without a title of its own has the one that it is listed by.
      const front = JSON.stringify({ title: page.title, ...data });
      return new TextEncoder().encode(`---\n${front}\n---\n${markdown}`);
    },
  };
}

/** An image of the server, which readers may not be able to reach. It is asked for where the source says that the server is. */
function imageOf({ server, origin }: Opened, page: string, reference: string) {
  const url = URL.parse(reference, page);
  if (url === null || ![origin, new URL(page).origin].includes(url.origin)) return undefined;
  return {
    location: url.href,
    async read() {
      const { status, body } = await server.ask(origin + url.pathname + url.search, {
        headers: { accept: "image/*" },
      });
      if (status >= 300) throw new AppError("not_found", "its server has nothing there.");
      return body;
    },
  };
}
