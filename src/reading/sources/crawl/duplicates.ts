import { isSkipped } from "../../source-reader.ts";
import type { Lead, Visit } from "./visit.ts";

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

export function createDuplicates(): Duplicates {
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
