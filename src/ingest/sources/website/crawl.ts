import { AppError } from "../../../errors.ts";
import type { Skipped, SourceItem } from "../../source-reader.ts";
import type { Lead, Visit, Visitor } from "./visit.ts";

/** How far a crawl goes. */
export interface CrawlBounds {
  pagesMax: number;
  /** Links followed from the first page to the last. */
  linkDepthMax: number;
  /** Visits under way at the same time. */
  concurrency: number;
  /** Visits that fail one after the other before the server is taken to be gone. */
  failuresMax: number;
}

export interface CrawlOptions extends CrawlBounds {
  visitor: Visitor;
  frontier: Frontier;
}

/** The pages that a crawl knows of: each is visited once. */
export interface Frontier {
  /** Adds a page unless it is there already. */
  add(lead: Lead): void;
  next(): Lead | undefined;
  has(path: string): boolean;
  /** There was no room for all. */
  isOver(): boolean;
}

export function createFrontier(pagesMax: number): Frontier {
  const seen = new Set<string>();
  const leads: (Lead | undefined)[] = [];
  let position = 0;
  let isOver = false;
  return {
    isOver: () => isOver,
    add(lead) {
      if (seen.has(lead.path)) return;
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
  };
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
  const duplicates = new Set<string>();
  let failures = 0;
  while (true) {
    fill();
    const first = underWay.shift();
    if (first === undefined) break;
    const visit = await settle(first.lead, await first.visit);
    onVisit(first.lead, visit);
    if (visit.item !== undefined) yield visit.item;
    failures = visit.hasFailed === true ? failures + 1 : 0;
    if (failures >= failuresMax) throw gone(first.lead, failures);
  }
  if (frontier.isOver()) throw tooMany(pagesMax);

  /** Of two pages that give way to each other the second one stays. */
  async function settle({ path }: Lead, visit: Visit): Promise<Visit> {
    const { path: target = "", otherwise } = visit.duplicateOf ?? {};
    if (otherwise !== undefined && duplicates.has(target)) return otherwise();
    if (visit.duplicateOf !== undefined) duplicates.add(path);
    return visit;
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
    hint: "What was read is kept, the rest is as it was. Name a part of the site, or raise pages_per_source.",
  });
}
