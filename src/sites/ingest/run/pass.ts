import type { Clock } from "@docent/kernel/lib/clock";
import type { MenuEntry } from "@docent/reading/page/menu";
import type { PageRedirect } from "@docent/reading/page/redirects";
import type { PageReading } from "@docent/reading/page-reading/page-reading";
import type { Source } from "@docent/reading/source";
import type { Parsing, RecognizedDocs, Remembered, Skipped } from "@docent/reading/source-reader";
import type { IngestStore, KnownPage, LedgerEntry, LedgerStore, RunCounts, StagedPage } from "../stores.ts";
import { emptyShelf, type ImageShelf } from "./image-shelf.ts";
import { type HowPagesAreRead, isReadAsNow } from "./read-page.ts";

const ENTRIES_AT_ONCE = 200;

/** How far a run is. */
export interface IngestProgress {
  pages: number;
  /** The page that was just stored, kept or left out. */
  location: string;
}

interface PassDeps {
  store: IngestStore;
  ledger: LedgerStore;
  clock: Clock;
  source: Source;
  /** The run in the index, and the one in the ledger. */
  runId: number;
  ledgerRunId: number;
  reading: HowPagesAreRead;
  pageReading: PageReading;
  onProgress: ((progress: IngestProgress) => void) | undefined;
}

interface PassStart extends PassDeps {
  known: KnownPage[];
  noted: LedgerEntry[];
  /** The run before came to the end of the source. */
  wasWhole: boolean;
  /** How many bytes of images the source may have. */
  imageBytesMax: number;
}

export type PageFault = Pick<LedgerEntry, "location"> & { detail: string };

/** One pass over what a source lists: what is known from before, and what was met so far. */
export interface Pass extends PassDeps {
  /** The revisions of each path: the one that readers see, and the one that is staged. */
  known: ReadonlyMap<string, KnownPage[]>;
  /** What the last run noted, by location. */
  noted: ReadonlyMap<string, LedgerEntry>;
  wasWhole: boolean;
  /** The docs are as they were recognized before. */
  keepsDocs: boolean;
  counts: RunCounts;
  skipped: Skipped[];
  /** What was wrong with pages that were read all the same. */
  faults: PageFault[];
  images: ImageShelf;
  /** The docs that the source turned out to hold. */
  docs: RecognizedDocs | undefined;
  /** Addresses that lead to its pages where the docs are no generator's. */
  redirects: PageRedirect[];
  /** The menu of documents that are cut into pages, where the docs are no generator's. */
  menu: MenuEntry[];
  /** Paths that the source listed, or that stay although it did not. */
  seen: Set<string>;
  /** Locations of which this run has noted something. */
  met: Set<string>;
  /** Places of which nothing was learned, and why. */
  unlearned: (Skipped & { below: string })[];
  pages: number;
  /** Pages that are staged together, and what is noted of others. */
  toStage: { page: StagedPage; entry: LedgerEntry }[];
  toNote: LedgerEntry[];
}

export function beginPass({ known, noted, imageBytesMax, ...deps }: PassStart): Pass {
  return {
    ...deps,
    known: Map.groupBy(known, (page) => page.path),
    noted: new Map(noted.map((entry) => [entry.location, entry])),
    counts: { added: 0, changed: 0, unchanged: 0, removed: 0, passages: 0 },
    skipped: [],
    faults: [],
    images: emptyShelf(imageBytesMax),
    docs: undefined,
    redirects: [],
    menu: [],
    keepsDocs: false,
    seen: new Set(),
    met: new Set(),
    unlearned: [],
    pages: 0,
    toStage: [],
    toNote: [],
  };
}

export function revisionsOf({ known }: Pass, path: string) {
  const revisions = known.get(path) ?? [];
  return { visible: revisions.find((page) => !page.staged), staged: revisions.find((page) => page.staged) };
}

/** What the last run noted of a location, where the index still holds what was read then. */
export function remembered(pass: Pass, location: string): Remembered | undefined {
  const entry = pass.noted.get(location);
  if (!entry) return undefined;
  const { path, format, validator, links, reason, detail } = entry;
  if (entry.decision === "skipped" && reason !== undefined && detail !== undefined)
    return { path: path ?? "", format: format ?? "md", validator, links, skipped: { reason, detail } };
  if (path === undefined || format === undefined || !isHeld(pass, entry)) return undefined;
  return { path, format, validator, links, skipped: undefined };
}

/** All that the last run noted, where nothing of it has to be asked for again. */
export function settled(pass: Pass): ReadonlyMap<string, Remembered> | undefined {
  if (!pass.wasWhole) return undefined;
  const all = new Map<string, Remembered>();
  for (const [location, { decision, reason }] of pass.noted) {
    if (decision === "removed") continue;
    const known = remembered(pass, location);
    if (known === undefined || decision === "kept" || reason === "failed") return undefined;
    all.set(location, known);
  }
  return all;
}

/** Whether the index holds what was noted, read as it would be read now. */
export function isHeld(pass: Pass, { location, path, format = "md", contentHash }: LedgerEntry): boolean {
  if (path === undefined || contentHash === undefined) return false;
  if (!isReadAsNow(contentHash, { location, format }, pass.reading)) return false;
  const { visible, staged } = revisionsOf(pass, path);
  return visible?.contentHash === contentHash || staged?.contentHash === contentHash;
}

/** How the pages of a pass are parsed. */
export const parsingOf = (pass: Pass): Parsing => ({
  anchors: pass.reading.anchors,
  mayBeHeld(item) {
    const { visible, staged } = revisionsOf(pass, item.path);
    return [visible, staged].some((page) => page && isReadAsNow(page.contentHash, item, pass.reading));
  },
});

/** Pages of the index that the source no longer lists. */
export function unlisted({ known, seen }: Pass): { location: string; path: string; isVisible: boolean }[] {
  return [...known]
    .filter(([path]) => !seen.has(path))
    .map(([path, revisions]) => ({
      path,
      location: revisions[0]?.location ?? path,
      isVisible: revisions.some((page) => !page.staged),
    }));
}

/** Notes in the ledger what was decided of a page. */
export async function note(pass: Pass, entry: LedgerEntry): Promise<void> {
  pass.toNote.push(entry);
  passed(pass, entry.location);
  if (pass.toNote.length >= ENTRIES_AT_ONCE) await flush(pass);
}

/** Writes what waits to be staged and noted. */
export async function flush(pass: Pass): Promise<void> {
  const { toStage, toNote } = pass;
  const decided = [...toNote, ...toStage.map(({ entry }) => entry)];
  pass.toStage = [];
  pass.toNote = [];
  const staged = toStage.map(({ page }) => page);
  if (staged.length > 0) await pass.store.stage(pass.source, pass.runId, staged);
  // Behind the pages: after a crash between the two, pages are read again, never believed to be there.
  if (decided.length > 0) await pass.ledger.record(pass.source, pass.ledgerRunId, decided);
  for (const page of staged) {
    pass.counts.passages += page.passages.length;
    passed(pass, page.location);
  }
}

function passed(pass: Pass, location: string): void {
  pass.met.add(location);
  pass.pages++;
  pass.onProgress?.({ pages: pass.pages, location });
}
