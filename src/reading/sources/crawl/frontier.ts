import type { Skipped } from "../../source-reader.ts";
import type { Lead } from "./visit.ts";

/** How many pages a crawl takes in. */
export interface FrontierBounds {
  pagesMax: number;
  /** Links followed from the first page to the last. */
  linkDepthMax: number;
}

/** How many addresses are named one by one that are too far away, and as many that are no pages. */
export const NAMES_MAX = 1000;

/** The pages that a crawl knows of: each is visited once. */
export interface Frontier {
  /** Adds a page unless it is there already, or too far away. */
  add(lead: Lead): void;
  next(): Lead | undefined;
  has(path: string): boolean;
  /** Whether addresses were left out because there was no room for all. */
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

/** Names only so many of what is left out for one reason: one more stands for all that come after. */
export function createNaming(namesMax: number): (skipped: Skipped) => Skipped[] {
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
