import { AppError } from "../../errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { AnchorStyle } from "../../markdown/page.ts";
import type { Remembered, Skipped, SkipReason, SourceItem } from "../source-reader.ts";
import type {
  Decision,
  IngestStore,
  KnownPage,
  LedgerEntry,
  LedgerStore,
  RunCounts,
  Source,
  StagedPage,
} from "../stores.ts";
import { hashOf, isReadAsNow, type ReadPage, readPage } from "./read-page.ts";

const PAGES_AT_ONCE = 20;
const ENTRIES_AT_ONCE = 200;
const FAULTS_CHARACTERS_MAX = 500;

/** How far a run is. */
export interface IngestProgress {
  pages: number;
  /** The page that was just stored, kept or left out. */
  location: string;
}

interface RunDeps {
  store: IngestStore;
  ledger: LedgerStore;
  clock: Clock;
  source: Source;
  /** The run in the index, and the one in the ledger. */
  runId: number;
  ledgerRunId: number;
  known: KnownPage[];
  noted: LedgerEntry[];
  anchors: AnchorStyle;
  onProgress: ((progress: IngestProgress) => void) | undefined;
}

/** What is said of a page beside the decision itself. */
type Note = Partial<Pick<LedgerEntry, "reason" | "detail" | "passages" | "contentHash">>;

/** One pass over a source's items: what is new is staged, what is the same is kept, what is gone is dropped. */
export type Run = ReturnType<typeof createRun>;

export function createRun(deps: RunDeps) {
  const { store, ledger, clock, source, runId, ledgerRunId, anchors, onProgress } = deps;
  const known = Map.groupBy(deps.known, (page) => page.path);
  const noted = new Map(deps.noted.map((entry) => [entry.location, entry]));
  const counts: RunCounts = { added: 0, changed: 0, unchanged: 0, removed: 0, passages: 0 };
  const skipped: Skipped[] = [];
  const seen = new Set<string>();
  /** Locations of which this run has noted something. */
  const met = new Set<string>();
  /** Places of which nothing was learned, and why. */
  const unlearned: (Skipped & { below: string })[] = [];
  let pages = 0;
  let waiting: { page: StagedPage; entry: LedgerEntry }[] = [];
  let entries: LedgerEntry[] = [];

  const revisionsOf = (path: string) => {
    const revisions = known.get(path) ?? [];
    return {
      visible: revisions.find((page) => !page.staged),
      staged: revisions.find((page) => page.staged),
    };
  };

  /** What the last run noted of a location, where the index still holds what was read then. */
  function remembered(location: string): Remembered | undefined {
    const entry = noted.get(location);
    if (!entry) return undefined;
    const { path, format, validator, links, reason, detail } = entry;
    if (entry.decision === "skipped" && reason !== undefined && detail !== undefined)
      return { path: path ?? "", format: format ?? "md", validator, links, skipped: { reason, detail } };
    if (path === undefined || format === undefined || !holds(entry)) return undefined;
    return { path, format, validator, links, skipped: undefined };
  }

  function holds({ location, path, format = "md", contentHash }: LedgerEntry): boolean {
    if (path === undefined || contentHash === undefined) return false;
    if (!isReadAsNow(contentHash, { location, format }, anchors)) return false;
    const { visible, staged } = revisionsOf(path);
    return visible?.contentHash === contentHash || staged?.contentHash === contentHash;
  }

  async function take(item: SourceItem): Promise<void> {
    const startedAt = clock();
    if (seen.has(item.path)) return skip(duplicateOf(item));
    const before = noted.get(item.location);
    if (before?.contentHash !== undefined && isUnchanged(item, before)) {
      return settle(item, { contentHash: before.contentHash, ...remarkBefore(before) }, startedAt);
    }
    let content: Uint8Array;
    try {
      content = await item.read();
    } catch (error) {
      return keepUnread(item, error);
    }
    const contentHash = hashOf(content, item, anchors);
    const { visible, staged } = revisionsOf(item.path);
    const isKnown = visible?.contentHash === contentHash || staged?.contentHash === contentHash;
    if (isKnown && isTaken(before)) return settle(item, { contentHash, ...remarkBefore(before) }, startedAt);
    const read = readPage(item, content, { contentHash, anchors });
    if (read === undefined) return skip(unreadable(item));
    const { page } = read;
    const note = { contentHash, passages: page.passages.length, ...remarkOn(read) };
    if (isKnown) return settle(item, note, startedAt);
    const decision = visible ? "changed" : "added";
    counts[decision]++;
    seen.add(item.path);
    waiting.push({ page, entry: entryOf(item, decision, note, startedAt) });
    if (waiting.length >= PAGES_AT_ONCE) await flush();
  }

  function isUnchanged({ path, format, validator }: SourceItem, before: LedgerEntry): boolean {
    const isSame = path === before.path && format === before.format && validator === before.validator;
    return isSame && validator !== undefined && holds(before);
  }

  /** The page has this content already: as readers see it, or as an interrupted run staged it. */
  async function settle(item: SourceItem, what: Note, startedAt: number): Promise<void> {
    seen.add(item.path);
    const { visible } = revisionsOf(item.path);
    const isVisible = visible !== undefined && visible.contentHash === what.contentHash;
    if (isVisible && visible.dropped) await store.keep(source, runId, [item.path]);
    const decision = isVisible ? "unchanged" : visible ? "changed" : "added";
    counts[decision]++;
    await note(entryOf(item, decision, what, startedAt));
  }

  async function skip(item: Skipped): Promise<void> {
    skipped.push(item);
    const { location, found, reason, detail, keeps } = item;
    if (keeps && "below" in keeps) unlearned.push({ ...item, below: keeps.below });
    const path = keeps && "path" in keeps ? keeps.path : undefined;
    if (path !== undefined) await leaveAsItWas(path);
    const isKept = path !== undefined && known.has(path);
    const before = noted.get(location);
    // What is kept is what was read then: its validator must not be that of something newer.
    const kept = isKept ? before : undefined;
    await note({
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
      decidedAt: clock(),
    });
  }

  /** Nothing was learned of the page: readers still see what was there. */
  async function leaveAsItWas(path: string): Promise<void> {
    if (seen.has(path)) return;
    const { visible, staged } = revisionsOf(path);
    if (visible?.dropped) await store.keep(source, runId, [path]);
    // Only an interrupted run has read it: it comes with this one.
    else if (!visible && staged) counts.added++;
    seen.add(path);
  }

  /** The same for what was not met below places of which nothing was learned. */
  async function leaveUnlearned(): Promise<void> {
    for (const { below, found, reason, detail, location: because } of unlearned)
      for (const [path, [page]] of known) {
        if (seen.has(path) || !isBelow(path, below)) continue;
        await leaveAsItWas(path);
        const location = page?.location ?? path;
        const { contentHash, validator, links = [], format } = noted.get(location) ?? {};
        await note({
          location,
          path,
          format,
          found,
          decision: "kept",
          reason,
          contentHash,
          validator,
          links,
          detail: `stays as it was: ${because} ${detail}`,
          passages: undefined,
          tookMs: 0,
          decidedAt: clock(),
        });
      }
  }

  /** What cannot be read now says nothing of the page: readers still see what was there. */
  async function keepUnread({ location, found, path }: SourceItem, error: unknown): Promise<void> {
    if (!(error instanceof AppError)) throw error;
    return skip({ location, found, reason: "failed", detail: error.message, keeps: { path } });
  }

  async function note(entry: LedgerEntry): Promise<void> {
    entries.push(entry);
    passed(entry.location);
    if (entries.length >= ENTRIES_AT_ONCE) await flush();
  }

  async function flush(): Promise<void> {
    const batch = waiting;
    const decided = [...entries, ...batch.map(({ entry }) => entry)];
    waiting = [];
    entries = [];
    if (batch.length > 0)
      await store.stage(
        source,
        runId,
        batch.map(({ page }) => page),
      );
    // Behind the pages: after a crash between the two, pages are read again, never believed to be there.
    if (decided.length > 0) await ledger.record(source, ledgerRunId, decided);
    for (const { page } of batch) {
      counts.passages += page.passages.length;
      passed(page.location);
    }
  }

  function passed(location: string): void {
    met.add(location);
    pages++;
    onProgress?.({ pages, location });
  }

  function entryOf(item: SourceItem, decision: Decision, note: Note, startedAt: number): LedgerEntry {
    const { location, path, format, found, validator, links = [] } = item;
    const { reason, detail, passages, contentHash } = note;
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

  /** Pages that readers see and that the source no longer lists. */
  function gone(): { location: string; path: string; isVisible: boolean }[] {
    return [...known]
      .filter(([path]) => !seen.has(path))
      .map(([path, revisions]) => ({
        path,
        location: revisions[0]?.location ?? path,
        isVisible: revisions.some((page) => !page.staged),
      }));
  }

  return {
    skipped,
    counts,
    remembered,
    take,
    skip,
    leaveUnlearned,
    flush,
    gone,
    /** How many pages the source has shown so far. */
    listed: () => seen.size,
    /** How many of the pages that readers see are of this source. */
    visible: () => deps.known.filter((page) => !page.staged).length,

    async drop(): Promise<void> {
      const dropped = gone();
      const at = clock();
      counts.removed = dropped.filter(({ isVisible }) => isVisible).length;
      await store.drop(
        source,
        runId,
        dropped.map(({ path }) => path),
      );
      const removed = dropped
        // Of what was met there today, the reason is noted already.
        .filter(({ location, isVisible }) => isVisible && !met.has(location))
        .map(({ path, location }) => removal(path, location, at));
      await ledger.record(source, ledgerRunId, removed);
    },

    /** Leaves what was not reached as readers see it, beside what an interrupted run had read of it. */
    async leave(): Promise<void> {
      const marked: string[] = [];
      for (const { path } of gone()) {
        const { visible, staged } = revisionsOf(path);
        if (staged) counts[visible ? "changed" : "added"]++;
        else if (visible?.dropped) marked.push(path);
      }
      await store.keep(source, runId, marked);
    },
  };
}

const isBelow = (path: string, place: string) => `${path}/`.startsWith(`${place}/`);

/** Whether the last note of a page is of one that was read. */
function isTaken(entry: LedgerEntry | undefined): entry is LedgerEntry {
  return entry !== undefined && ["added", "changed", "unchanged"].includes(entry.decision);
}

/** What was remarked when the page was read stands; why it was kept or removed since does not. */
function remarkBefore(entry: LedgerEntry): Note {
  return isTaken(entry) ? { reason: entry.reason, detail: entry.detail } : {};
}

function removal(path: string, location: string, at: number): LedgerEntry {
  return {
    location,
    path,
    format: undefined,
    found: "an earlier run",
    decision: "removed",
    reason: undefined,
    detail: "is no longer listed",
    passages: 0,
    contentHash: undefined,
    validator: undefined,
    links: [],
    tookMs: 0,
    decidedAt: at,
  };
}

/** Why a page that was taken is not found, or not as its author meant it. */
function remarkOn({ page, faults }: ReadPage): { reason?: SkipReason; detail?: string } {
  if (page.hidden) return { reason: "hidden", detail: "asks that search does not show it" };
  if (page.kind === "page" && page.passages.length === 0) return { reason: "empty", detail: "has no words" };
  if (faults.length > 0)
    return { reason: "parse_fault", detail: faults.join("; ").slice(0, FAULTS_CHARACTERS_MAX) };
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

/** As likely a file that is half written as one that has become a picture: what was there before stays. */
function unreadable({ location, found, path }: SourceItem): Skipped {
  return { location, found, reason: "parse_fault", detail: "is not text", keeps: { path } };
}
