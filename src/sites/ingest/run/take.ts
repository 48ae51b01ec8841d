import { AppError } from "@docent/kernel/errors";
import type { PageMarks } from "@docent/reading/page/page-marks";
import type { SourceSpec } from "@docent/reading/source";
import type { DocsMarks, Skipped, SkipReason, SourceItem } from "@docent/reading/source-reader";
import type { Decision, KnownPage, LedgerEntry } from "../stores.ts";
import { admitted, isWithin } from "./page-groups.ts";
import { imagesOf, originalOf, showsImagesOfNow } from "./page-images.ts";
import { flush, isHeld, note, type Pass, parsingOf, revisionsOf } from "./pass.ts";
import { hashOf, isRuledAsNow, type ReadPage, readPage, restrictions } from "./read-page.ts";

const PAGES_AT_ONCE = 20;
const IMAGE_BYTES_AT_ONCE = 20_000_000;
const FAULTS_CHARACTERS_MAX = 500;

/** What is said of a page beside the decision itself. */
type Remark = Partial<Pick<LedgerEntry, "reason" | "detail" | "passages" | "contentHash">>;

/** Takes a page that the source lists: it is read only if it may have changed, and staged only if it has. */
export async function takePage(pass: Pass, item: SourceItem): Promise<void> {
  const startedAt = pass.clock();
  if (pass.seen.has(item.path)) return skipPage(pass, duplicateOf(item));
  const before = pass.noted.get(item.location);
  if (before?.contentHash !== undefined && hasSameValidator(pass, item, before)) {
    const held = await heldOf(pass, item, before.contentHash, item.validatesImages);
    const remark = { contentHash: before.contentHash, ...remarkBefore(before) };
    if (held !== undefined) return settleKnown(pass, item, { held, remark, startedAt });
  }
  let content: Uint8Array;
  try {
    content = await item.read(parsingOf(pass));
  } catch (error) {
    return skipPage(pass, unread(item, error));
  }
  const contentHash = hashOf(content, item, pass.reading);
  const held = await heldOf(pass, item, contentHash);
  if (held !== undefined && isTaken(before)) {
    const remark = { contentHash, ...remarkBefore(before) };
    return settleKnown(pass, item, { held, remark, startedAt });
  }
  const { pageReading, reading } = pass;
  const read = await readPage(item, content, { contentHash, pageReading, ...reading });
  if ("unreadable" in read) return skipPage(pass, unreadable(item, read.unreadable));
  const remark = {
    contentHash,
    passages: read.page.passages.length,
    ...remarkOn({ ...read, faults: [...(item.faults ?? []), ...read.faults] }),
  };
  if (remark.reason === "parse_fault")
    pass.faults.push({ location: item.location, detail: remark.detail ?? "" });
  if (held !== undefined) return settleKnown(pass, item, { held, remark, startedAt });
  const images = [...originalOf(item), ...(await imagesOf(pass, item, read.page.markdown))];
  const decision = revisionsOf(pass, item.path).visible ? "changed" : "added";
  pass.counts[decision]++;
  pass.seen.add(item.path);
  const page = { ...read.page, images, marks: marksOf(pass.source, item.marks) };
  pass.toStage.push({ page, entry: entryOf(pass, item, decision, remark, startedAt) });
  if (pass.toStage.length >= PAGES_AT_ONCE || imageBytesOf(pass) > IMAGE_BYTES_AT_ONCE) await flush(pass);
}

const imageBytesOf = ({ toStage }: Pass) =>
  toStage
    .flatMap(({ page: { images = [] } }) => images)
    .reduce((sum, { image }) => sum + (image?.content?.length ?? 0), 0);

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

/** Settles a page whose content the index has already: as readers see it, or as an interrupted run staged it. */
async function settleKnown(
  pass: Pass,
  item: SourceItem,
  { held, remark, startedAt }: { held: KnownPage; remark: Remark; startedAt: number },
): Promise<void> {
  pass.seen.add(item.path);
  const { visible } = revisionsOf(pass, item.path);
  const isVisible = held === visible;
  if (isVisible && visible.dropped) await pass.store.keep(pass.source, pass.runId, [item.path]);
  const decision = isVisible ? "unchanged" : visible ? "changed" : "added";
  pass.counts[decision]++;
  await note(pass, entryOf(pass, item, decision, remark, startedAt));
}

/** Notes why something is not taken, and keeps the page of which nothing was learned. */
export async function skipPage(pass: Pass, item: Skipped): Promise<void> {
  pass.skipped.push(item);
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
export function isForNoOthers(pass: Pass, path: string, item: Pick<SourceItem, "rule"> = {}): boolean {
  const { groups } = admitted(restrictions(item, pass.reading.groups));
  const { visible, staged } = revisionsOf(pass, path);
  return [visible, staged].every((page) => page === undefined || isWithin(page.groups, groups));
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

/** Whether the last note of a page is of one that was read. */
function isTaken(entry: LedgerEntry | undefined): entry is LedgerEntry {
  return entry !== undefined && ["added", "changed", "unchanged"].includes(entry.decision);
}

/** What was remarked when the page was read, which stands. Why it was kept or removed since does not. */
function remarkBefore(entry: LedgerEntry): Remark {
  return isTaken(entry) ? { reason: entry.reason, detail: entry.detail } : {};
}

/** Why a page that was taken is not found, or not as its author meant it. */
function remarkOn({ page, faults, closed }: ReadPage): { reason?: SkipReason; detail?: string } {
  const why = closed === undefined ? [] : [closed];
  if (page.hidden) return { reason: "hidden", detail: "asks that search does not show it" };
  if (faults.length > 0)
    return { reason: "parse_fault", detail: [...faults, ...why].join("; ").slice(0, FAULTS_CHARACTERS_MAX) };
  if (page.kind === "page" && page.passages.length === 0) return { reason: "empty", detail: "has no words" };
  if (closed !== undefined) return { detail: closed };
  return page.kind === "answer" ? { detail: "is a curated answer" } : {};
}

function duplicateOf({ location, found, path }: SourceItem): Skipped {
  return {
    location,
    found,
    reason: "duplicate",
    detail: `has the same path as another page: ${path || "/"}`,
  };
}

/** Keeps a page that cannot be read now: readers still see what was there. */
function unread({ location, found, path, rule }: SourceItem, error: unknown): Skipped {
  if (!(error instanceof AppError)) throw error;
  return { location, found, reason: "failed", detail: error.message, keeps: { path }, rule };
}

/** Keeps a page whose file cannot be read now: it may be half written as well as have become a picture. */
function unreadable({ location, found, path, rule }: SourceItem, detail: string): Skipped {
  return { location, found, reason: "parse_fault", detail, keeps: { path }, rule };
}

/**
 * The version and language of a page: as its docs say, or else as its source is set. The language that is set is also that
 * of pages in the main language of the docs, which are for this language alone then.
 */
function marksOf(
  { version, language }: Pick<SourceSpec, "version" | "language">,
  marks: DocsMarks = {},
): PageMarks {
  const isNamed = language !== "" && marks.translations !== undefined;
  return {
    version: marks.version ?? version,
    language: isNamed ? language : (marks.language ?? language),
    ...(isNamed || marks.translations === undefined ? {} : { translations: marks.translations }),
  };
}
