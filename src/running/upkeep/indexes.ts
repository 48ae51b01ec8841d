import { SegmentDamaged, SegmentGone } from "@docent/finding/search/keyword-index/keyword-index";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import { doInTurns, type OrganizationTurns, type SiteWork } from "@docent/sites/ingest/ingest";
import type { Site } from "@docent/sites/site/sites";
import type { Storage } from "@docent/storage/storage";
import type { SiteIndex } from "../app/site-index.ts";
import { alone, type TakeOn } from "./alone.ts";
import { repeat } from "./repeat.ts";

type ListedSite = Pick<Site, "id" | "organizationId" | "domain" | "generation">;

interface IndexesWork {
  list(): Promise<ListedSite[]>;
  stores: Pick<Storage["content"], "segments" | "enrichmentSegments">;
  index: Pick<SiteIndex, "lacks" | "complete">;
  takeOn: TakeOn;
  /** Does it elsewhere: what it takes would keep readers waiting here. */
  completeApart?: ((domain: string, signal: AbortSignal) => Promise<void>) | undefined;
  lookMs?: number;
}

/**
 * Makes the keyword index of every site whole that is not: after an upgrade, a move, or a run that lost its lock. Servers
 * that share a database start one by one, so none of them can do it before anything else.
 */
export function completeIndexes(
  { list, stores, index, takeOn, completeApart, lookMs = MINUTE_MS }: IndexesWork,
  order: OrganizationTurns,
  log: Log,
) {
  /** What each site was when it was found whole: reading all of its index again would show nothing new. */
  let whole = new Map<number, string>();
  /** Sites whose completion was begun and has not ended: merging comes last, and is gone on with where nothing is missing. */
  const begun = new Set<number>();
  /** Sites that could not be completed. Each is said once. */
  const failing = new Set<number>();

  async function stateOf({ id, generation }: ListedSite): Promise<string> {
    const lists = [await stores.segments.list(id), await stores.enrichmentSegments.list(id)];
    return JSON.stringify([generation, lists.flat().map((segment) => [segment.id, segment.revision])]);
  }

  async function complete(site: ListedSite, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const state = await stateOf(site);
    if (whole.get(site.id) === state) return;
    if (begun.has(site.id) || !(await isWhole(index, site.id, signal))) {
      begun.add(site.id);
      log.info("a site's keyword index is made whole", { site: site.domain });
      if (completeApart) await completeApart(site.domain, signal);
      else await index.complete(site.id, signal);
      begun.delete(site.id);
      log.info("a site's keyword index is whole", { site: site.domain });
    } else whole.set(site.id, state);
    failing.delete(site.id);
  }

  function complain(error: unknown, { id, domain }: ListedSite, signal: AbortSignal): void {
    if (signal.aborted || failing.has(id)) return;
    failing.add(id);
    log.warn("a site's keyword index could not be made whole", { site: domain, ...reasonFields(error) });
  }

  async function work(signal: AbortSignal): Promise<void> {
    const sites = await list();
    whole = new Map([...whole].filter(([siteId]) => sites.some(({ id }) => id === siteId)));
    const waiting = sites.map((site): SiteWork & { site: ListedSite } => ({
      siteId: site.id,
      organizationId: site.organizationId,
      site,
    }));
    await doInTurns(waiting, order, ({ site }) =>
      complete(site, signal).catch((error) => complain(error, site, signal)),
    );
  }

  return repeat({
    work: alone(takeOn, "index", work),
    everyMs: lookMs,
    onFailure: (error) => log.warn("keyword indexes could not be looked at", reasonFields(error)),
  });
}

/** What is damaged is not whole either: completing makes it anew. */
async function isWhole(index: Pick<SiteIndex, "lacks">, siteId: number, signal: AbortSignal) {
  try {
    const { outdated, missing } = await index.lacks(siteId, signal);
    return outdated === 0 && missing === 0;
  } catch (error) {
    if (error instanceof SegmentDamaged || error instanceof SegmentGone) return false;
    throw error;
  }
}
