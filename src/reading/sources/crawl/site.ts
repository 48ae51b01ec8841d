import type { DocumentReading } from "../../document-process/documents.ts";
import { isSkipped, type Skipped, type SourceItem } from "../../source-reader.ts";
import { refused } from "../http-fault.ts";
import type { SourceScope } from "../page-address.ts";
import type { PoliteFetch } from "./polite-fetch.ts";
import { loadRobots, type Robots } from "./robots.ts";

/** A web site as a crawl knows it. */
export interface CrawledSite {
  fetch: PoliteFetch;
  robots: Robots;
  refusals: Refusals;
  scope: SourceScope;
  signal: AbortSignal;
  pageBytesMax: number;
  documents: DocumentReading;
}

/** Opens a site by reading its robots.txt. Its origin is then where it really is, as when http leads to https. */
export async function openSite(site: Omit<CrawledSite, "robots" | "refusals">): Promise<CrawledSite> {
  const { fetch, scope, signal } = site;
  const { robots, origin } = await loadRobots(fetch, scope.origin, signal);
  return { ...site, robots, scope: { ...scope, origin }, refusals: createRefusals() };
}

/** What a server said no to while its site was read. */
interface Refusals {
  note(url: string, status: number): void;
  /** The listing; it ends in an AppError where nothing of it is a page and something was refused. */
  orThrow(
    listing: AsyncIterable<SourceItem | Skipped>,
  ): AsyncGenerator<SourceItem | Skipped, void, undefined>;
}

function createRefusals(): Refusals {
  let first: { url: string; status: number } | undefined;
  return {
    note(url, status) {
      first ??= { url, status };
    },
    async *orThrow(listing) {
      let hasPages = false;
      for await (const item of listing) {
        hasPages ||= !isSkipped(item);
        yield item;
      }
      if (!hasPages && first !== undefined) throw refused(first.url, first.status);
    },
  };
}
