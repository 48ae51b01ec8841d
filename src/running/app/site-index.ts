import {
  type IndexKeeper,
  type IndexLack,
  SegmentDamaged,
  SegmentGone,
} from "@docent/finding/search/keyword-index/keyword-index";
import { AppError } from "@docent/kernel/errors";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { PassageIndexer } from "@docent/sites/ingest/stores";

/** How soon a question that met damage may be asked again. */
const RETRY_SECONDS = 5;
/** How many damaged segments are remembered, so that each is said once. */
const SAID_MAX = 1000;

interface SiteIndexDeps {
  keeper: IndexKeeper;
  domainOf(siteId: number): Promise<string | undefined>;
  /** Makes what is damaged anew, elsewhere: what it takes would keep readers waiting here. */
  repairApart?: ((domain: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** How long a question waits for a repair. */
  waitMs: number;
  /** The database cannot be written: what is damaged stays so. */
  isReadOnly: boolean;
  log: Log;
}

/** The keyword index of the sites: kept in step with their passages, and made anew where it is damaged. */
export interface SiteIndex extends PassageIndexer {
  /**
   * Does something that reads a site's index. Where that is damaged, it is made anew and read again. Raises
   * `unavailable` where that takes too long: nothing is ever made of what is damaged.
   */
  reading<T>(siteId: number, work: () => Promise<T>): Promise<T>;
  /** Reads all of a site's index. Returns the segments that are damaged. */
  findDamaged(siteId: number, signal: AbortSignal): Promise<number[]>;
  /** What `complete` would do. Raises an error where a segment is damaged, and says so in the log. */
  lacks(siteId: number, signal: AbortSignal): Promise<IndexLack>;
  /** Makes anew what older versions made of a site's index, and adds what is missing. */
  complete(siteId: number, signal: AbortSignal): Promise<void>;
  /** Makes what is damaged of a site's index anew, and what other versions made, and adds what is missing. */
  repair(siteId: number, signal: AbortSignal): Promise<void>;
  /** In how many segments damage was met. */
  damages(): number;
  /** Ends what goes on in the background. */
  close(): void;
}

/** Repairs that are under way, and of which segments was said that they are damaged. */
interface Repairs extends SiteIndexDeps {
  stop: AbortController;
  bySite: Map<number, Promise<void>>;
  said: Set<number>;
  damages: number;
}

export function openSiteIndex(deps: SiteIndexDeps): SiteIndex {
  const { keeper } = deps;
  const repairs: Repairs = {
    ...deps,
    stop: new AbortController(),
    bySite: new Map(),
    said: new Set(),
    damages: 0,
  };
  const repair = async (siteId: number, signal: AbortSignal) => void (await keeper.repair(siteId, signal));

  /** What writes the index waits until it is whole. */
  async function writing(siteId: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      await say(repairs, siteId, error.segmentId);
      await repair(siteId, signal);
      await work();
    }
  }

  return {
    catchUp: (siteId, options) => writing(siteId, options.signal, () => keeper.catchUp(siteId, options)),
    tidy: (siteId, signal) => writing(siteId, signal, () => keeper.tidy(siteId, signal)),
    reading: (siteId, work) => reading(repairs, siteId, work),
    findDamaged: (siteId, signal) => keeper.findDamaged(siteId, signal),
    async lacks(siteId, signal) {
      try {
        return await keeper.lacks(siteId, signal);
      } catch (error) {
        if (isDamage(error)) await say(repairs, siteId, error.segmentId);
        throw error;
      }
    },
    complete: (siteId, signal) => writing(siteId, signal, () => keeper.complete(siteId, signal)),
    repair,
    damages: () => repairs.damages,
    close: () => repairs.stop.abort(new DOMException("The database is closed", "AbortError")),
  };
}

async function reading<T>(repairs: Repairs, siteId: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDamage(error)) throw error;
    await say(repairs, siteId, error.segmentId);
    if (repairs.isReadOnly) throw damagedForGood(error);
    if (!(await endsInTime(repairForReaders(repairs, siteId), repairs.waitMs))) throw underRepair(error);
  }
  try {
    return await work();
  } catch (error) {
    throw isDamage(error) ? underRepair(error) : error;
  }
}

/** A row that is not what was written, or that is not there although its segment is. */
const isDamage = (error: unknown): error is SegmentDamaged | SegmentGone =>
  error instanceof SegmentDamaged || error instanceof SegmentGone;

async function say(repairs: Repairs, siteId: number, segment: number): Promise<void> {
  const { said, log, domainOf } = repairs;
  if (said.has(segment)) return;
  repairs.damages++;
  if (said.size >= SAID_MAX) said.clear();
  said.add(segment);
  log.error("a part of a site's keyword index is damaged", { site: await domainOf(siteId), segment });
}

/** Repairs a site's index, once for all who need it. What fails is tried again by the next question. */
function repairForReaders(repairs: Repairs, siteId: number): Promise<void> {
  const { bySite, stop, log } = repairs;
  const underWay = bySite.get(siteId);
  if (underWay !== undefined) return underWay;
  const own = repairOne(repairs, siteId).finally(() => bySite.delete(siteId));
  bySite.set(siteId, own);
  own.catch((error) => {
    if (!stop.signal.aborted)
      log.error("a site's keyword index could not be made anew", { site: siteId, ...reasonFields(error) });
  });
  return own;
}

async function repairOne(repairs: Repairs, siteId: number): Promise<void> {
  const { keeper, domainOf, repairApart, stop, log } = repairs;
  const site = await domainOf(siteId);
  if (repairApart && site !== undefined) await repairApart(site, stop.signal);
  else await keeper.repair(siteId, stop.signal);
  log.info("what was damaged of a site's keyword index was made anew", { site });
}

/** Whether something succeeds within a time. What takes longer goes on. */
async function endsInTime(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = Number.isFinite(ms) ? setTimeout(resolve, ms, false) : undefined;
  const succeeds = work.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([succeeds, late]);
  } finally {
    clearTimeout(timer);
  }
}

function underRepair(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    "The search index of this site is being repaired. Please try again in a moment.",
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}

function damagedForGood(cause: unknown): AppError {
  return new AppError("unavailable", "The search index of this site is damaged.", {
    hint: "Open the data directory where it can be written, and run docent index repair <domain>.",
    cause,
  });
}
