import { AppError } from "@docent/kernel/errors";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Site } from "@docent/sites/site/sites";
import type { PassageReacher } from "../search/search.ts";
import { chooseLeading } from "./choose-leading.ts";
import { type Refusal, readWriting } from "./read-writing.ts";
import type { EnrichmentStore, PendingPassage, StoredEnrichment } from "./stores.ts";
import { ROUNDS, roundOf } from "./urgency.ts";
import { FORMAT, INSTRUCTIONS, passageText } from "./wording.ts";

export { chooseLeading } from "./choose-leading.ts";
export { judgeWriting } from "./read-writing.ts";
export { type EnrichmentState, enrichmentJson, mayCount } from "./report.ts";

export { ROUNDS, roundOf } from "./urgency.ts";
export {
  lineName,
  readWrittenLines,
  toLine,
  toUnwrittenLine,
  type UnwrittenLine,
  type WrittenLine,
} from "./written-file.ts";

/** The settings it reads, under their own names. */
interface EnrichmentSettings {
  /** How long models may write on a day, for all sites together. 0: never. */
  enrichment_minutes_per_day: number;
}

/** Lets a model write while nobody asks. */
interface PassageWriter {
  /** `gave_way`: somebody asks. Throws where no model can write, or the signal's reason. */
  write(
    task: { wanted: string; system: string; text: string; format: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ): Promise<{ outcome: "written"; model: string; text: string } | { outcome: "gave_way" }>;
}

interface EnrichmentDeps {
  settings: EnrichmentSettings;
  store: EnrichmentStore;
  writer: PassageWriter;
  /** How well a text leads to a passage of a site. */
  reach: PassageReacher["reach"];
  /** Brings what was written into the index. */
  index(siteId: number, signal: AbortSignal): Promise<void>;
  clock: Clock;
  log: Log;
  /** The longest that a model may write for one passage. */
  passageMs?: number;
}

type WorkedSite = Pick<Site, "id" | "domain" | "generation" | "settings">;

/**
 * What a step came to: one passage was done; there is none; somebody asks; the day's time is over; or no model can write,
 * and work rests for a while.
 */
export type StepOutcome = "done" | "none" | "busy" | "spent" | "away";

/** Writes questions for the passages of sites, one passage at a time. */
export interface Enricher {
  /** Does the next passage of a site. */
  step(site: WorkedSite, signal: AbortSignal): Promise<StepOutcome>;
  /** Brings what was written since into the index, where enough was or there is nothing more to do. */
  settle(site: WorkedSite, signal: AbortSignal, isAtEnd: boolean): Promise<void>;
}

/** A passage with fewer characters says too little to ask for. */
export const PASSAGE_CHARACTERS_MIN = 80;
const PASSAGE_MS = 90 * SECOND_MS;
/** What is written is searched from so many passages on, or when work pauses: each time makes a part of the index. */
const INDEXED_AT_ONCE = 50;
/** What is removed in one write, which takes a millisecond or two. */
const REMOVED_AT_ONCE = 200;
const REST_MS = MINUTE_MS;
const REST_MS_MAX = HOUR_MS;
const BEGIN_AGAIN_MS = HOUR_MS;
const SITES_MAX = 10_000;

/** How far a site's passages were gone through. */
interface Place {
  generation: number;
  /** The passages go by in rounds, from the most urgent ones on. */
  round: number;
  /** Behind which passage the next part begins; undefined behind the last part. */
  after: number | undefined;
  waiting: PendingPassage[];
  /** How many were written that the index does not have; undefined before the first look. */
  unindexed: number | undefined;
  /** When to begin again; undefined while there is more. */
  nextAt: number | undefined;
  /** What was written and could not be stored: the model is not asked for it twice. */
  unstored: { key: string; written: StoredEnrichment } | undefined;
}

/** The state of an enricher. */
interface Work extends EnrichmentDeps {
  places: Map<number, Place>;
  failures: number;
  restUntil: number;
  /** What was spent and could not be counted: the database was away. */
  uncountedMs: number;
}

export function createEnricher(deps: EnrichmentDeps): Enricher {
  const work: Work = { ...deps, places: new Map(), failures: 0, restUntil: 0, uncountedMs: 0 };
  return {
    step: (site, signal) => step(work, site, signal),
    settle: (site, signal, isAtEnd) => settle(work, site, signal, isAtEnd),
  };
}

async function step(work: Work, site: WorkedSite, signal: AbortSignal): Promise<StepOutcome> {
  const { settings, store, clock } = work;
  if (clock() < work.restUntil) return "away";
  const place = placeOf(work, site);
  const passage = await nextPassage(work, site, place, signal);
  if (passage === undefined) return "none";
  const day = Math.floor(clock() / DAY_MS);
  await countSpent(work, day);
  const leftMs = settings.enrichment_minutes_per_day * MINUTE_MS - (await store.spentMs(day));
  if (leftMs <= 0 && place.unstored?.key !== passage.key) return "spent";
  const since = clock();
  try {
    const within = AbortSignal.any([signal, limit(work, leftMs)]);
    const outcome = await writeFor(work, site, { place, passage }, within);
    if (outcome === "busy") return "busy";
    work.failures = 0;
    place.waiting.shift();
    place.unindexed = (place.unindexed ?? 0) + 1;
    return "done";
  } catch (error) {
    signal.throwIfAborted();
    // Others are tried before it: a model may fail at one passage again and again. One that is away failed at none.
    if (!(error instanceof AppError && error.code === "unavailable")) place.waiting.shift();
    rest(work, site, error);
    return "away";
  } finally {
    work.uncountedMs += Math.max(0, clock() - since);
    // What cannot be counted now is counted before anything else is written.
    await countSpent(work, day).catch(() => {});
  }
}

async function countSpent(work: Work, day: number): Promise<void> {
  const ms = work.uncountedMs;
  if (ms === 0) return;
  await work.store.addSpent(day, ms);
  work.uncountedMs -= ms;
}

const limit = ({ passageMs = PASSAGE_MS }: Work, leftMs: number) =>
  AbortSignal.timeout(Math.max(0, Math.ceil(Math.min(passageMs, leftMs))));

function rest(work: Work, { domain }: WorkedSite, error: unknown): void {
  work.restUntil = work.clock() + Math.min(REST_MS_MAX, REST_MS * 2 ** work.failures);
  work.failures += 1;
  if (work.failures === 1)
    work.log.warn("no questions could be written for a passage: work in the background rests", {
      site: domain,
      ...reasonFields(error),
    });
}

/** A new generation is gone through from its beginning: what is unchanged has what was written already. */
function placeOf({ places }: Work, { id, generation }: WorkedSite): Place {
  const known = places.get(id);
  if (known?.generation === generation) return known;
  const place: Place = {
    generation,
    round: 0,
    after: 0,
    waiting: [],
    unindexed: undefined,
    nextAt: undefined,
    unstored: undefined,
  };
  if (places.size >= SITES_MAX) places.clear();
  places.set(id, place);
  return place;
}

/** The next passage for which nothing was written; undefined behind the last one. */
async function nextPassage(
  { store, clock }: Work,
  { id }: WorkedSite,
  place: Place,
  signal: AbortSignal,
): Promise<PendingPassage | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const [passage] = place.waiting;
    if (passage !== undefined) {
      if (!(await store.adopt(id, passage))) return passage;
      place.waiting.shift();
      place.unindexed = (place.unindexed ?? 0) + 1;
      continue;
    }
    if (place.after === undefined && place.round < ROUNDS - 1)
      Object.assign(place, { round: place.round + 1, after: 0 });
    if (place.after === undefined) {
      // What failed is tried again then, and what was removed is made anew.
      place.nextAt ??= clock() + BEGIN_AGAIN_MS;
      if (clock() < place.nextAt) return undefined;
      Object.assign(place, { round: 0, after: 0, nextAt: undefined });
    }
    const after = place.after ?? 0;
    const part = await store.pending(id, { after, charactersMin: PASSAGE_CHARACTERS_MIN });
    place.waiting = part.passages.filter((each) => roundOf(each) === place.round);
    place.after = part.next;
  }
}

async function writeFor(
  work: Work,
  site: WorkedSite,
  { place, passage }: { place: Place; passage: PendingPassage },
  signal: AbortSignal,
): Promise<"done" | "busy"> {
  const { key } = passage;
  const { unstored } = place;
  const written = unstored?.key === key ? unstored.written : await askModel(work, site, passage, signal);
  if (written === undefined) return "busy";
  place.unstored = { key, written };
  await work.store.put(site.id, passage, written);
  place.unstored = undefined;
  return "done";
}

/** Undefined where somebody asks. */
async function askModel(
  { writer, reach, clock }: Work,
  { id, settings }: WorkedSite,
  passage: PendingPassage,
  signal: AbortSignal,
): Promise<StoredEnrichment | undefined> {
  const task = { wanted: settings.model, system: INSTRUCTIONS, text: passageText(passage), format: FORMAT };
  const reply = await writer.write(task, signal);
  if (reply.outcome === "gave_way") return undefined;
  const made = { model: reply.model, madeAt: clock() };
  const refusedFor = (refused: Refusal) => ({ questions: [], words: [], refused, ...made });
  const read = readWriting(reply.text, passage);
  if ("refused" in read) return refusedFor(read.refused);
  const leading = await chooseLeading(read.enrichment, (text) => reach(id, passage.passageId, text));
  return leading === undefined ? refusedFor("far") : { ...leading, refused: undefined, ...made };
}

async function settle(work: Work, site: WorkedSite, signal: AbortSignal, isAtEnd: boolean): Promise<void> {
  const place = placeOf(work, site);
  const { unindexed } = place;
  if (unindexed === 0 || (unindexed !== undefined && unindexed < INDEXED_AT_ONCE && !isAtEnd)) return;
  await work.index(site.id, signal);
  place.unindexed = 0;
}

/** Removes all that was written for a site. Returns for how many contents: each part is counted when it is gone. */
export async function removeWritten(
  store: Pick<EnrichmentStore, "removeSome">,
  siteId: number,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let some = -1; some !== 0; removed += some) {
    signal.throwIfAborted();
    some = await store.removeSome(siteId, REMOVED_AT_ONCE);
    await letOthersRun();
  }
  return removed;
}
