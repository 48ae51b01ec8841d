import { relevanceMinOf } from "@docent/finding/search/search";
import type { IndexPoint } from "@docent/finding/search/search-store";
import { AppError } from "@docent/kernel/errors";
import type { AskedIndex } from "./ask.ts";
import type { GoldenDeps } from "./deps.ts";

type Searching = Pick<GoldenDeps, "search" | "settings" | "siteOf" | "pages">;

/** The index of a site as readers see it, or at another point. */
export async function indexOf(
  deps: Searching,
  siteId: number,
  point: IndexPoint | "now",
): Promise<AskedIndex> {
  const site = await deps.siteOf(siteId);
  if (site === undefined) throw new AppError("not_found", "This site has been removed.");
  const { find } = point === "now" ? deps.search : deps.search.at(point);
  const redirects = await deps.pages.listRedirects(siteId, await deps.pages.visibleGeneration(siteId));
  return { find, siteId, relevanceMin: relevanceMinOf(site, deps.settings), redirects };
}

/** Two of them that are compared. */
export const indexesOf = async (
  deps: Searching,
  siteId: number,
  before: IndexPoint | "now",
  after: IndexPoint | "now",
) => ({ before: await indexOf(deps, siteId, before), after: await indexOf(deps, siteId, after) });

/** Does something once, when it is asked for first. */
export function remembering<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= work());
}
