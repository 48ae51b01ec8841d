import { AppError } from "@docent/kernel/errors";
import { isSkipped, type ListContext, type Skipped, type SourceItem } from "../../source-reader.ts";
import { createDuplicates } from "./duplicates.ts";
import { createFrontier, createNaming, type Frontier, type FrontierBounds, NAMES_MAX } from "./frontier.ts";
import { createMarkdownTwins } from "./markdown-twins.ts";
import type { CrawledSite } from "./site.ts";
import { type Crawler, type Lead, type Visit, visitPage } from "./visit.ts";

export { createPoliteFetch, type PoliteFetch, type PoliteOptions } from "./polite-fetch.ts";
export { isAllowed } from "./robots.ts";
export { type CrawledSite, openSite } from "./site.ts";
export { isAskedTooMuch, opensAt } from "./too-much.ts";
export type { Frontier, Lead, Visit };

/** How far a crawl goes. */
export interface CrawlBounds extends FrontierBounds {
  /** Visits under way at the same time. */
  concurrency: number;
  /** Visits that fail one after the other before the server is taken to be gone. */
  failuresMax: number;
}

interface CrawlOptions extends CrawlBounds {
  site: CrawledSite;
  context: ListContext;
  /** The pages to begin with. */
  leads: Iterable<Lead>;
  /** The pages come from a list: their queries mean something, and each is accounted for. */
  isListed: boolean;
  /** Adds the pages that a visit leads to, and raises what ends the crawl. */
  follow(from: Lead, visit: Visit, frontier: Frontier): void;
}

/**
 * Visits the pages to begin with, and what those lead to, in the order in which they were found: the same site gives the
 * same list, whichever reply comes first.
 */
export async function* crawl(options: CrawlOptions): AsyncGenerator<SourceItem | Skipped, void, undefined> {
  const { site, context, leads, isListed, follow, failuresMax, pagesMax } = options;
  const frontier = createFrontier(options);
  for (const lead of leads) frontier.add(lead);
  const crawler = { site, context, twins: createMarkdownTwins(site), isListed };
  const duplicates = createDuplicates();
  const itemsOf = createItems();
  let failures = 0;
  for await (const { lead, visit } of visitInOrder(crawler, frontier, options.concurrency)) {
    follow(lead, visit, frontier);
    yield* itemsOf(await duplicates.settle(lead, visit));
    failures = visit.hasFailed === true ? failures + 1 : 0;
    if (failures >= failuresMax) throw gone(lead, failures);
  }
  if (frontier.isOver()) throw tooMany(pagesMax);
  for await (const visits of duplicates.rest()) yield* itemsOf(visits);
  yield* frontier.beyond();
}

/** Visits what the frontier has, several pages at a time, and tells of each when its turn has come. */
async function* visitInOrder(
  crawler: Crawler,
  frontier: Frontier,
  concurrency: number,
): AsyncGenerator<{ lead: Lead; visit: Visit }> {
  const underWay: { lead: Lead; visit: Promise<Visit> }[] = [];
  while (true) {
    while (underWay.length < concurrency) {
      const lead = frontier.next();
      if (lead === undefined) break;
      const visit = visitPage(crawler, lead);
      // A failed visit is told of when its turn comes, and not at all when the crawl ends before.
      visit.catch(() => {});
      underWay.push({ lead, visit });
    }
    const first = underWay.shift();
    if (first === undefined) return;
    yield { lead: first.lead, visit: await first.visit };
  }
}

/** Makes what is listed of visits: of files that are no pages, only some by name. */
function createItems(): (visits: Visit[]) => (SourceItem | Skipped)[] {
  const nameNoPage = createNaming(NAMES_MAX);
  return (visits) =>
    visits.flatMap(({ item, isNoPage }) =>
      isNoPage === true && isSkipped(item) ? nameNoPage(item) : [item],
    );
}

function gone(last: Lead, failures: number): AppError {
  return new AppError(
    "unavailable",
    `${new URL(last.url).host} does not answer any more: ${failures} pages one after the other could not be read.`,
    { hint: "What was read is kept, the rest is as it was. Run this again when the server answers." },
  );
}

function tooMany(pagesMax: number): AppError {
  return new AppError("too_large", `The site has more than ${pagesMax} pages.`, {
    hint: "Nothing was changed: readers still see what was there before. Name a part of the site, or raise pages_per_source.",
  });
}
