import type { LedgerEntry } from "../stores.ts";
import { note, type Pass, revisionsOf, unlisted } from "./pass.ts";
import { isForNoOthers, leaveAsItWas, NOT_LEFT } from "./take.ts";

const PATHS_AT_ONCE = 500;

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
