import { AppError } from "@docent/kernel/errors";
import { isSkipped, type ListContext, type Skipped, type SourceItem } from "../../source-reader.ts";
import { createCrawledMenu } from "./crawled-menu.ts";
import { createFrontier, createNaming, type Frontier, type FrontierBounds, NAMES_MAX } from "./frontier.ts";
import { createMarkdownTwins, NO_TWINS } from "./markdown-twins.ts";
import type { CrawledSite } from "./site.ts";
import { type Crawler, type Lead, type Visit, visitPage } from "./visit.ts";

export {
  createPoliteFetch,
  isAskedTooMuch,
  opensAt,
  type PoliteFetch,
  type PoliteOptions,
} from "./polite-fetch.ts";
export { isAllowed } from "./robots.ts";
export { type CrawledSite, openSite } from "./site.ts";
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
  /** Whether pages are taken as HTML also where the site has their Markdown. */
  wantsHtml?: boolean | undefined;
  /** Adds the pages that a visit leads to, and raises what ends the crawl. */
  follow(from: Lead, visit: Visit, frontier: Frontier): void;
}

/**
 * Visits the pages to begin with, and what those lead to, in the order in which they were found: the same site gives the
 * same list, whichever reply comes first.
 */
export async function* crawl(options: CrawlOptions): AsyncGenerator<SourceItem | Skipped, void, undefined> {
  const { site, context, leads, isListed, wantsHtml = false, follow, failuresMax, pagesMax } = options;
  const frontier = createFrontier(options);
  for (const lead of leads) frontier.add(lead);
  const twins = wantsHtml ? NO_TWINS : createMarkdownTwins(site);
  const crawler = { site, context, twins, isListed };
  const duplicates = createDuplicates();
  const itemsOf = createItems();
  const menu = createCrawledMenu();
  let failures = 0;
  for await (const { lead, visit } of visitInOrder(crawler, frontier, options.concurrency)) {
    follow(lead, visit, frontier);
    if (!isSkipped(visit.item)) menu.hear(lead.path, visit);
    yield* itemsOf(await duplicates.settle(lead, visit));
    failures = visit.hasFailed === true ? failures + 1 : 0;
    if (failures >= failuresMax) throw gone(lead, failures);
  }
  if (frontier.isOver()) throw tooMany(pagesMax);
  for await (const visits of duplicates.rest()) yield* itemsOf(visits);
  yield* frontier.beyond();
  menu.tell(context);
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

/** Decides what becomes of pages that give way to another one, once it is known whether that one is there. */
interface Duplicates {
  /** What is decided now that a page was visited: the page itself unless it has to wait, and those that waited for it. */
  settle(lead: Lead, visit: Visit): Promise<Visit[]>;
  /** Visits that waited for a page which nobody visited. */
  rest(): AsyncGenerator<Visit[], void, undefined>;
}

interface Visited {
  path: string;
  visit: Visit;
}

function createDuplicates(): Duplicates {
  /** Whether what was visited, and gives way to nothing, is a page that readers can see. */
  const isThere = new Map<string, boolean>();
  const leadsTo = new Map<string, string>();
  const waiting = new Map<string, Visited[]>();

  return {
    settle: ({ path }, visit) => resolve({ path, visit }),
    async *rest() {
      for (const path of waiting.keys()) {
        isThere.set(path, false);
        yield release(path);
      }
    },
  };

  async function resolve(page: Visited): Promise<Visit[]> {
    const { path, visit } = page;
    const { path: target, otherwise } = visit.duplicateOf ?? {};
    if (target === undefined) return decide(page);
    leadsTo.set(path, target);
    const end = endOf(path);
    if (otherwise === undefined || (end !== path && isThere.get(end) === true))
      return [visit, ...(await release(path))];
    // Of pages that give way to each other the last one stays.
    if (end === path || isThere.has(end)) return decide({ path, visit: await otherwise() });
    waiting.set(end, [...(waiting.get(end) ?? []), page]);
    return release(path);
  }

  async function decide({ path, visit }: Visited): Promise<Visit[]> {
    leadsTo.delete(path);
    isThere.set(path, hasPage(visit));
    return [visit, ...(await release(path))];
  }

  async function release(path: string): Promise<Visit[]> {
    const pages = waiting.get(path) ?? [];
    waiting.delete(path);
    const decided: Visit[] = [];
    for (const page of pages) decided.push(...(await resolve(page)));
    return decided;
  }

  /** Where a page leads in the end; it is the page itself where it leads back. */
  function endOf(path: string): string {
    const seen = new Set<string>();
    let end = path;
    for (let next = leadsTo.get(end); next !== undefined && !seen.has(next); next = leadsTo.get(end)) {
      seen.add(next);
      end = next;
    }
    return end;
  }
}

/** Whether readers can see the page: it was read, or could not be and is still shown as it was. */
function hasPage({ item, isStillShown }: Visit): boolean {
  return item !== undefined && (!isSkipped(item) || isStillShown === true);
}
