import type { Skipped, SourceItem } from "@docent/reading/source-reader";
import type { KnownPage, LedgerEntry } from "../stores.ts";
import type { FetchedPage } from "./fetch-page.ts";
import { isHeld, revisionsOf } from "./memory.ts";
import { isRuledAsNow } from "./page-hash.ts";
import { showsImagesOfNow } from "./page-images.ts";
import type { Pass } from "./pass.ts";
import { type Remark, skipped, type Verdict } from "./verdict.ts";

/** Compares what is listed with what was taken before: a page whose validator is the same need not be fetched. */
export async function compareListed(pass: Pass, item: SourceItem): Promise<Verdict | undefined> {
  if (pass.seen.has(item.path)) return skipped(duplicateOf(item));
  const before = pass.noted.get(item.location);
  if (before?.contentHash === undefined || !hasSameValidator(pass, item, before)) return undefined;
  const held = await heldOf(pass, item, before.contentHash, item.validatesImages);
  const remark = { contentHash: before.contentHash, ...remarkBefore(before) };
  return held && { is: "held", item, held, remark };
}

/** A page that was fetched, and the revision that has its content already. */
export interface ComparedPage extends FetchedPage {
  held: KnownPage | undefined;
}

/** Compares what was fetched with what the index has: a page with the same content is read only for what is noted of it. */
export async function compareFetched(pass: Pass, fetched: FetchedPage): Promise<ComparedPage | Verdict> {
  const { item, contentHash } = fetched;
  const held = await heldOf(pass, item, contentHash);
  const before = pass.noted.get(item.location);
  if (held === undefined || !isTaken(before)) return { ...fetched, held };
  return { is: "held", item, held, remark: { contentHash, ...remarkBefore(before) } };
}

/** The revision of the index that is what the source has now, its images too. */
async function heldOf(
  pass: Pass,
  item: SourceItem,
  contentHash: string,
  isSettled = false,
): Promise<KnownPage | undefined> {
  const { visible, staged } = revisionsOf(pass, item.path);
  for (const page of [visible, staged])
    if (page?.contentHash === contentHash && (isSettled || (await showsImagesOfNow(pass, item, page))))
      return page;
  return undefined;
}

function hasSameValidator(pass: Pass, item: SourceItem, before: LedgerEntry): boolean {
  const { path, format, validator } = item;
  const isSame = path === before.path && format === before.format && validator === before.validator;
  if (before.contentHash === undefined || !isRuledAsNow(before.contentHash, item)) return false;
  return isSame && validator !== undefined && isHeld(pass, before);
}

/** Whether the last note of a page is of one that was read. */
function isTaken(entry: LedgerEntry | undefined): entry is LedgerEntry {
  return entry !== undefined && ["added", "changed", "unchanged"].includes(entry.decision);
}

/** What was remarked when the page was read, which stands. Why it was kept or removed since does not. */
function remarkBefore(entry: LedgerEntry): Remark {
  return isTaken(entry) ? { reason: entry.reason, detail: entry.detail } : {};
}

function duplicateOf({ location, found, path }: SourceItem): Skipped {
  return {
    location,
    found,
    reason: "duplicate",
    detail: `has the same path as another page: ${path || "/"}`,
  };
}
