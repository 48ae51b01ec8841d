import type { Skipped, SourceItem } from "@docent/reading/source-reader";
import type { Decision, LedgerEntry } from "../stores.ts";
import { note, stage } from "./batch.ts";
import { leaveAsItWas, NOT_LEFT } from "./leave.ts";
import { revisionsOf } from "./memory.ts";
import type { Pass } from "./pass.ts";
import type { Remark, Verdict } from "./verdict.ts";

/** Counts and notes what became of a page, and stages it where it is new. */
export async function settle(pass: Pass, verdict: Verdict, startedAt: number): Promise<void> {
  await noteUnshown(pass);
  if (verdict.is === "skipped") return settleSkipped(pass, verdict.item);
  const { item, remark, fault } = verdict;
  if (fault !== undefined) pass.faults.push({ location: item.location, detail: fault });
  pass.seen.add(item.path);
  pass.taken.add(item.location);
  pass.audit.page(item.location);
  const { visible } = revisionsOf(pass, item.path);
  const isVisible = verdict.is === "held" && verdict.held === visible;
  if (isVisible && visible?.dropped) await pass.store.keep(pass.source, pass.runId, [item.path]);
  const decision = isVisible ? "unchanged" : visible ? "changed" : "added";
  pass.counts[decision]++;
  const entry = entryOf(pass, item, decision, remark, startedAt);
  if (verdict.is === "held") await note(pass, entry);
  else await stage(pass, verdict.page, entry);
}

/** Notes the images that were looked at for a page and are not shown. */
async function noteUnshown(pass: Pass): Promise<void> {
  for (const image of pass.images.unshown.splice(0)) {
    pass.skipped.push(image);
    await note(pass, {
      ...image,
      path: undefined,
      format: undefined,
      decision: "skipped",
      passages: 0,
      contentHash: undefined,
      validator: undefined,
      links: [],
      tookMs: 0,
      decidedAt: pass.clock(),
    });
  }
}

/** Notes why something is not taken, and keeps the page of which nothing was learned. */
async function settleSkipped(pass: Pass, item: Skipped): Promise<void> {
  pass.skipped.push(item);
  if (item.isBeside === true) pass.audit.beside(item.location);
  if (item.ignoredFiles !== undefined) pass.audit.ignored(item.ignoredFiles);
  const { location, found, reason, keeps } = item;
  if (keeps && "below" in keeps) pass.unlearned.push({ ...item, below: keeps.below });
  const path = keeps && "path" in keeps ? keeps.path : undefined;
  const isLeft = path !== undefined && (await leaveAsItWas(pass, path, item));
  const isKept = isLeft && pass.known.has(path);
  const detail = path === undefined || isLeft ? item.detail : `${item.detail}; ${NOT_LEFT}`;
  const before = pass.noted.get(location);
  // What is kept is what was read then: its validator must not be that of something newer.
  const kept = isKept ? before : undefined;
  await note(pass, {
    location,
    found,
    reason,
    detail,
    contentHash: kept?.contentHash,
    path,
    format: before?.format,
    decision: isKept ? "kept" : "skipped",
    validator: isKept ? kept?.validator : item.validator,
    links: item.links ?? kept?.links ?? [],
    passages: isKept ? undefined : 0,
    tookMs: 0,
    decidedAt: pass.clock(),
  });
}

function entryOf(
  { clock }: Pass,
  { location, path, format, found, validator, links = [] }: SourceItem,
  decision: Decision,
  { reason, detail, passages, contentHash }: Remark,
  startedAt: number,
): LedgerEntry {
  const decidedAt = clock();
  return {
    location,
    path,
    format,
    found,
    decision,
    reason,
    detail,
    passages,
    contentHash,
    validator,
    links,
    tookMs: decidedAt - startedAt,
    decidedAt,
  };
}
