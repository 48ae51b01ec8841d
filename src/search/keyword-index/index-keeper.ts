import { letOthersRun } from "../../lib/event-loop.ts";
import type { Log } from "../../lib/log.ts";
import { SEGMENT_REVISION } from "./fields.ts";
import { planMerge } from "./plan-merge.ts";
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
import type { SegmentEntry, SegmentStore } from "./segment-store.ts";
import { whileLocked } from "./while-locked.ts";

export { SEGMENT_REVISION } from "./fields.ts";

/** Keeps the keyword index of every site in step with its passages. */
export interface IndexKeeper {
  /**
   * Indexes the passages that no segment has: of the site, or of one run. Where it is cut short, the next call goes on
   * from the last finished segment.
   */
  catchUp(siteId: number, options: CatchUpOptions): Promise<void>;
  /** Merges small segments, and drops the passages that are gone, within bounds. */
  tidy(siteId: number, signal: AbortSignal): Promise<void>;
  /** Makes segments anew that are damaged or of another revision. Returns how many. */
  repair(siteId: number, signal: AbortSignal): Promise<number>;
  /** The damaged segments of a site. Reads all of its index. */
  findDamaged(siteId: number, signal: AbortSignal): Promise<number[]>;
}

export interface CatchUpOptions {
  runId?: number | undefined;
  signal: AbortSignal;
  /** How many passages of all that were missing are indexed. */
  onProgress?: ((done: number, all: number) => void) | undefined;
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
    findDamaged: (siteId, signal) => findDamaged(deps, siteId, signal),
  };
}

async function catchUp(
  { store }: IndexKeeperDeps,
  siteId: number,
  { runId, signal, onProgress }: CatchUpOptions,
): Promise<void> {
  const wanted = await store.passageIds(siteId, runId);
  if (wanted.length === 0) return;
  const covered = new Set<number>();
  const rows = createRowReader(store, 0);
  for (const { id } of await store.list(siteId))
    for (const passageId of (await openSegment(rows, id)).passageIds) covered.add(passageId);
  const missing = wanted.filter((id) => !covered.has(id));
  for await (const segment of buildSegments(store, siteId, missing, signal)) {
    signal.throwIfAborted();
    await store.finish([segment], []);
    onProgress?.(segment.done, missing.length);
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
  let builder = createSegmentBuilder();
  for (let at = 0; at < passageIds.length; at += PASSAGES_AT_ONCE) {
    signal.throwIfAborted();
    for (const passage of await store.passages(passageIds.slice(at, at + PASSAGES_AT_ONCE))) {
      if (!builder.hasRoom()) {
        const full = builder;
        builder = createSegmentBuilder();
        yield { ...(await writeBuilt(store, siteId, full)), done: at };
      }
      builder.add(passage);
    }
    await letOthersRun();
  }
  if (builder.passages > 0) yield { ...(await writeBuilt(store, siteId, builder)), done: passageIds.length };
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
  for (;;) {
    signal.throwIfAborted();
    const segments: Segment[] = [];
    for (const { id } of await store.list(siteId)) segments.push(await openSegment(rows, id));
    const merged = planMerge(segments.map((segment) => ({ segment, kept: countKept([segment], isKept) })));
    if (merged.length === 0) return;
    await merge(store, siteId, { rows, segments: merged, isKept, signal });
  }
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
  for (const { id } of await store.list(siteId)) if (!(await isSound(rows, id, signal))) damaged.push(id);
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
  if (bad.length === 0) return 0;
  const missing = (await store.passageIds(siteId)).filter((id) => !good.has(id));
  log.info("a part of the keyword index is made anew", {
    site: siteId,
    segments: bad,
    passages: missing.length,
  });
  const made: NewSegment[] = [];
  for await (const { done: _, ...segment } of buildSegments(store, siteId, missing, signal))
    made.push(segment);
  signal.throwIfAborted();
  await store.finish(made, bad);
  return bad.length;
}
