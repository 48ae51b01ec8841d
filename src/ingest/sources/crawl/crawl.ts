import { AppError } from "../../../errors.ts";
import { isSkipped, type Skipped, type SourceItem } from "../../source-reader.ts";
import { createDuplicates } from "./duplicates.ts";
import type { Lead, Visit, Visitor } from "./visit.ts";

/** Names so many of what is left out for one reason; one more stands for all that come after. */
function createNaming(namesMax: number): (skipped: Skipped) => Skipped[] {
  let names = 0;
  return (skipped) => {
    names++;
    if (names > namesMax + 1) return [];
    const isLast = names > namesMax;
    return [
      isLast
        ? { ...skipped, detail: `${skipped.detail}, and so are others that are not named here` }
        : skipped,
    ];
  };
}

/** How far a crawl knows its way. */
export interface FrontierBounds {
  pagesMax: number;
  /** Links followed from the first page to the last. */
  linkDepthMax: number;
}

/** How far a crawl goes. */
export interface CrawlBounds extends FrontierBounds {
  /** Visits under way at the same time. */
  concurrency: number;
  /** Visits that fail one after the other before the server is taken to be gone. */
  failuresMax: number;
}

export interface CrawlOptions extends CrawlBounds {
  visitor: Visitor;
  frontier: Frontier;
}

/** Of the addresses that are too far away, and of those that are no pages, so many are named one by one. */
const NAMES_MAX = 1000;

/** The pages that a crawl knows of: each is visited once. */
export interface Frontier {
  /** Adds a page unless it is there already, or too far away. */
  add(lead: Lead): void;
  next(): Lead | undefined;
  has(path: string): boolean;
  /** There was no room for all. */
  isOver(): boolean;
  /** What is too far away to be visited. */
  beyond(): Skipped[];
}

export function createFrontier({ pagesMax, linkDepthMax }: FrontierBounds): Frontier {
  const seen = new Set<string>();
  const beyond = new Map<string, Lead>();
  const leads: (Lead | undefined)[] = [];
  let position = 0;
  let isOver = false;
  return {
    isOver: () => isOver,
    add(lead) {
      if (seen.has(lead.path)) return;
      if (lead.depth > linkDepthMax) {
        // One more than are named: it stands for all that come after.
        if (beyond.size <= NAMES_MAX && !beyond.has(lead.path)) beyond.set(lead.path, lead);
        return;
      }
      if (seen.size >= pagesMax) {
        isOver = true;
        return;
      }
      seen.add(lead.path);
      leads.push(lead);
    },
    next() {
      const lead = leads[position];
      // What was visited is not held on to.
      if (lead !== undefined) leads[position++] = undefined;
      return lead;
    },
    has: (path) => seen.has(path),
    beyond() {
      const name = createNaming(NAMES_MAX);
      return [...beyond.values()].flatMap((lead) => name(tooFar(lead, linkDepthMax)));
    },
  };
}

function tooFar({ url: location, found }: Lead, linkDepthMax: number): Skipped {
  const detail = `is more than ${linkDepthMax} links away from the start`;
  return { location, found, reason: "refused", detail };
}

/**
 * Visits every page of the frontier, and what those lead to, in the order in which they were found: the same site gives
 * the same list, whichever reply comes first.
 */
export async function* crawl(
  options: CrawlOptions,
  onVisit: (lead: Lead, visit: Visit) => void,
): AsyncGenerator<SourceItem | Skipped, void, undefined> {
  const { visitor, frontier, concurrency, failuresMax, pagesMax } = options;
  const underWay: { lead: Lead; visit: Promise<Visit> }[] = [];
  const duplicates = createDuplicates();
  const nameNoPage = createNaming(NAMES_MAX);
  let failures = 0;
  while (true) {
    fill();
    const first = underWay.shift();
    if (first === undefined) break;
    const visit = await first.visit;
    onVisit(first.lead, visit);
    yield* itemsOf(await duplicates.settle(first.lead, visit));
    failures = visit.hasFailed === true ? failures + 1 : 0;
    if (failures >= failuresMax) throw gone(first.lead, failures);
  }
  if (frontier.isOver()) throw tooMany(pagesMax);
  for await (const visits of duplicates.rest()) yield* itemsOf(visits);
  yield* frontier.beyond();

  function itemsOf(visits: Visit[]): (SourceItem | Skipped)[] {
    return visits.flatMap(({ item, isNoPage }) =>
      isNoPage === true && isSkipped(item) ? nameNoPage(item) : [item],
    );
  }

  function fill(): void {
    while (underWay.length < concurrency) {
      const lead = frontier.next();
      if (lead === undefined) return;
      const visit = visitor.visit(lead);
      // It is looked at when its turn comes, and not at all when the crawl ends before.
      visit.catch(() => {});
      underWay.push({ lead, visit });
    }
  }
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
