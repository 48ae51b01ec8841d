import { doInTurns, type OrganizationTurns, type SiteWork, type Vectors } from "../../ingest/ingest.ts";
import { type Log, reasonFields } from "../../lib/log.ts";
import type { Calibrator } from "../../search/relevance/relevance.ts";
import type { Sites } from "../../sites/sites.ts";
import { inTurn, type TakeOn } from "./alone.ts";

interface VectorsWork {
  sites: Pick<Sites, "list">;
  vectors: Vectors;
  calibrator: Calibrator;
  takeOn: TakeOn;
  /** Does it elsewhere: what it takes would keep readers waiting here, and stay in this process's memory. */
  completeApart?: ((domain: string, signal: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Makes the missing or outdated vectors of every site, after an upgrade or a change of the embedder, several
 * organizations side by side. Search uses the old ones until then. Afterwards it calibrates the sites that are not.
 */
export function completeVectors(
  { sites, vectors, calibrator, takeOn, completeApart }: VectorsWork,
  order: OrganizationTurns,
  log: Log,
) {
  const stop = new AbortController();
  let hasComplained = false;

  async function complete(
    { siteId, domain }: SiteWork & { domain: string },
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const isCurrent = await vectors.areCurrent(siteId, signal);
    if (isCurrent && !(await calibrator.isUncalibrated(siteId))) return;
    if (!isCurrent) log.info("the vectors of a site are made anew", { site: domain });
    if (completeApart) await completeApart(domain, signal);
    else {
      if (!isCurrent) await vectors.complete(siteId, { signal });
      await calibrator.calibrate(siteId, signal);
    }
    if (!isCurrent) log.info("a site has its vectors", { site: domain });
  }

  async function work(signal: AbortSignal): Promise<void> {
    const waiting = (await sites.list())
      .filter(({ generation }) => generation > 0)
      .map(({ id: siteId, organizationId, domain }) => ({ siteId, organizationId, domain }));
    await doInTurns(waiting, order, (each) =>
      complete(each, signal).catch((error) => complain(error, { site: each.domain })),
    );
  }

  /** Warns once: a model that is away is away for every site. */
  function complain(error: unknown, about: { site?: string }): void {
    if (stop.signal.aborted || hasComplained) return;
    hasComplained = true;
    const fields = { ...about, ...reasonFields(error) };
    log.warn("vectors could not be made: what has none is found by keywords alone", fields);
  }

  const working = inTurn(takeOn, "vectors", work)(stop.signal).catch((error) => complain(error, {}));
  return {
    async close(): Promise<void> {
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}
