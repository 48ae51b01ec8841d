import type { Calibrator } from "@docent/finding/search/relevance/relevance";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import { sleep } from "@docent/kernel/lib/sleep";
import { doInTurns, type OrganizationTurns, type SiteWork, type Vectors } from "@docent/sites/ingest/ingest";
import type { Sites } from "@docent/sites/site/sites";
import { inTurn, type TakeOn } from "./alone.ts";

interface VectorsWork {
  sites: Pick<Sites, "list">;
  vectors: Pick<Vectors, "areCurrent" | "removeOld" | "complete">;
  calibrator: Pick<Calibrator, "calibrate" | "isUncalibrated">;
  takeOn: TakeOn;
  /** Does it elsewhere: what it takes would keep readers waiting here, and stay in this process's memory. */
  completeApart?: ((domain: string, signal: AbortSignal) => Promise<void>) | undefined;
  retryMs?: { first: number; most: number };
}

/** A model that was away is soon there again; a passage that no model takes stays. */
const RETRY_MS = { first: MINUTE_MS, most: 10 * MINUTE_MS };

/**
 * Makes the missing or outdated vectors of every site, after an upgrade or a change of the embedder, several
 * organizations side by side. Search uses the old ones until then. Afterwards it calibrates the sites that are not. What
 * fails is tried again, until all went well once.
 */
export function completeVectors(
  { sites, takeOn, retryMs = RETRY_MS, ...one }: VectorsWork,
  order: OrganizationTurns,
  log: Log,
) {
  const stop = new AbortController();
  let hasComplained = false;
  const complete = completeOne(one, log);

  async function work(signal: AbortSignal): Promise<void> {
    const waiting = (await sites.list())
      .filter(({ generation }) => generation > 0)
      .map(({ id: siteId, organizationId, domain }) => ({ siteId, organizationId, domain }));
    const failed: unknown[] = [];
    await doInTurns(waiting, order, (each) =>
      complete(each, signal).catch((error) => {
        failed.push(error);
        complain(error, { site: each.domain });
      }),
    );
    if (failed.length > 0) throw failed[0];
  }

  /** Warns once: a model that is away is away for every site. */
  function complain(error: unknown, about: { site?: string }): void {
    if (stop.signal.aborted || hasComplained) return;
    hasComplained = true;
    const fields = { ...about, ...reasonFields(error) };
    log.warn("vectors could not be made: what has none is found by keywords alone", fields);
  }

  const working = untilDone(inTurn(takeOn, "vectors", work), {
    retryMs,
    signal: stop.signal,
    onFailure: (error) => complain(error, {}),
  });
  return {
    async close(): Promise<void> {
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}

/** Completes one site. */
function completeOne(
  { vectors, calibrator, completeApart }: Pick<VectorsWork, "vectors" | "calibrator" | "completeApart">,
  log: Log,
) {
  /** Sites whose vectors are being made, and that were not said to have them: search uses these before all is done. */
  const begun = new Set<number>();

  return async ({ siteId, domain }: SiteWork & { domain: string }, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const isCurrent = await vectors.areCurrent(siteId, signal);
    if (isCurrent) await vectors.removeOld(siteId, signal);
    if (isCurrent && !begun.has(siteId) && !(await calibrator.isUncalibrated(siteId))) return;
    if (!isCurrent) {
      begun.add(siteId);
      log.info("the vectors of a site are made anew", { site: domain });
    }
    if (completeApart) await completeApart(domain, signal);
    else {
      if (!isCurrent) await vectors.complete(siteId, { signal });
      await calibrator.calibrate(siteId, signal);
    }
    if (begun.delete(siteId)) log.info("a site has its vectors", { site: domain });
  };
}

interface Tries {
  retryMs: { first: number; most: number };
  signal: AbortSignal;
  onFailure(error: unknown): void;
}

/** Does some work until it has gone through once, or is told to stop. */
async function untilDone(
  work: (signal: AbortSignal) => Promise<void>,
  { retryMs, signal, onFailure }: Tries,
): Promise<void> {
  for (let waitMs = retryMs.first; ; waitMs = Math.min(waitMs * 2, retryMs.most)) {
    try {
      return await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
    }
    // Ends with an error where it is told to stop.
    await sleep(waitMs, signal).catch(() => {});
    if (signal.aborted) return;
  }
}
