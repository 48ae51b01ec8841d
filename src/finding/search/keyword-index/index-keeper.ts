import { AppError } from "@docent/kernel/errors";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Log } from "@docent/kernel/lib/log";
import { planMerge, type Weighed } from "./plan-merge.ts";
import { ageOf, isReadable, SEGMENT_REVISION } from "./revision.ts";
import {
  countKept,
  createRowReader,
  createSegmentBuilder,
  mergeSegments,
  openSegment,
  type RowReader,
  rowsOf,
  type Segment,
  type SegmentBuilder,
  SegmentDamaged,
  SegmentGone,
} from "./segment/segment.ts";
import { createReadersOf } from "./segment-readers.ts";
import type { SegmentEntry, SegmentStore } from "./segment-store.ts";
import { whileLocked } from "./while-locked.ts";

export { SEGMENT_REVISION } from "./revision.ts";

/** Keeps the keyword index of every site in step with its passages. */
export interface IndexKeeper {
  /**
   * Indexes the passages that no segment has: of the site, or of one run. Where it is cut short, the next call goes on
   * from the last finished segment.
   */
  catchUp(siteId: number, options: CatchUpOptions): Promise<void>;
  /** Merges small segments, and drops the passages that are gone, within bounds. */
  tidy(siteId: number, signal: AbortSignal): Promise<void>;
  /** Makes segments anew that are damaged or of another revision, and indexes what none has. Returns how many were bad. */
  repair(siteId: number, signal: AbortSignal): Promise<number>;
  /** Makes segments anew that an older version has made, one after the other, and indexes what none has. */
  complete(siteId: number, signal: AbortSignal): Promise<void>;
  /** Makes all segments of a site anew: where other words are to be indexed of passages that they have. */
  rebuild(siteId: number, signal: AbortSignal): Promise<void>;
  /** What `complete` would do. Raises an error where a segment is damaged. */
  lacks(siteId: number, signal: AbortSignal): Promise<IndexLack>;
  /** The damaged segments of a site, of those that can be read. Reads all of its index. */
  findDamaged(siteId: number, signal: AbortSignal): Promise<number[]>;
}

interface CatchUpOptions {
  runId?: number | undefined;
  signal: AbortSignal;
  /** How many passages of all that were missing are indexed. */
  onProgress?: ((done: number, all: number) => void) | undefined;
}

/** What an index is not as this version would have made it. */
export interface IndexLack {
  /** Segments that older versions made, and newer ones. */
  outdated: number;
  newer: number;
  /** Passages of generations that no segment has. Not known, and 0, where there are segments that cannot be read. */
  missing: number;
}

interface IndexKeeperDeps {
  store: SegmentStore;
  log: Log;
}

/** Passages that are read and cut before others may run: a few milliseconds' work. */
const PASSAGES_AT_ONCE = 20;
const ROWS_AT_ONCE = 64;
/** Merging reads rows one after the other, so few need be kept. */
const ROW_BYTES_KEPT = 2 ** 22;

export function createIndexKeeper(deps: IndexKeeperDeps): IndexKeeper {
  const { store } = deps;
  return {
    catchUp: (siteId, options) =>
      whileLocked(store, siteId, options.signal, (signal) => catchUp(deps, siteId, { ...options, signal })),
    tidy: (siteId, signal) => whileLocked(store, siteId, signal, (held) => tidy(deps, siteId, held)),
    repair: (siteId, signal) => whileLocked(store, siteId, signal, (held) => repair(deps, siteId, held)),
    async complete(siteId, signal) {
      await whileLocked(store, siteId, signal, async (held) => {
        await renew(deps, siteId, held);
        await catchUp(deps, siteId, { signal: held });
        await tidy(deps, siteId, held);
      });
    },
    rebuild: (siteId, signal) =>
      whileLocked(store, siteId, signal, async (held) =>
        replace(store, siteId, {
          passageIds: await store.passageIds(siteId),
          segmentIds: (await store.list(siteId)).map(({ id }) => id),
          signal: held,
        }),
      ),
    lacks: (siteId, signal) => lacks(deps, siteId, signal),
    findDamaged: (siteId, signal) => findDamaged(deps, siteId, signal),
  };
}

async function catchUp(
  deps: IndexKeeperDeps,
  siteId: number,
  { runId, signal, onProgress }: CatchUpOptions,
): Promise<void> {
  const { store } = deps;
  const wanted = await store.passageIds(siteId, runId);
  if (wanted.length === 0) return;
  // Which passages they have cannot be told.
  if ((await store.list(siteId)).some(({ revision }) => !isReadable(revision)))
    await renew(deps, siteId, signal);
  const covered = await passagesOf(store, await store.list(siteId));
  const missing = wanted.filter((id) => !covered.has(id));
  for await (const segment of buildSegments(store, siteId, missing, signal)) {
    signal.throwIfAborted();
    await store.finish([segment], []);
    onProgress?.(segment.done, missing.length);
  }
}

/** The passages that some segments have. */
async function passagesOf(store: SegmentStore, segments: readonly SegmentEntry[]): Promise<Set<number>> {
  const passages = new Set<number>();
  const rows = createRowReader(store, 0);
  for (const { id } of segments)
    for (const passageId of (await openSegment(rows, id)).passageIds) passages.add(passageId);
  return passages;
}

/**
 * Makes what older versions made anew: one segment after the other, so that what is done stays done and readers find each
 * passage once. Those that cannot be read, of which nobody knows what they have, go together at the end.
 */
async function renew({ store, log }: IndexKeeperDeps, siteId: number, signal: AbortSignal): Promise<void> {
  const all = await store.list(siteId);
  if (all.some(({ revision }) => ageOf(revision) === "newer" && !isReadable(revision))) throw madeByNewer();
  const outdated = all.filter(({ revision }) => ageOf(revision) === "older");
  if (outdated.length === 0) return;
  log.info("what an older version made of the keyword index is made anew", {
    site: siteId,
    segments: outdated.length,
  });
  for (const segment of outdated.filter(({ revision }) => isReadable(revision))) {
    const own = await passagesOf(store, [segment]);
    await replace(store, siteId, { passageIds: [...own], segmentIds: [segment.id], signal });
  }
  const unreadable = outdated.filter(({ revision }) => !isReadable(revision)).map(({ id }) => id);
  if (unreadable.length === 0) return;
  const rest = (await store.list(siteId)).filter(({ id }) => !unreadable.includes(id));
  const covered = await passagesOf(store, rest);
  const missing = (await store.passageIds(siteId)).filter((id) => !covered.has(id));
  await replace(store, siteId, { passageIds: missing, segmentIds: unreadable, signal });
}

const madeByNewer = () =>
  new AppError("conflict", "A newer version of Docent has made the keyword index of this site.", {
    hint: "Use that version. To go back to this one, run docent index repair <domain>.",
  });

interface Replacement {
  passageIds: readonly number[];
  segmentIds: readonly number[];
  signal: AbortSignal;
}

/** Puts segments of these passages in the place of others, all at once. */
async function replace(
  store: SegmentStore,
  siteId: number,
  { passageIds, segmentIds, signal }: Replacement,
): Promise<void> {
  const made: NewSegment[] = [];
  for await (const { done: _, ...segment } of buildSegments(store, siteId, passageIds, signal))
    made.push(segment);
  signal.throwIfAborted();
  await store.finish(made, segmentIds);
}

/** Segments may be merged while they are looked at; never so often in a row. */
const LOOKS_MAX = 5;

async function lacks({ store }: IndexKeeperDeps, siteId: number, signal: AbortSignal): Promise<IndexLack> {
  for (let look = 1; ; look++) {
    signal.throwIfAborted();
    // Before the segments: whatever a generation shows has been indexed by the time that it is published.
    const published = await store.publishedIds(siteId);
    const all = await store.list(siteId);
    const ages = Map.groupBy(all, ({ revision }) => ageOf(revision));
    const lack = { outdated: ages.get("older")?.length ?? 0, newer: ages.get("newer")?.length ?? 0 };
    if (all.some(({ revision }) => !isReadable(revision))) return { ...lack, missing: 0 };
    try {
      const covered = await passagesOf(store, all);
      return { ...lack, missing: published.filter((id) => !covered.has(id)).length };
    } catch (error) {
      if (!(error instanceof SegmentGone) || look === LOOKS_MAX) throw error;
    }
  }
}

type NewSegment = Omit<SegmentEntry, "bytes">;

/** Writes segments of passages, without showing them yet. */
async function* buildSegments(
  store: SegmentStore,
  siteId: number,
  passageIds: readonly number[],
  signal: AbortSignal,
): AsyncGenerator<NewSegment & { done: number }> {
  const builders = { everyone: createSegmentBuilder(), some: createSegmentBuilder() };
  for (let at = 0; at < passageIds.length; at += PASSAGES_AT_ONCE) {
    signal.throwIfAborted();
    const passages = await store.passages(passageIds.slice(at, at + PASSAGES_AT_ONCE));
    const restricted = new Set(await store.restrictedOf([...new Set(passages.map(({ pageId }) => pageId))]));
    for (const passage of passages) {
      const readers = restricted.has(passage.pageId) ? "some" : "everyone";
      if (!builders[readers].hasRoom()) {
        const full = builders[readers];
        builders[readers] = createSegmentBuilder();
        yield { ...(await writeBuilt(store, siteId, full)), done: at };
      }
      builders[readers].add(passage);
    }
    await letOthersRun();
  }
  for (const builder of [builders.everyone, builders.some])
    if (builder.passages > 0)
      yield { ...(await writeBuilt(store, siteId, builder)), done: passageIds.length };
}

async function writeBuilt(store: SegmentStore, siteId: number, builder: SegmentBuilder): Promise<NewSegment> {
  const id = await store.begin(siteId);
  for (const rows of builder.finish(id)) {
    await store.write(id, rows);
    await letOthersRun();
  }
  return { id, passages: builder.passages, revision: SEGMENT_REVISION };
}

async function tidy({ store }: IndexKeeperDeps, siteId: number, signal: AbortSignal): Promise<void> {
  const existing = new Set(await store.passageIds(siteId));
  const isKept = (passageId: number) => existing.has(passageId);
  const rows = createRowReader(store, ROW_BYTES_KEPT);
  const readersOf = createReadersOf(store, isKept);
  for (;;) {
    signal.throwIfAborted();
    const weighed: Weighed[] = [];
    // Terms of another analyzer, merged, would pass for those of this one; what has another format cannot be read.
    for (const { id, revision } of await store.list(siteId)) {
      if (revision !== SEGMENT_REVISION) continue;
      const segment = await openSegment(rows, id);
      weighed.push({
        segment,
        kept: countKept([segment], isKept),
        readers: await readersOf(segment),
      });
    }
    const mixed = weighed.find(({ readers }) => readers === "both");
    const merged = planMerge(weighed);
    if (mixed !== undefined) await split(store, siteId, mixed.segment, isKept, signal);
    else if (merged.length > 0) await merge(store, siteId, { rows, segments: merged, isKept, signal });
    else return;
  }
}

/** Parts what is for everyone from what is not, in a segment that has both. */
function split(
  store: SegmentStore,
  siteId: number,
  { id, passageIds }: Segment,
  isKept: (passageId: number) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const kept = Array.from(passageIds).filter(isKept);
  return replace(store, siteId, { passageIds: kept, segmentIds: [id], signal });
}

interface Merge {
  rows: RowReader;
  segments: readonly Segment[];
  isKept: (passageId: number) => boolean;
  signal: AbortSignal;
}

async function merge(
  store: SegmentStore,
  siteId: number,
  { rows, segments, isKept, signal }: Merge,
): Promise<void> {
  const replaced = segments.map(({ id }) => id);
  const passages = countKept(segments, isKept);
  if (passages === 0) {
    signal.throwIfAborted();
    return store.finish([], replaced);
  }
  const id = await store.begin(siteId);
  for await (const some of mergeSegments(rows, { segments, isKept, into: id })) {
    signal.throwIfAborted();
    await store.write(id, some);
  }
  signal.throwIfAborted();
  await store.finish([{ id, passages, revision: SEGMENT_REVISION }], replaced);
}

async function findDamaged(
  { store }: IndexKeeperDeps,
  siteId: number,
  signal: AbortSignal,
): Promise<number[]> {
  const damaged: number[] = [];
  const rows = createRowReader(store, 0);
  for (const { id, revision } of await store.list(siteId))
    if (isReadable(revision) && !(await isSound(rows, id, signal))) damaged.push(id);
  // One that was replaced meanwhile is no loss.
  const listed = new Set((await store.list(siteId)).map(({ id }) => id));
  return damaged.filter((id) => listed.has(id));
}

/** Reads every row of a segment: whether all of them are there, as they were written. */
async function isSound(rows: RowReader, id: number, signal: AbortSignal): Promise<boolean> {
  try {
    const numbers = rowsOf(await openSegment(rows, id));
    for (let at = 0; at < numbers.length; at += ROWS_AT_ONCE) {
      signal.throwIfAborted();
      await rows.read(id, numbers.slice(at, at + ROWS_AT_ONCE));
      await letOthersRun();
    }
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SegmentDamaged || error instanceof SegmentGone) return false;
    throw error;
  }
}

async function repair(deps: IndexKeeperDeps, siteId: number, signal: AbortSignal): Promise<number> {
  const { store, log } = deps;
  const rows = createRowReader(store, 0);
  const bad: number[] = [];
  const good = new Set<number>();
  for (const { id, revision } of await store.list(siteId)) {
    if (revision !== SEGMENT_REVISION || !(await isSound(rows, id, signal))) bad.push(id);
    else for (const passageId of (await openSegment(rows, id)).passageIds) good.add(passageId);
  }
  const missing = (await store.passageIds(siteId)).filter((id) => !good.has(id));
  // One that lost its lock may have left passages that no segment has.
  if (bad.length === 0 && missing.length === 0) return 0;
  log.info("a part of the keyword index is made anew", {
    site: siteId,
    segments: bad,
    passages: missing.length,
  });
  await replace(store, siteId, { passageIds: missing, segmentIds: bad, signal });
  return bad.length;
}
