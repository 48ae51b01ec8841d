import type { SourceItem } from "@docent/reading/source-reader";
import type { LedgerEntry } from "../stores.ts";
import { note } from "./batch.ts";
import { revisionsOf, unlisted } from "./memory.ts";
import { admitted, isWithin, restrictions } from "./page-groups.ts";
import type { Pass } from "./pass.ts";

const PATHS_AT_ONCE = 500;

/** Why a page of which nothing was learned does not stay. */
export const NOT_LEFT = "does not stay as it was, which was for others than it is for now";

/**
 * Leaves a page of which nothing was learned: readers still see what was there. Not where others may read it now than could
 * then: it is taken away until it can be read. Returns whether it was left.
 */
export async function leaveAsItWas(
  pass: Pass,
  path: string,
  item: Pick<SourceItem, "rule"> = {},
): Promise<boolean> {
  if (pass.seen.has(path)) return true;
  const { visible, staged } = revisionsOf(pass, path);
  if (!isForNoOthers(pass, path, item)) {
    await pass.store.drop(pass.source, pass.runId, [path]);
    if (visible) pass.counts.removed++;
    pass.seen.add(path);
    return false;
  }
  if (visible?.dropped) await pass.store.keep(pass.source, pass.runId, [path]);
  // Only an interrupted run has read it: it comes with this one.
  else if (!visible && staged) pass.counts.added++;
  pass.seen.add(path);
  return true;
}

/** Whether what the index has of a page is for nobody whom its source, and the rule of its folder, do not admit now. */
function isForNoOthers(pass: Pass, path: string, item: Pick<SourceItem, "rule"> = {}): boolean {
  const { groups } = admitted(restrictions(item, pass.reading.groups));
  const { visible, staged } = revisionsOf(pass, path);
  return [visible, staged].every((page) => page === undefined || isWithin(page.groups, groups));
}

/** Leaves what was not met below places of which nothing was learned as readers see it. */
export async function leaveUnlearned(pass: Pass): Promise<void> {
  for (const { below, found, reason, detail, rule, location: because } of pass.unlearned)
    for (const [path, [page]] of pass.known) {
      if (pass.seen.has(path) || !isBelow(path, below)) continue;
      const isLeft = await leaveAsItWas(pass, path, { rule });
      const location = page?.location ?? path;
      const { contentHash, validator, links = [], format } = pass.noted.get(location) ?? {};
      await note(pass, {
        location,
        path,
        format,
        found,
        decision: isLeft ? "kept" : "removed",
        reason,
        contentHash: isLeft ? contentHash : undefined,
        validator: isLeft ? validator : undefined,
        links,
        detail: `${isLeft ? "stays as it was" : NOT_LEFT}: ${because} ${detail}`,
        passages: isLeft ? undefined : 0,
        tookMs: 0,
        decidedAt: pass.clock(),
      });
    }
}

/** Leaves what was not reached as readers see it, beside what an interrupted run had read of it. */
export async function leaveUnlisted(pass: Pass): Promise<void> {
  const marked: string[] = [];
  const closed: LedgerEntry[] = [];
  for (const { path, location } of unlisted(pass)) {
    if (!isForNoOthers(pass, path)) {
      closed.push(removal(path, location, pass.clock(), NOT_LEFT));
      await leaveAsItWas(pass, path);
      continue;
    }
    const { visible, staged } = revisionsOf(pass, path);
    if (staged) pass.counts[visible ? "changed" : "added"]++;
    else if (visible?.dropped) marked.push(path);
  }
  for (const some of parts(marked)) await pass.store.keep(pass.source, pass.runId, some);
  for (const some of parts(closed)) await pass.ledger.record(pass.source, pass.ledgerRunId, some);
}

/** Takes away what the source no longer lists. */
export async function dropUnlisted(pass: Pass): Promise<void> {
  const gone = unlisted(pass);
  const at = pass.clock();
  pass.counts.removed += gone.filter(({ isVisible }) => isVisible).length;
  const paths = gone.map(({ path }) => path);
  for (const some of parts(paths)) await pass.store.drop(pass.source, pass.runId, some);
  const removed = gone
    // Of what was met there today, the reason is noted already.
    .filter(({ location, isVisible }) => isVisible && !pass.met.has(location))
    .map(({ path, location }) => removal(path, location, at, "is no longer listed"));
  for (const some of parts(removed)) await pass.ledger.record(pass.source, pass.ledgerRunId, some);
}

/** A source may leave all of its pages at once: no write is as large as a source. */
function* parts<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += PATHS_AT_ONCE) yield all.slice(at, at + PATHS_AT_ONCE);
}

const isBelow = (path: string, place: string) => `${path}/`.startsWith(`${place}/`);

function removal(path: string, location: string, at: number, detail: string): LedgerEntry {
  return {
    location,
    path,
    format: undefined,
    found: "an earlier run",
    decision: "removed",
    reason: undefined,
    detail,
    passages: 0,
    contentHash: undefined,
    validator: undefined,
    links: [],
    tookMs: 0,
    decidedAt: at,
  };
}
