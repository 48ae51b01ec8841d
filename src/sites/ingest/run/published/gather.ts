import { AppError } from "@docent/kernel/errors";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { decodeText } from "@docent/kernel/text/decode-bytes";
import type { PageReading } from "@docent/reading/page-reading/page-reading";
import { idsIn, type PublishedPage } from "@docent/reading/published/published";
import {
  isSkipped,
  type ListContext,
  type SourceItem,
  type SourceReader,
} from "@docent/reading/source-reader";
import type { KeptPublishedPage } from "../../stores.ts";

/** What a look at a published site found. */
export interface Gathered {
  /** The pages that are there now. */
  pages: ReadonlyMap<string, KeptPublishedPage>;
  /** Why not all of the site was read; completes "<address> was not read to its end: …". Undefined where it was. */
  why: string | undefined;
}

/** A page of the site that was looked at, and how many were. */
export interface MetPage {
  pages: number;
  location: string;
}

interface Gathering {
  reader: SourceReader;
  pageReading: Pick<PageReading, "read">;
  /** What was found there before, by path. */
  known: ReadonlyMap<string, KeptPublishedPage>;
  signal: AbortSignal;
  onPage?: ((page: MetPage) => void) | undefined;
  /** How long all of it may take. */
  totalMs?: number | undefined;
  totalBytesMax?: number | undefined;
}

/** A site that has not been read by then is read on by the next run. */
const TOTAL_MS = 15 * MINUTE_MS;
/** Of all pages together. */
const TOTAL_BYTES_MAX = 1_000_000_000;

/**
 * Looks at the pages of a published site: their addresses, titles, and the ids of their headings. Only pages that have
 * changed are sent again. Never throws for what is wrong with the site.
 */
export async function gatherPublished(gathering: Gathering): Promise<Gathered> {
  const { reader, known, onPage, totalMs = TOTAL_MS, totalBytesMax = TOTAL_BYTES_MAX } = gathering;
  const until = AbortSignal.timeout(totalMs);
  const signal = AbortSignal.any([gathering.signal, until]);
  const pages = new Map<string, KeptPublishedPage>();
  let bytes = 0;
  try {
    for await (const item of reader.list(contextOf(known, signal))) {
      signal.throwIfAborted();
      if (isSkipped(item)) continue;
      const page = await pageOf(gathering, item, (content) => {
        bytes += content.length;
      });
      if (page !== undefined) pages.set(page.path, page);
      if (bytes > totalBytesMax) return { pages, why: `it has more than ${totalBytesMax} bytes` };
      onPage?.({ pages: pages.size, location: item.location });
    }
    signal.throwIfAborted();
  } catch (error) {
    gathering.signal.throwIfAborted();
    if (until.aborted) return { pages, why: `it takes more than ${totalMs / MINUTE_MS} minutes` };
    if (error instanceof AppError) return { pages, why: error.message };
    throw error;
  }
  return { pages, why: undefined };
}

/** A page that was there is asked for only if it has changed. */
function contextOf(known: Gathering["known"], signal: AbortSignal): ListContext {
  const byAddress = new Map([...known.values()].map((page) => [page.address, page]));
  return {
    signal,
    remembered(location) {
      const { path, validator } = byAddress.get(location) ?? {};
      if (path === undefined || validator === undefined) return undefined;
      return { path, format: "html", validator, links: [], skipped: undefined };
    },
    settled: () => undefined,
    keepDocs() {},
  };
}

/** What a page of the site has; undefined for what is no page of HTML, or cannot be read. */
async function pageOf(
  { pageReading, known }: Gathering,
  item: SourceItem,
  onContent: (content: Uint8Array) => void,
): Promise<KeptPublishedPage | undefined> {
  const { path, location: address, format, validator } = item;
  // What is told apart by a query is none of a source's pages.
  if (format !== "html" || address.includes("?")) return undefined;
  const before = known.get(path);
  if (before?.address === address && before.validator !== undefined && before.validator === validator)
    return before;
  const content = await item.read();
  onContent(content);
  const html = decodeText(content, { html: true })?.text;
  if (html === undefined) return undefined;
  const around = { folder: "", shared: undefined, leftOut: new Set<string>() };
  const options = { fallbackTitle: "", format, anchors: "github", keepsImages: false, around } as const;
  const page = await pageReading.read({ source: html, ...options });
  if ("unreadable" in page) return undefined;
  // What only links lead to is asked for anew each time: an unchanged page is not sent, and its links not with it.
  const kept = item.found === "sitemap" ? validator : undefined;
  return { path, address, validator: kept, ...idsOf(page, html) };
}

const HEADINGS_MAX = 1_000;

function idsOf(
  { title, headings }: Pick<PublishedPage, "title"> & { headings: PublishedPage["headings"] },
  html: string,
): Omit<PublishedPage, "path"> {
  const ids = new Set(idsIn(html));
  const known = headings.slice(0, HEADINGS_MAX).map(({ text, id }) => ({ text, id: ids.has(id) ? id : "" }));
  const ofHeadings = new Set(known.map(({ id }) => id));
  return { title, headings: known, places: [...ids].filter((id) => !ofHeadings.has(id)) };
}
